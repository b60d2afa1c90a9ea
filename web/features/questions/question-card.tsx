import { Check, ListPlus, type LucideIcon, NotebookPen, Tag } from 'lucide-react'
import { useId, useState } from 'react'
import type { QuestionGroup } from '#contract/questions.ts'
import { Button } from '#web/ui/button.tsx'
import { AliasForm } from './alias-form.tsx'
import { NoteForm } from './note-form.tsx'
import { proposeTitle } from './propose.ts'
import type { QuestionActions, QuestionFormProps } from './question-actions.ts'
import { QuestionFacts } from './question-facts.tsx'

type Way = 'step' | 'alias' | 'note'

interface QuestionCardProps extends QuestionActions {
  group: QuestionGroup
  /** The step at which it was asked; null for none. */
  stepId: string | null
  /** @param done what was done about it, for a message */
  onSettle: (group: QuestionGroup, done: string) => void
}

/** A question, and what can be made of it. What is made is shown first, to be changed. */
export function QuestionCard({ group, stepId, onSettle, ...actions }: QuestionCardProps) {
  const [way, setWay] = useState<Way | null>(null)
  const id = useId()
  function cancel() {
    setWay(null)
    document.getElementById(`${id}-${way}`)?.focus()
  }
  const choice = { id, group, way, onChoose: (next: Way) => setWay(way === next ? null : next) }
  const hasSteps = actions.steps.length > 0
  const form: QuestionFormProps = {
    group,
    stepId,
    steps: actions.steps,
    editStep: actions.editStep,
    onDone: (said) => onSettle(group, said),
    onCancel: cancel,
  }
  return (
    <li className="rounded-control border border-line p-3.5">
      <QuestionFacts group={group} onPlay={actions.onPlay} />
      <div className="mt-2 -ml-2 flex flex-wrap items-center gap-x-1 gap-y-1">
        <WayButton icon={ListPlus} label="Add a step" opens="step" {...choice} />
        {hasSteps && <WayButton icon={Tag} label="Add as alias" opens="alias" {...choice} />}
        {hasSteps && <WayButton icon={NotebookPen} label="Add a teaching note" opens="note" {...choice} />}
        <ActionButton icon={Check} label="Settled" text={group.text} onPress={() => onSettle(group, 'Settled')} />
      </div>
      {way === 'alias' && <AliasForm {...form} />}
      {way === 'note' && <NoteForm {...form} />}
      {way === 'step' && (
        <div className="mt-3 animate-rise">
          {actions.renderStepForm(
            { title: proposeTitle(group.text), startS: group.moments[0] ?? null, isManual: group.notCovered > 0 },
            { added: () => onSettle(group, 'The question is settled'), cancel },
          )}
        </div>
      )}
    </li>
  )
}

interface WayButtonProps {
  /** Begins its id. */
  id: string
  icon: LucideIcon
  label: string
  opens: Way
  group: QuestionGroup
  way: Way | null
  onChoose: (way: Way) => void
}

function WayButton({ id, icon, label, opens, group, way, onChoose }: WayButtonProps) {
  return (
    <ActionButton
      id={`${id}-${opens}`}
      icon={icon}
      label={label}
      text={group.text}
      isOpen={way === opens}
      onPress={() => onChoose(opens)}
    />
  )
}

interface ActionButtonProps {
  id?: string
  icon: LucideIcon
  label: string
  /** The question that the button is about, for screen readers. */
  text: string
  isOpen?: boolean
  onPress: () => void
}

function ActionButton({ id, icon: Icon, label, text, isOpen, onPress }: ActionButtonProps) {
  return (
    <Button
      variant="ghost"
      size="small"
      aria-label={`${label}: ${text}`}
      id={id}
      aria-expanded={isOpen}
      onClick={onPress}
      className="px-2! aria-expanded:bg-sunken aria-expanded:text-ink"
    >
      <Icon aria-hidden="true" className="size-4 @max-xs:hidden" />
      {label}
    </Button>
  )
}
