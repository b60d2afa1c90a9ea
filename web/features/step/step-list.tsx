import clsx from 'clsx'
import { useState } from 'react'
import { formatTime, speakTime } from '#web/lib/format-time.ts'
import { Badge } from '#web/ui/badge.tsx'
import { KeepPlace } from './keep-place.tsx'
import type { ListedStep } from './listed-step.ts'

interface StepListProps {
  steps: readonly ListedStep[]
  currentId: string | null
  onJump: (step: ListedStep) => void
}

/** Steps in order. Each is one large button that jumps to its moment; `#step-N` leads to the N-th. */
export function StepList({ steps, currentId, onJump }: StepListProps) {
  const [firstIds] = useState(() => new Set(steps.map((step) => step.id)))
  return (
    <KeepPlace>
      <ol className="grid grid-cols-1 gap-2.5">
        {steps.map((step, index) => (
          <StepCard
            key={step.id}
            step={step}
            number={index + 1}
            isCurrent={step.id === currentId}
            isNew={!firstIds.has(step.id)}
            onJump={() => onJump(step)}
          />
        ))}
      </ol>
    </KeepPlace>
  )
}

interface StepCardProps {
  step: ListedStep
  number: number
  isCurrent: boolean
  /** Came while the list was shown. */
  isNew: boolean
  onJump: () => void
}

function StepCard({ step, number, isCurrent, isNew, onJump }: StepCardProps) {
  return (
    <li
      id={`step-${number}`}
      className={clsx(
        'group relative flex scroll-mt-(--step-scroll-margin,5rem) gap-3.5 rounded-card border p-4 shadow-card sm:gap-4',
        'transition-[border-color,background-color,box-shadow] duration-150 has-focus-visible:outline-2',
        'has-focus-visible:outline-offset-2 has-focus-visible:outline-brand',
        isNew && 'animate-rise',
        isCurrent
          ? 'border-accent bg-accent-soft'
          : 'border-line bg-surface hover:border-line-strong hover:shadow-lift',
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          'inline-flex size-8 shrink-0 items-center justify-center rounded-full text-sm font-semibold tabular-nums',
          isCurrent ? 'bg-accent-ink text-surface' : 'bg-sunken text-ink-soft group-hover:text-ink',
        )}
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-3">
          <button
            type="button"
            aria-current={isCurrent ? 'step' : undefined}
            onClick={onJump}
            className="min-w-0 flex-1 pt-1 text-left leading-snug font-semibold after:absolute after:inset-0 after:rounded-card focus-visible:outline-none"
          >
            <span className="sr-only">Step {number}: </span>
            {step.title}
            <span className="sr-only">, at {speakTime(step.start)}</span>
          </button>
          {step.isDraft && (
            <Badge tone="warn" className="mt-0.5">
              Draft
            </Badge>
          )}
          <StepTime seconds={step.start} isCurrent={isCurrent} />
        </div>
        {step.description !== '' && <p className="mt-1.5 text-sm leading-relaxed text-ink-soft">{step.description}</p>}
      </div>
    </li>
  )
}

/** The spoken form is part of the button's name, so this one is for the eyes. */
function StepTime({ seconds, isCurrent }: { seconds: number; isCurrent: boolean }) {
  return (
    <span
      aria-hidden="true"
      className={clsx(
        'mt-0.5 inline-flex h-6 shrink-0 items-center rounded-chip px-2 text-xs font-semibold tabular-nums',
        isCurrent ? 'bg-accent-ink text-surface' : 'bg-brand-soft text-brand-ink',
      )}
    >
      {formatTime(seconds)}
    </span>
  )
}
