import clsx from 'clsx'
import { Check, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { type ChecklistItem, findStageText, makeChecklist, type Pace } from './processing-stage.ts'
import { usePace } from './use-pace.ts'

interface ProcessingViewProps {
  /** 0–100. */
  progress: number
  /** The server's own words for what it does now; empty when it has not answered yet. */
  message: string
  onCheckAgain: () => void
  /** What has been found so far. */
  children?: ReactNode
}

/** What an uploaded video goes through, until its steps are here. */
export function ProcessingView({ progress, message, onCheckAgain, children }: ProcessingViewProps) {
  const pace = usePace()
  return (
    <div className="grid gap-4">
      <Card className="p-6 sm:p-8">
        <section aria-labelledby="processing-heading">
          <h2 id="processing-heading" className="sr-only">
            Processing
          </h2>
          <div className="flex items-start justify-between gap-4">
            <div className="min-w-0">
              <p role="status" className="text-xl font-semibold">
                {findStageText(progress)}
              </p>
              <p className="mt-1 min-h-6 text-sm text-ink-soft">{message}</p>
            </div>
            <p className="text-4xl leading-none font-semibold tracking-tight text-brand tabular-nums">{progress}%</p>
          </div>
          <Progress value={progress} label="Processing progress" className="mt-5" />
          <ul className="mt-7 grid gap-3.5">
            {makeChecklist(progress).map((item) => (
              <ChecklistRow key={item.label} {...item} />
            ))}
          </ul>
        </section>
      </Card>
      <PaceNote pace={pace} onCheckAgain={onCheckAgain} />
      {children}
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
    <li className={clsx('flex items-center gap-3', state === 'waiting' ? 'text-ink-faint' : 'text-ink')}>
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
      <span className={clsx(state === 'current' && 'font-medium')}>
        <span className="sr-only">{spoken}</span>
        {label}
      </span>
    </li>
  )
}

function PaceNote({ pace, onCheckAgain }: { pace: Pace; onCheckAgain: () => void }) {
  return (
    <div role="status">
      {pace === 'usual' && (
        <p className="text-center text-sm text-ink-soft">You can leave this page. We keep working on it.</p>
      )}
      {pace === 'slow' && (
        <SlowCard title="This is taking a little longer than usual">
          Longer videos and quiet recordings need more time. You can leave this page; nothing is lost.
        </SlowCard>
      )}
      {pace === 'overdue' && (
        <SlowCard title="Processing is taking longer than expected">
          It usually takes 30-60 seconds and can take up to 3 minutes. Long videos take longer. We keep trying, and this
          page shows the steps as soon as they are ready.
          <span className="mt-4 flex flex-wrap gap-3">
            <Button variant="secondary" size="small" onClick={onCheckAgain}>
              Check again
            </Button>
            <ButtonLink variant="secondary" size="small" to="/dashboard">
              Go to Dashboard
            </ButtonLink>
          </span>
        </SlowCard>
      )}
    </div>
  )
}

function SlowCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3.5 rounded-card bg-warn-soft p-4 text-sm text-warn-ink">
      <Clock aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>
        <p className="font-semibold">{title}</p>
        <div className="mt-1">{children}</div>
      </div>
    </div>
  )
}
