import { useId } from 'react'
import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import type { Step } from '#contract/step.ts'
import { validateAddedStep } from '#contract/step-editing.ts'
import { trimEndOf } from '#contract/trim-end.ts'
import { FormField, Input, Textarea } from '#web/ui/form-controls.tsx'
import { FormFrame, type QuestionFormProps, useStepForm } from './step-form.tsx'

/** Makes the words of a question another name of a step, under which the tutor finds it. */
export function AliasForm(props: QuestionFormProps) {
  const id = useId()
  const form = useStepForm({
    ...props,
    initialText: proposeAlias(props.group.text),
    findProblem: findAliasProblem,
    edit: addAlias,
    describe: (title) => `Alias added to “${title}”`,
  })
  const { field, text, setText, step, problems } = form
  return (
    <FormFrame title="Add as alias" submitLabel="Add alias" form={form} onCancel={props.onCancel}>
      <FormField
        id={`${id}-alias`}
        label="Alias"
        hint={step && `${step.aliases.length} of ${STEP_HARD_LIMITS.maxAliases} used`}
        problem={problems.text}
      >
        {(links) => <Input {...links} ref={field} value={text} onChange={({ target }) => setText(target.value)} />}
      </FormField>
    </FormFrame>
  )
}

function addAlias(step: Step, alias: string): Step {
  return { ...step, aliases: [...step.aliases, alias] }
}

function findAliasProblem(text: string, step: Step): string | undefined {
  const alias = text.trim()
  if (alias === '') return 'Alias is required'
  if (alias.includes(',')) return 'Add one alias at a time, without commas'
  const isThere = step.aliases.some((other) => other.toLowerCase() === alias.toLowerCase())
  return isThere ? 'This step has this alias already' : validateAddedStep(addAlias(step, alias)).aliases
}

/** Adds to the notes of a step, which only its owners read. */
export function NoteForm(props: QuestionFormProps) {
  const id = useId()
  const form = useStepForm({
    ...props,
    initialText: proposeNote(props.group.text),
    findProblem: findNoteProblem,
    edit: (of, note) => ({ ...of, notes: joinNotes(of.notes, note) }),
    describe: (title) => `Teaching note added to “${title}”`,
  })
  const { field, text, setText, step, problems } = form
  return (
    <FormFrame title="Add a teaching note" submitLabel="Add note" form={form} onCancel={props.onCancel}>
      {step !== undefined && step.notes !== '' && (
        <div className="text-sm">
          <p className="font-medium">Notes so far</p>
          <p className="mt-1 max-h-32 overflow-y-auto whitespace-pre-line text-ink-soft">{step.notes}</p>
        </div>
      )}
      <FormField
        id={`${id}-note`}
        label="New note"
        hint="Learners do not see it, and the tutor does not read it"
        problem={problems.text}
      >
        {(links) => (
          <Textarea
            {...links}
            ref={field}
            rows={3}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="field-sizing-content min-h-20"
          />
        )}
      </FormField>
    </FormFrame>
  )
}

function joinNotes(notes: string, note: string): string {
  return notes.trim() === '' ? note : `${notes.trimEnd()}\n${note}`
}

function findNoteProblem(text: string, { notes }: Step): string | undefined {
  const note = text.trim()
  if (note === '') return 'Write what you want to remember about this step'
  const tooLong = joinNotes(notes, note).length - STEP_HARD_LIMITS.notesMaxChars
  return tooLong > 0 ? `The notes of this step would be ${tooLong} characters too long` : undefined
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
  const asked = bare(question)
  const opening = OPENINGS.find(([begins]) => begins.test(asked))
  const named = opening === undefined ? asked : asked.replace(...opening)
  const title = named.length >= STEP_RULES.titleMinChars ? named : asked
  return cutAtWord(title.charAt(0).toUpperCase() + title.slice(1), STEP_RULES.titleMaxChars)
}

/** A question as another name of its step. Commas separate aliases. */
export function proposeAlias(question: string): string {
  return cutAtWord(bare(question.replaceAll(',', ' ')), STEP_HARD_LIMITS.aliasMaxChars)
}

/** A question as a note of its step. */
export function proposeNote(question: string): string {
  return bare(question)
}

function bare(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim()
  const plain = trimEndOf(line.replace(GREETING, ''), /[\s?!.…]/)
    .replace(COURTESY, '')
    .trim()
  return plain === '' ? line : plain
}

function cutAtWord(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const cut = text.slice(0, maxChars)
  const border = cut.lastIndexOf(' ')
  // A text without blanks is cut anywhere, but not through a character.
  return border > maxChars / 2 ? cut.slice(0, border) : cut.replace(/[\uD800-\uDBFF]$/, '')
}
