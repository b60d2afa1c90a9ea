import { useIsMutating } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { SignOff, SignOffAnswer } from '#contract/records/sign-off.ts'
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
  const [judged, setJudged] = useState<Readonly<Record<string, Judgement>>>(() =>
    Object.fromEntries(sent?.steps.map(({ step, isShown, note }) => [step, { isShown, note }]) ?? []),
  )
  const [photos, setPhotos] = useState<Photos>(() =>
    Object.fromEntries(sent?.steps.map(({ step, photo }) => [step, photo]) ?? []),
  )
  const [name, setName] = useState(sent?.name ?? '')
  const [ownMeaning, setOwnMeaning] = useState(sent?.meaning ?? null)
  const isRefused = Object.values(judged).some(({ isShown }) => !isShown)
  // A photo that is still being sent belongs to the signature.
  const isBusy = useIsMutating({ mutationKey: PHOTO_KEY }) > 0 || isSigning
  const noteId = useId()
  const meaning = ownMeaning ?? (isRefused ? m.sign_off_meaning_again() : m.sign_off_meaning_shown())
  const isComplete = asked.every(({ id }) => id in judged) && name.trim() !== '' && meaning.trim() !== ''
  function sign(event: FormEvent) {
    event.preventDefault()
    if (!isComplete || isBusy) return
    onSign({ version: data.version.hash, seq: data.seq, steps: listJudged(judged, photos, isRefused), name, meaning })
  }
  // What was judged already stays.
  const judgeRest = () =>
    setJudged({ ...Object.fromEntries(asked.map(({ id }) => [id, { isShown: true, note: '' }])), ...judged })
  return (
    <form onSubmit={sign} className="grid grid-cols-1 gap-5">
      <ol className="grid grid-cols-1 gap-3">
        {asked.map((step) => (
          <li key={step.id}>
            <StepJudgement
              step={step}
              number={data.steps.indexOf(step) + 1}
              before={data.notes[step.id]}
              judgement={judged[step.id] ?? null}
              onChange={(judgement) => setJudged({ ...judged, [step.id]: judgement })}
            />
            {mayHavePhoto(judged[step.id], isRefused) && (
              <StepPhoto
                {...{ subject, noteId }}
                number={data.steps.indexOf(step) + 1}
                hash={photos[step.id]}
                onChange={(hash) => setPhotos((before) => ({ ...before, [step.id]: hash }))}
              />
            )}
          </li>
        ))}
      </ol>
      <p id={noteId} className="text-xs text-ink-soft">
        {m.sign_off_photo_note()}
      </p>
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

/** By the ids of steps, hashes of photos that were sent. */
type Photos = Readonly<Record<string, string | undefined>>

/** Where steps are asked for again, nothing is recorded of the others. */
function mayHavePhoto(judgement: Judgement | undefined, isRefused: boolean): judgement is Judgement {
  return judgement !== undefined && !(isRefused && judgement.isShown)
}

function listJudged(
  judged: Readonly<Record<string, Judgement>>,
  photos: Photos,
  isRefused: boolean,
): SignOff['steps'] {
  return Object.entries(judged).map(([step, judgement]) => {
    const { isShown, note } = judgement
    const photo = mayHavePhoto(judgement, isRefused) ? photos[step] : undefined
    return { step, isShown, note: isShown ? '' : note, ...(photo !== undefined && { photo }) }
  })
}

interface StepJudgementProps {
  step: Step
  number: number
  /** What was said when it was refused last. */
  before: string | undefined
  judgement: Judgement | null
  onChange: (judgement: Judgement) => void
}

function StepJudgement({ step, number, before, judgement, onChange }: StepJudgementProps) {
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
    </fieldset>
  )
}
