import { useUser } from '@clerk/react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import * as m from '#messages'
import { nameOf } from '#web/features/auth/name-of.ts'
import { collectionsQuery } from '#web/features/collection/collection-queries.ts'
import { modulePagesQuery } from '#web/features/module/module-queries.ts'
import { type AssignmentDraft, EMPTY_ASSIGNMENT, readDraft } from '#web/features/people/assignment-draft.ts'
import { useAssign } from '#web/features/people/assignment-queries.ts'
import { GroupBoxes } from '#web/features/people/group-boxes.tsx'
import { groupsQuery } from '#web/features/people/people-queries.ts'
import { PersonBoxes } from '#web/features/people/person-boxes.tsx'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input, Select } from '#web/ui/form-controls.tsx'
import { Switch } from '#web/ui/switch.tsx'

interface PartProps {
  draft: AssignmentDraft
  onChange: (change: Partial<AssignmentDraft>) => void
}

/** Asks for what is assigned to whom. */
export function AssignDialog({ onClose }: { onClose: () => void }) {
  const { user } = useUser()
  const [draft, setDraft] = useState(EMPTY_ASSIGNMENT)
  const [isRefused, setIsRefused] = useState(false)
  const { data: groups = [] } = useQuery(groupsQuery(useApi()))
  const assign = useAssign()
  const read = readDraft(draft)
  const onChange = (change: Partial<AssignmentDraft>) => setDraft({ ...draft, ...change })
  function submit(event: FormEvent) {
    event.preventDefault()
    setIsRefused(true)
    if (read === null || assign.isPending) return
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    assign.mutate({ ...read, byName: nameOf(user), timeZone }, { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onOpenChange={onClose} title={m.assign_training()}>
      <form onSubmit={submit} className="grid grid-cols-1 gap-5">
        <SubjectField {...{ draft, onChange }} />
        <GroupBoxes groups={groups} chosen={draft.groupIds} onChange={(groupIds) => onChange({ groupIds })} />
        <PersonBoxes chosen={draft.personIds} onChange={(personIds) => onChange({ personIds })} />
        <RuleBoxes {...{ draft, onChange }} />
        <DueFields {...{ draft, onChange }} />
        <Switch
          label={m.assign_counts_earlier()}
          description={m.assign_counts_earlier_hint()}
          isOn={draft.countsEarlier}
          onChange={(countsEarlier) => onChange({ countsEarlier })}
        />
        {isRefused && read === null && (
          <p role="alert" className="text-sm font-medium text-danger-ink">
            {m.assign_needs_what_and_whom()}
          </p>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            {m.cancel()}
          </Button>
          <Button type="submit" isBusy={assign.isPending}>
            {m.assign_action()}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** The trainings and collections of the organization. */
function SubjectField({ draft: { subject }, onChange }: PartProps) {
  const id = useId()
  const callApi = useApi()
  const { data: collections = [] } = useQuery(collectionsQuery(callApi))
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery(modulePagesQuery(callApi, ''))
  const modules = (data?.pages ?? []).flatMap((page) => page.modules).filter(({ status }) => status === 'READY')
  function choose(value: string) {
    if (value === 'more') return void fetchNextPage()
    const [kind = '', ...rest] = value.split(':')
    const isSubject = kind === 'training' || kind === 'collection'
    onChange({ subject: isSubject ? { kind, id: rest.join(':') } : null })
  }
  return (
    <FormField id={id} label={m.assign_what()}>
      {(links) => (
        <Select
          {...links}
          value={subject === null ? '' : `${subject.kind}:${subject.id}`}
          onChange={({ target }) => choose(target.value)}
        >
          <option value="">{m.assign_choose()}</option>
          {collections.length > 0 && (
            <optgroup label={m.collections()}>
              {collections.map((each) => (
                <option key={each.id} value={`collection:${each.id}`}>
                  {each.title}
                </option>
              ))}
            </optgroup>
          )}
          <optgroup label={m.assign_trainings()}>
            {modules.map((each) => (
              <option key={each.id} value={`training:${each.id}`}>
                {each.title}
              </option>
            ))}
            {hasNextPage && <option value="more">{m.load_more()}</option>}
          </optgroup>
        </Select>
      )}
    </FormField>
  )
}

const RULES = [
  ['reached', m.rule_reached()],
  ['confirmed', m.rule_confirmed()],
  ['signedOff', m.rule_signed_off()],
] as const

function RuleBoxes({ draft: { rule }, onChange }: PartProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{m.done_when()}</legend>
      {RULES.map(([part, label]) => (
        <label key={part} className="flex min-h-9 items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            checked={rule[part]}
            onChange={({ target }) => onChange({ rule: { ...rule, [part]: target.checked } })}
            className="size-4 accent-brand"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

function DueFields({ draft: { dueKind, day, days, months }, onChange }: PartProps) {
  const id = useId()
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
      <FormField id={`${id}-due`} label={m.due_label()}>
        {(links) => (
          <Select
            {...links}
            value={dueKind}
            onChange={({ target }) => onChange({ dueKind: target.value as AssignmentDraft['dueKind'] })}
          >
            <option value="none">{m.due_none()}</option>
            <option value="day">{m.due_day()}</option>
            <option value="days">{m.due_days()}</option>
          </Select>
        )}
      </FormField>
      {dueKind === 'day' && (
        <FormField id={`${id}-day`} label={m.due_day()}>
          {(links) => (
            <Input {...links} type="date" value={day} onChange={({ target }) => onChange({ day: target.value })} />
          )}
        </FormField>
      )}
      {dueKind === 'days' && (
        <FormField id={`${id}-days`} label={m.due_days()}>
          {(links) => (
            <Input
              {...links}
              type="number"
              min={1}
              value={days}
              onChange={({ target }) => onChange({ days: target.value })}
            />
          )}
        </FormField>
      )}
      <div className="sm:col-span-2">
        <FormField id={`${id}-months`} label={m.again_every_months()} hint={m.may_be_empty()}>
          {(links) => (
            <Input
              {...links}
              type="number"
              min={1}
              max={120}
              value={months}
              onChange={({ target }) => onChange({ months: target.value })}
            />
          )}
        </FormField>
      </div>
    </div>
  )
}
