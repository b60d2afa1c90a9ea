import clsx from 'clsx'
import { Check } from 'lucide-react'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { PaceNote } from './pace-note.tsx'
import { type ChecklistItem, findStageText, makeChecklist, type Pace } from './processing-stage.ts'

interface ProcessingViewProps {
  /** 0–100. */
  progress: number
  /** The server's own words for what it does now; empty when it has not answered yet. */
  message: string
  pace: Pace
  onCheckAgain: () => void
}

/** What an uploaded video goes through, until its first steps are here. */
export function ProcessingView({ progress, message, pace, onCheckAgain }: ProcessingViewProps) {
  return (
    <div className="@container grid gap-4">
      <Card className="p-5 sm:p-6">
        <section aria-labelledby="processing-heading">
          <h2 id="processing-heading" className="sr-only">
            Processing
          </h2>
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <p role="status" className="text-lg font-semibold sm:text-xl">
                {findStageText(progress)}
              </p>
              <p className="mt-0.5 min-h-5 text-sm text-ink-soft">{message}</p>
            </div>
            <p className="text-3xl leading-none font-semibold tracking-tight text-brand tabular-nums sm:text-4xl">
              {progress}%
            </p>
          </div>
          <Progress value={progress} label="Processing progress" className="mt-4" />
          <ul className="mt-5 grid gap-3 @2xl:grid-cols-5">
            {makeChecklist(progress).map((item) => (
              <ChecklistRow key={item.label} {...item} />
            ))}
          </ul>
        </section>
      </Card>
      <PaceNote pace={pace} onCheckAgain={onCheckAgain} />
    </div>
  )
}

const MARKS = {
  done: { spoken: 'Done: ', icon: <Check aria-hidden="true" className="size-3.5" strokeWidth={3} /> },
  current: { spoken: 'In progress: ', icon: <Spinner className="size-4" /> },
  waiting: { spoken: 'To do: ', icon: null },
} as const

function ChecklistRow({ label, state }: ChecklistItem) {
  const { spoken, icon } = MARKS[state]
  return (
    <li
      className={clsx(
        'flex items-center gap-3 text-sm @2xl:items-start @2xl:gap-2',
        state === 'waiting' ? 'text-ink-faint' : 'text-ink',
      )}
    >
      <span
        className={clsx(
          'inline-flex size-6 shrink-0 items-center justify-center rounded-full transition-colors',
          state === 'done' && 'bg-brand text-on-brand',
          state === 'current' && 'text-brand',
          state === 'waiting' && 'border border-line',
        )}
      >
        {icon}
      </span>
      <span className={clsx('@2xl:pt-0.5', state === 'current' && 'font-medium')}>
        <span className="sr-only">{spoken}</span>
        {label}
      </span>
    </li>
  )
}
