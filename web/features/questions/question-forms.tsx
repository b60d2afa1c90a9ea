import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import type { QuestionGroup } from '#contract/feedback/questions.ts'
import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { validateAddedStep } from '#contract/step-editing.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { FormField, Input, Select, Textarea } from '#web/ui/form-controls.tsx'
import { StepOptions } from './step-options.tsx'

interface QuestionFormKind {
  title: string
  submitLabel: string
  label: string
  hint: (step: Step | undefined) => ReactNode
  isLong: boolean
  propose: (question: string) => string
  findProblem: (text: string, step: Step) => string | undefined
  edit: (step: Step, text: string) => Step
  /** What has been done, by the title of the step. */
  describe: (title: string) => string
}

/** Makes the words of a question another name of a step, under which the tutor finds it. */
export const ALIAS_FORM: QuestionFormKind = {
  title: m.add_as_alias(),
  submitLabel: m.add_alias(),
  label: m.alias(),
  hint: (step) =>
    step && m.length_of_maxaliases_used({ length: step.aliases.length, maxAliases: STEP_HARD_LIMITS.maxAliases }),
  isLong: false,
  propose: proposeAlias,
  findProblem: findAliasProblem,
  edit: addAlias,
  describe: (title) => m.alias_added_to_title({ title }),
}

/** Adds to the notes of a step, which only its owners read. */
export const NOTE_FORM: QuestionFormKind = {
  title: m.add_a_teaching_note(),
  submitLabel: m.add_note(),
  label: m.new_note(),
  hint: (step) => (step?.notesQuotable ? m.tutor_may_quote_notes_of_step() : m.learners_do_not_see_it()),
  isLong: true,
  propose: proposeNote,
  findProblem: findNoteProblem,
  edit: (of, note) => ({ ...of, notes: joinNotes(of.notes, note), notesEdited: true }),
  describe: (title) => m.teaching_note_added_to_title({ title }),
}

function addAlias(step: Step, alias: string): Step {
  return { ...step, aliases: [...step.aliases, alias] }
}

function findAliasProblem(text: string, step: Step): string | undefined {
  const alias = text.trim()
  if (alias === '') return m.alias_is_required()
  if (alias.includes(',')) return m.add_one_alias_at_a()
  const isThere = step.aliases.some((other) => other.toLowerCase() === alias.toLowerCase())
  return isThere ? m.this_step_has_this_alias() : validateAddedStep(addAlias(step, alias)).aliases
}

function joinNotes(notes: string, note: string): string {
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n${note}`
}

function findNoteProblem(text: string, { notes }: Step): string | undefined {
  const note = text.trim()
  if (note === '') return m.write_what_you_want_to()
  const tooLong = joinNotes(notes, note).length - STEP_RULES.notesMaxChars
  return tooLong > 0 ? m.the_notes_of_this_step({ tooLong }) : undefined
}

type Typed = { target: { value: string } }

/** A step that could answer a question. */
export interface StepProposal {
  title: string
  /** Seconds; null where the moment of the question is not known. */
  startS: number | null
  /** The video does not have it. */
  isManual: boolean
}

/** What the page around the panel does for it. */
export interface QuestionActions {
  steps: readonly Step[]
  /** Changes one step as it is by then. @returns whether it stays so */
  editStep: (id: string, edit: (step: Step) => Step) => Promise<boolean>
  /** Draws the form for a missing step, which begins with the proposal. */
  renderStepForm: (proposal: StepProposal, on: { added: () => void; cancel: () => void }) => ReactNode
  /** Plays the video from there; undefined where there is none. */
  onPlay: ((seconds: number) => void) | undefined
  /** Seconds that the video shows; null while there is none. */
  readTimeS: () => number | null
  /** Draws what takes down speech. @param onSpeech with null once all of it is written down */
  renderDictation: (onPhrase: (text: string) => void, onSpeech: (speech: Speech | null) => void) => ReactNode
}

/** Speech that is not all written down. */
export interface Speech {
  /** It has ended, and is being transcribed. */
  isWriting: boolean
  stop: () => void
}

interface QuestionFormProps extends Pick<QuestionActions, 'steps' | 'editStep'> {
  kind: QuestionFormKind
  group: QuestionGroup
  /** The step at which it was asked, as far as it is still there. */
  stepId: string | null
  /** @param notice what has been done, for a message */
  onDone: (notice: string) => void
  onCancel: () => void
}

/** Problems appear beside their fields after the first attempt to save. */
function useQuestionForm({ kind, group, stepId, steps, editStep, onDone }: QuestionFormProps) {
  const [text, setText] = useState(() => kind.propose(group.text))
  const [chosenId, setChosenId] = useState(stepId)
  const [isChecked, setIsChecked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const ref = useRef<HTMLFormElement>(null)
  const step = steps.find(({ id }) => id === chosenId)
  const problems = {
    step: step === undefined ? m.choose_a_step() : undefined,
    text: step && kind.findProblem(text, step),
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setIsChecked(true)
    if (step === undefined || problems.text !== undefined) {
      setTimeout(() => ref.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
      return
    }
    setIsBusy(true)
    const isSaved = await editStep(step.id, (now) => kind.edit(now, text.trim()))
    setIsBusy(false)
    if (isSaved) onDone(kind.describe(step.title))
  }
  return { ref, text, setText, step, setChosenId, problems: isChecked ? problems : null, isBusy, submit }
}

/** Puts the caret behind the proposed text, so that the owner can continue it. */
function useFocusAtEnd() {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [])
  return field
}

/** What is proposed for a question and its step: to be changed, and either kept or not. */
export function QuestionForm(props: QuestionFormProps) {
  const id = useId()
  const { kind, steps, onCancel } = props
  const { ref, text, setText, step, setChosenId, problems, isBusy, submit } = useQuestionForm(props)
  const field = useFocusAtEnd()
  return (
    <form
      ref={ref}
      noValidate
      aria-labelledby={id}
      onSubmit={submit}
      className="mt-3 grid animate-rise grid-cols-1 gap-4 rounded-control bg-sunken p-3.5"
    >
      <h4 id={id} className="text-sm font-semibold">
        {kind.title}
      </h4>
      <FormField id={`${id}-step`} label={m.step_noun()} problem={problems?.step}>
        {(links) => (
          <Select {...links} value={step?.id ?? ''} onChange={({ target }) => setChosenId(target.value)}>
            {step === undefined && <option value="">{m.choose_a_step()}</option>}
            <StepOptions steps={steps} />
          </Select>
        )}
      </FormField>
      {kind.isLong && step !== undefined && step.notes !== '' && (
        <div className="text-sm">
          <p className="font-medium">{m.notes_so_far()}</p>
          <p dir="auto" className="mt-1 max-h-32 overflow-y-auto whitespace-pre-line text-ink-soft">
            {step.notes}
          </p>
        </div>
      )}
      <FormField id={`${id}-text`} label={kind.label} hint={kind.hint(step)} problem={problems?.text}>
        {(links) => {
          const typed = { ref: field, value: text, onChange: (event: Typed) => setText(event.target.value), ...links }
          if (!kind.isLong) return <Input {...typed} />
          return <Textarea {...typed} rows={3} className="field-sizing-content min-h-20" />
        }}
      </FormField>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" size="small" onClick={onCancel}>
          {m.cancel()}
        </Button>
        <Button type="submit" size="small" isBusy={isBusy}>
          {isBusy ? m.adding() : kind.submitLabel}
        </Button>
      </div>
    </form>
  )
}

const GREETING = /^(?:(?:hi|hello|hey|ok|okay|so|and|but|sorry|excuse me|please)\b[\s,!.:-]*)+/i
const COURTESY = /[\s,]*(?:please|thanks|thank you)[\s!.]*$/i
/** How questions begin that ask for a way, a thing or a place, and what is left of them as the name of a step. */
const OPENINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:can|could|would) you (?:please )?(?:show|tell|explain to) (?:me|us) how (?:to|i|we|you) (?:can )?/i, ''],
  [/^how (?:do|does|can|could|should|would|must) (?:i|we|you|one) /i, ''],
  [/^how to /i, ''],
  [/^where (?:do|can|could|should) (?:i|we|you|one) /i, ''],
  [/^where(?:'s|’s| is) (.+)$/i, 'Where $1 is'],
  [/^where are (.+)$/i, 'Where $1 are'],
  [/^what(?:'s|’s| is| are| was| were) /i, ''],
]

/** A question as a step could be called: "How do I lift the car?" becomes "Lift the car". */
export function proposeTitle(question: string): string {
  const subject = bare(question)
  const opening = OPENINGS.find(([begins]) => begins.test(subject))
  const action = opening === undefined ? subject : subject.replace(...opening)
  const title = action.length >= STEP_RULES.titleMinChars ? action : subject
  return cutAtWord(title.charAt(0).toUpperCase() + title.slice(1), STEP_RULES.titleMaxChars)
}

/** A question as another name of its step. Commas separate aliases. */
export function proposeAlias(question: string): string {
  return cutAtWord(bare(question.replaceAll(',', ' ')), STEP_HARD_LIMITS.aliasMaxChars)
}

export function proposeNote(question: string): string {
  return bare(question)
}

function bare(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const [words = ''] = /^.*[^\s?!.…]/u.exec(line.replace(GREETING, '')) ?? []
  const plain = words.replace(COURTESY, '').trim()
  return plain === '' ? line : plain
}

function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const border = cut.lastIndexOf(' ')
  // A text without blanks is cut anywhere, but not through a character.
  return border > maxChars / 2 ? cut.slice(0, border) : cut.replace(/[\uD800-\uDBFF]$/, '')
}
