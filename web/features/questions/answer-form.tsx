import { Crosshair } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import type { NewAnswer } from '#contract/feedback/questions.ts'
import { TRAINER_ANSWER_MAX_CHARS } from '#contract/limits.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Select, Textarea } from '#web/ui/form-controls.tsx'
import type { QuestionActions, Speech } from './question-forms.tsx'
import { StepOptions } from './step-options.tsx'

type GivenAnswer = Pick<NewAnswer, 'text' | 'stepId' | 'moment' | 'inPrint'>

/** What an answer can be given with: where it is shown, and how it is said. */
export type AnswerActions = Pick<QuestionActions, 'steps' | 'readTimeS' | 'renderDictation'>

interface AnswerFormProps extends AnswerActions {
  /** What it begins with. */
  first: GivenAnswer
  onAnswer: (answer: GivenAnswer) => Promise<unknown>
  onCancel: () => void
}

/** Answers a question once, for everybody who asks the same. */
export function AnswerForm({ first, onAnswer, onCancel, renderDictation, ...places }: AnswerFormProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(first.text)
  const [place, setPlace] = useState<AnswerPlace>({ stepId: first.stepId ?? null, moment: first.moment ?? null })
  const [inPrint, setInPrint] = useState(first.inPrint)
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [speech, setSpeech] = useState<Speech | null>(null)
  useEffect(() => field.current?.focus(), [])
  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || speech !== null) {
      // Written down first, so that nothing of it is lost and the trainer reads what everybody gets.
      speech?.stop()
      return
    }
    setIsChecked(true)
    if (text.trim() === '') {
      field.current?.focus()
      return
    }
    setIsBusy(true)
    await onAnswer({ text: text.trim(), ...place, inPrint })
    setIsBusy(false)
  }
  const problem = isChecked && text.trim() === '' ? m.write_an_answer() : undefined
  const hint = m.answer_is_for_everybody({ left: TRAINER_ANSWER_MAX_CHARS - text.length })
  return (
    <form
      noValidate
      aria-label={m.answer_it()}
      onSubmit={submit}
      className="mt-3 grid animate-rise grid-cols-1 gap-4 rounded-control bg-sunken p-3.5"
    >
      <FormField id={`${id}-text`} label={m.your_answer()} hint={hint} problem={problem}>
        {(links) => (
          <Textarea
            {...links}
            ref={field}
            rows={3}
            maxLength={TRAINER_ANSWER_MAX_CHARS}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="field-sizing-content min-h-20"
          />
        )}
      </FormField>
      {renderDictation((phrase) => setText((before) => addPhrase(before, phrase)), setSpeech)}
      <PlaceField {...places} place={place} onChoose={setPlace} />
      <label className="flex min-h-6 items-center gap-2 text-sm">
        <input type="checkbox" checked={inPrint} onChange={({ target }) => setInPrint(target.checked)} />
        {m.in_print_and_exports()}
      </label>
      <Decision isBusy={isBusy || speech?.isWriting === true} onCancel={onCancel} />
    </form>
  )
}

function Decision({ isBusy, onCancel }: Pick<AnswerFormProps, 'onCancel'> & { isBusy: boolean }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button variant="secondary" size="small" onClick={onCancel}>
        {m.cancel()}
      </Button>
      <Button type="submit" size="small" isBusy={isBusy}>
        {m.give_the_answer()}
      </Button>
    </div>
  )
}

function addPhrase(before: string, phrase: string): string {
  return [before.trimEnd(), phrase].filter(Boolean).join(' ').slice(0, TRAINER_ANSWER_MAX_CHARS)
}

/** A step, a moment of the video, or neither. */
interface AnswerPlace {
  stepId: string | null
  /** Seconds. */
  moment: number | null
}

/** Value of the option of the moment; no step id is like it. */
const MOMENT = '@moment'

interface PlaceFieldProps extends Omit<AnswerActions, 'renderDictation'> {
  place: AnswerPlace
  onChoose: (place: AnswerPlace) => void
}

/** Where the video shows what is answered: at the beginning of a step, or at the moment that it stands at. */
function PlaceField({ steps, readTimeS, place: { stepId, moment }, onChoose }: PlaceFieldProps) {
  const id = useId()
  const hasVideo = readTimeS() !== null
  if (steps.length === 0 && !hasVideo) return null
  function choose(value: string) {
    if (value !== MOMENT) onChoose({ stepId: value === '' ? null : value, moment: null })
  }
  function takeCurrent() {
    const timeS = readTimeS()
    if (timeS !== null) onChoose({ stepId: null, moment: Math.round(timeS * 10) / 10 })
  }
  return (
    <FormField id={id} label={m.shown_at_step()}>
      {(links) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <Select
            {...links}
            value={moment === null ? (stepId ?? '') : MOMENT}
            onChange={({ target }) => choose(target.value)}
            className="min-w-0 flex-1 basis-48"
          >
            <option value="">{m.shown_nowhere()}</option>
            {moment !== null && <option value={MOMENT}>{formatTime(moment)}</option>}
            <StepOptions steps={steps} />
          </Select>
          {hasVideo && (
            <Button variant="ghost" size="small" onClick={takeCurrent} className="-ms-2 px-2! text-brand-ink!">
              <Crosshair aria-hidden="true" className="size-4" />
              {m.use_current_time()}
            </Button>
          )}
        </div>
      )}
    </FormField>
  )
}
