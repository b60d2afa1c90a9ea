import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import type { QuestionGroup, QuestionPlace } from '#contract/questions.ts'
import { Button } from '#web/ui/button.tsx'
import type { QuestionActions } from './question-actions.ts'
import { QuestionCard } from './question-card.tsx'

/** Questions shown per place at first: the most pressing ones, so that a step with many does not hide the next. */
const FIRST_SHOWN = 3

interface QuestionPlaceSectionProps {
  place: QuestionPlace
  actions: QuestionActions
  onSettle: (group: QuestionGroup, done: string) => void
}

/** What was asked at one step. */
export function QuestionPlaceSection({ place, actions, onSettle }: QuestionPlaceSectionProps) {
  const id = useId()
  const [isAllShown, setIsAllShown] = useState(false)
  const { step, groups } = place
  const shown = isAllShown ? groups : groups.slice(0, FIRST_SHOWN)
  const left = groups.length - FIRST_SHOWN
  return (
    <section aria-labelledby={id} className="mt-5">
      <h3 id={id} className="text-sm font-semibold wrap-anywhere">
        <PlaceName place={place} />
      </h3>
      <ul className="mt-2 grid grid-cols-1 gap-3">
        {shown.map((group) => (
          <QuestionCard key={group.id} group={group} stepId={step?.id ?? null} onSettle={onSettle} {...actions} />
        ))}
      </ul>
      {left > 0 && (
        <Button
          variant="ghost"
          size="small"
          aria-expanded={isAllShown}
          onClick={() => setIsAllShown(!isAllShown)}
          className="mt-2 -ml-2 px-2!"
        >
          <ChevronDown aria-hidden="true" className={clsx('size-4', isAllShown && 'rotate-180')} />
          {describeMore(left, isAllShown ? 'all' : 'first')}
        </Button>
      )}
    </section>
  )
}

function describeMore(left: number, shown: 'all' | 'first'): string {
  if (shown === 'all') return 'Show fewer questions'
  return left === 1 ? 'Show one more question' : `Show ${left} more questions`
}

function PlaceName({ place: { kind, step } }: { place: QuestionPlace }) {
  if (step === null) return kind === 'video' ? 'About the whole video' : 'At steps that are gone'
  return (
    <>
      <span className="mr-1 font-normal text-ink-faint tabular-nums">
        <span className="sr-only">Step </span>
        {step.number}
      </span>{' '}
      {step.title}
    </>
  )
}
