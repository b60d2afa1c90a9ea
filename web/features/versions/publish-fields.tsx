import { type FormEvent, useState } from 'react'
import { VERSION_NOTE_MAX_CHARS } from '#contract/limits.ts'
import { type Approval, ApprovalMeaning, type SendBack } from '#contract/review.ts'
import { type PublishRequest, Retraining, type Review } from '#contract/version.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { LongTextField, NameField } from '#web/ui/text-fields.tsx'

/** Publishing without a name, with one, or asking others for it. */
export type PublishTask = 'publish' | 'sign' | 'ask'

const RETRAINING: Record<Retraining, () => string> = {
  none: m.retraining_none,
  changed: m.retraining_changed,
  all: m.retraining_all,
}

const MEANINGS: Record<ApprovalMeaning, () => string> = {
  reviewed: m.meaning_reviewed,
  approved: m.meaning_approved,
  responsible: m.meaning_responsible,
}

const ACTIONS: Record<PublishTask, () => string> = {
  publish: m.publish_action,
  sign: m.release_and_publish,
  ask: m.ask_for_release,
}

/** What stands in the fields of a release at first. */
export const UNSIGNED: Approval = { name: '', meaning: 'approved', words: '' }

type Fields = Pick<PublishRequest, 'note' | 'retraining'> & Omit<Approval, 'name'>

interface PublishFieldsProps {
  task: PublishTask
  review: Review | null
  /** Of the person, which comments have, too. */
  name: string
  onName: (name: string) => void
  hasChanges: boolean
  /** Before the first version nothing is new, and nobody has done it. */
  isFirst: boolean
  /** Says who is asked to do which steps again; null where nobody is. */
  sayReach: (retraining: Retraining) => string | null
  /** How many steps have comments that are not settled. */
  openThreads: number
  /** What waits for the server. */
  busy: 'send' | 'sendBack' | null
  onCancel: () => void
  onSend: (fields: Fields) => void
  onSendBack: (answer: SendBack) => void
}

/** What a person says of a version: what is new, who does it again, and their name where the rules ask for one. */
export function PublishFields({ task, review, name, onName, hasChanges, isFirst, busy, ...props }: PublishFieldsProps) {
  const { openThreads, sayReach, onCancel, onSend, onSendBack } = props
  const [fields, setFields] = useState<Fields>({
    note: review?.note ?? '',
    retraining: review?.retraining ?? 'none',
    meaning: UNSIGNED.meaning,
    words: UNSIGNED.words,
  })
  const change = (part: Partial<Fields>) => setFields({ ...fields, ...part })
  const isAnswer = task === 'sign' && review?.sentBack === null && !review.isMine
  function send(event: FormEvent) {
    event.preventDefault()
    if (busy === null) onSend(fields)
  }
  return (
    <form onSubmit={send} className="grid grid-cols-1 gap-5">
      {hasChanges && (
        <>
          {!isFirst && <NewsFields {...{ fields, sayReach }} onChange={change} />}
          {task === 'ask' && <NameField name={name} onChange={onName} />}
          {task === 'sign' && (
            <SignFields
              approval={{ ...fields, name }}
              onChange={({ name: written, ...part }) => {
                if (written !== undefined) onName(written)
                change(part)
              }}
            />
          )}
        </>
      )}
      {isAnswer && <SendBackField {...{ busy, onSendBack, name }} />}
      <div className="flex flex-wrap items-center justify-end gap-3">
        {hasChanges && openThreads > 0 && (
          <p className="min-w-0 flex-1 basis-52 text-sm text-warn-ink">{m.threads_are_open({ count: openThreads })}</p>
        )}
        <Button variant="secondary" onClick={onCancel}>
          {m.cancel()}
        </Button>
        {hasChanges && (
          <Button type="submit" isBusy={busy === 'send'}>
            {ACTIONS[task]()}
          </Button>
        )}
      </div>
    </form>
  )
}

interface NewsFieldsProps extends Pick<PublishFieldsProps, 'sayReach'> {
  fields: Fields
  onChange: (part: Partial<Fields>) => void
}

/** What is new in a version, and who does it again because of that. */
function NewsFields({ fields, sayReach, onChange }: NewsFieldsProps) {
  return (
    <>
      <LongTextField
        maxLength={VERSION_NOTE_MAX_CHARS}
        label={m.version_note()}
        value={fields.note}
        onChange={(note) => onChange({ note })}
      />
      <RetrainingChoice
        value={fields.retraining}
        sayReach={sayReach}
        onChange={(retraining) => onChange({ retraining })}
      />
    </>
  )
}

/** What a person puts their name to in releasing a version. */
export function SignFields({
  approval,
  onChange,
}: {
  approval: Approval
  onChange: (part: Partial<Approval>) => void
}) {
  return (
    <>
      <NameField name={approval.name} onChange={(name) => onChange({ name })} />
      <ChoiceField
        label={m.meaning_of_your_name()}
        options={ApprovalMeaning.options.map((value) => [value, MEANINGS[value]()])}
        value={approval.meaning}
        onChange={(value) => onChange({ meaning: ApprovalMeaning.parse(value) })}
      />
      <LongTextField
        maxLength={VERSION_NOTE_MAX_CHARS}
        label={m.words_of_release()}
        value={approval.words}
        onChange={(words) => onChange({ words })}
      />
    </>
  )
}

interface RetrainingChoiceProps extends Pick<PublishFieldsProps, 'sayReach'> {
  value: Retraining
  onChange: (value: Retraining) => void
}

/** Who does it again, and how many people and steps that are. */
function RetrainingChoice({ value, sayReach, onChange }: RetrainingChoiceProps) {
  const reach = sayReach(value)
  return (
    <div className="grid grid-cols-1 gap-2">
      <ChoiceField
        label={m.retraining_question()}
        options={Retraining.options.map((option) => [option, RETRAINING[option]()])}
        value={value}
        onChange={(chosen) => onChange(Retraining.parse(chosen))}
      />
      {reach !== null && <p className="text-sm text-ink-soft tabular-nums">{reach}</p>}
    </div>
  )
}

interface SendBackFieldProps extends Pick<PublishFieldsProps, 'busy' | 'onSendBack'> {
  name: string
}

/** In place of releasing: what has to change first. */
function SendBackField({ name, busy, onSendBack }: SendBackFieldProps) {
  const [reason, setReason] = useState('')
  const isComplete = reason.trim() !== '' && name.trim() !== ''
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-5">
      <LongTextField
        maxLength={VERSION_NOTE_MAX_CHARS}
        label={m.reason_for_sending_back()}
        value={reason}
        onChange={setReason}
      />
      <div>
        <Button
          variant="secondary"
          size="small"
          isBusy={busy === 'sendBack'}
          aria-disabled={!isComplete}
          onClick={() => isComplete && busy === null && onSendBack({ name, reason })}
        >
          {m.send_back_action()}
        </Button>
      </div>
    </div>
  )
}

/** Says who does it again because of a version. */
export function sayRetraining(retraining: Retraining): string {
  return m.retraining_of_version({ who: RETRAINING[retraining]() })
}
