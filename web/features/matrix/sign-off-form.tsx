import { useIsMutating } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { SIGNED_PHOTOS_MAX, type SignOff, type SignOffAnswer } from '#contract/records/sign-off.ts'
import { RECORD_WORDS_MAX_CHARS } from '#contract/records/training-record.ts'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { LongTextField, NameField } from '#web/ui/text-fields.tsx'
import type { SignOffSubject } from './matrix-query.ts'
import { PHOTO_KEY, StepPhoto } from './step-photo.tsx'

interface Judgement {
  isShown: boolean
  note: string
}

/** By the ids of steps. */
type Judged = Readonly<Record<string, Judgement>>
/** Hashes of photos that were sent, by the ids of steps. */
type Photos = Readonly<Record<string, string | undefined>>

interface SignOffFormProps {
  subject: SignOffSubject
  data: SignOffAnswer
  /** What the form begins with. */
  sent?: SignOff
  isBusy: boolean
  onSign: (signOff: SignOff) => void
  onClose: () => void
}

/** Judges each step that has to be shown, and signs that. */
export function SignOffForm({ subject, data, sent, isBusy: isSigning, onSign, onClose }: SignOffFormProps) {
  const asked = data.steps.filter(({ id }) => data.asked.includes(id))
  const [judged, setJudged] = useState<Judged>(() =>
    Object.fromEntries(sent?.steps.map(({ step, isShown, note }) => [step, { isShown, note }]) ?? []),
  )
  const [photos, setPhotos] = useState<Photos>(() =>
    Object.fromEntries(sent?.steps.map(({ step, photo }) => [step, photo]) ?? []),
  )
  const [name, setName] = useState(sent?.name ?? '')
  const [ownMeaning, setOwnMeaning] = useState(() => (sent && !isProposed(sent) ? sent.meaning : null))
  const isRefused = Object.values(judged).some(({ isShown }) => !isShown)
  // A photo that is still being sent belongs to the signature.
  const isBusy = useIsMutating({ mutationKey: PHOTO_KEY }) > 0 || isSigning
  const meaning = ownMeaning ?? (isRefused ? m.sign_off_meaning_again() : m.sign_off_meaning_shown())
  const isComplete = asked.every(({ id }) => id in judged) && name.trim() !== '' && meaning.trim() !== ''
  function sign(event: FormEvent) {
    event.preventDefault()
    if (!isComplete || isBusy) return
    onSign({ version: data.version.hash, seq: data.seq, steps: listJudged(judged, photos), name, meaning })
  }
  // What was judged already stays.
  const judgeRest = () =>
    setJudged({ ...Object.fromEntries(asked.map(({ id }) => [id, { isShown: true, note: '' }])), ...judged })
  return (
    <form onSubmit={sign} className="grid grid-cols-1 gap-5">
      <JudgedSteps
        {...{ subject, data, asked, judged, photos }}
        onJudge={(step, judgement) => setJudged({ ...judged, [step]: judgement })}
        onPhoto={(step, hash) => setPhotos((before) => ({ ...before, [step]: hash }))}
      />
      <div>
        <Button variant="secondary" size="small" onClick={judgeRest}>
          {m.sign_off_all_shown()}
        </Button>
      </div>
      <LongTextField
        label={m.sign_off_meaning()}
        value={meaning}
        maxLength={RECORD_WORDS_MAX_CHARS}
        onChange={setOwnMeaning}
      />
      <NameField name={name} onChange={setName} />
      <p className="rounded-control bg-sunken p-3 text-sm wrap-anywhere">
        {m.sign_off_preview({ name: name.trim() || '…', meaning })}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={onClose}>
          {m.cancel()}
        </Button>
        <Button type="submit" isBusy={isBusy} aria-disabled={!isComplete}>
          {isRefused ? m.sign_off_again_action() : m.sign_off_action()}
        </Button>
      </div>
    </form>
  )
}

/** Whether a signature means what the form proposes, which follows from how the steps are judged. */
function isProposed({ meaning }: SignOff): boolean {
  return [m.sign_off_meaning_again(), m.sign_off_meaning_shown()].includes(meaning)
}

function listJudged(judged: Judged, photos: Photos): SignOff['steps'] {
  return Object.entries(judged).map(([step, { isShown, note }]) => {
    const photo = photos[step]
    return { step, isShown, note: isShown ? '' : note, ...(photo !== undefined && { photo }) }
  })
}

interface JudgedStepsProps extends Pick<SignOffFormProps, 'subject' | 'data'> {
  asked: readonly Step[]
  judged: Judged
  photos: Photos
  onJudge: (step: string, judgement: Judgement) => void
  onPhoto: (step: string, hash: string | undefined) => void
}

function JudgedSteps({ subject, data, asked, judged, photos, onJudge, onPhoto }: JudgedStepsProps) {
  const noteId = useId()
  const mayHave = (id: string) => id in judged
  const withPhoto = asked.filter(({ id }) => photos[id] !== undefined).length
  const isFull = withPhoto >= SIGNED_PHOTOS_MAX
  return (
    <>
      <ol className="grid grid-cols-1 gap-3">
        {asked.map((step) => {
          const number = data.steps.indexOf(step) + 1
          return (
            <li key={step.id}>
              <StepJudgement
                {...{ step, number }}
                before={data.notes[step.id]}
                judgement={judged[step.id] ?? null}
                onChange={(judgement) => onJudge(step.id, judgement)}
              >
                {mayHave(step.id) && !(isFull && photos[step.id] === undefined) && (
                  <StepPhoto
                    {...{ subject, number, noteId }}
                    hash={photos[step.id]}
                    onChange={(hash) => onPhoto(step.id, hash)}
                  />
                )}
              </StepJudgement>
            </li>
          )
        })}
      </ol>
      {asked.some(({ id }) => mayHave(id)) && (
        <p id={noteId} className="text-xs text-ink-soft">
          {m.sign_off_photo_note()}
          {isFull && ` ${m.sign_off_photos_full({ most: SIGNED_PHOTOS_MAX })}`}
        </p>
      )}
    </>
  )
}

interface StepJudgementProps {
  step: Step
  number: number
  /** What was said when it was refused last. */
  before: string | undefined
  judgement: Judgement | null
  onChange: (judgement: Judgement) => void
  children: ReactNode
}

function StepJudgement({ step, number, before, judgement, onChange, children }: StepJudgementProps) {
  const name = useId()
  const note = judgement?.note ?? before ?? ''
  const choices = [
    { isShown: true, label: m.sign_off_step_shown() },
    { isShown: false, label: m.sign_off_step_again() },
  ]
  return (
    <fieldset className="rounded-card border border-line p-4">
      <legend className="sr-only">{step.title}</legend>
      <p aria-hidden="true" className="font-medium wrap-anywhere">
        {number}. <span dir="auto">{step.title}</span>
      </p>
      <p dir="auto" className="mt-1 text-sm wrap-anywhere text-ink-soft">
        {step.description}
      </p>
      <div className="mt-2 flex flex-wrap gap-x-5 last:-mb-2">
        {choices.map(({ isShown, label }) => (
          <label key={label} className="flex min-h-10 cursor-pointer items-center gap-2 text-sm font-medium">
            <input
              type="radio"
              name={name}
              checked={judgement?.isShown === isShown}
              onChange={() => onChange({ isShown, note })}
              className="size-4 accent-brand"
            />
            {label}
          </label>
        ))}
      </div>
      {before !== undefined && before !== '' && judgement?.isShown !== false && (
        <p dir="auto" className="text-sm wrap-anywhere text-warn-ink">
          {before}
        </p>
      )}
      {judgement?.isShown === false && (
        <LongTextField
          label={m.sign_off_note()}
          value={judgement.note}
          maxLength={RECORD_WORDS_MAX_CHARS}
          onChange={(text) => onChange({ isShown: false, note: text })}
        />
      )}
      {children}
    </fieldset>
  )
}
