import { CircleStop, SearchX, Unplug } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { AnswerText } from './answer-text.tsx'
import { FailureNote } from './failure-note.tsx'
import { isRunning, type Turn } from './turn.ts'

/** An answer that can be rated. */
export interface RatedAnswer {
  turnId: string
  question: string
  answer: string
}

interface TurnViewProps {
  turn: Turn
  stepStarts: readonly number[]
  /** No question can be sent at the moment. */
  isBusy: boolean
  onPlay: (seconds: number) => void
  onRetry: (turn: Turn) => void
  renderRating: (rated: RatedAnswer) => ReactNode
}

/** A question and what became of it. */
export const TurnView = memo(function TurnView({
  turn,
  stepStarts,
  isBusy,
  onPlay,
  onRetry,
  renderRating,
}: TurnViewProps) {
  const { question, text, meta, state, failure } = turn
  return (
    <li className="grid grid-cols-1 gap-2.5">
      <p className="ml-8 justify-self-end rounded-card rounded-br-chip bg-brand-soft px-3 py-2 whitespace-pre-wrap text-brand-ink wrap-anywhere">
        <span className="sr-only">You asked: </span>
        {question}
      </p>
      <div className="min-w-0 leading-relaxed">
        <span className="sr-only">The tutor: </span>
        {state === 'waiting' && <Typing />}
        {meta?.isCovered === false && (
          <p className="mb-1 flex items-center gap-1.5 text-xs font-medium text-ink-soft">
            <SearchX aria-hidden="true" className="size-3.5" />
            Not in this video
          </p>
        )}
        {text !== '' && <AnswerText {...{ text, meta, stepStarts, onPlay }} />}
        {state === 'stopped' && (
          <Mark icon={<CircleStop aria-hidden="true" className="size-3.5" />} says="This answer was stopped." />
        )}
        {state === 'broken' && (
          <Mark icon={<Unplug aria-hidden="true" className="size-3.5" />} says="The answer broke off here." />
        )}
        {(state === 'failed' || state === 'broken') && (
          <FailureNote failure={failure} isBusy={isBusy} onRetry={() => onRetry(turn)} />
        )}
        {!isRunning(turn) && state !== 'failed' && text !== '' && (
          <div className="mt-1 flex min-h-8 flex-wrap items-center gap-x-1">
            <CopyButton variant="ghost" size="small" about="this answer" text={text} className="-ml-3" />
            {state === 'complete' && renderRating({ turnId: turn.turnId, question, answer: text })}
          </div>
        )}
      </div>
    </li>
  )
})

/** Before the first word. As high as the line that comes. */
function Typing() {
  return (
    <p className="flex h-6.5 items-center gap-1">
      <span className="sr-only">is typing</span>
      {[0, 150, 300].map((delayMs) => (
        <span
          key={delayMs}
          aria-hidden="true"
          className="size-1.5 animate-shimmer rounded-full bg-ink-soft"
          style={{ animationDelay: `${delayMs}ms` }}
        />
      ))}
    </p>
  )
}

function Mark({ icon, says }: { icon: ReactNode; says: string }) {
  return (
    <p className="mt-1.5 flex items-center gap-1.5 text-xs font-medium text-ink-soft">
      {icon}
      {says}
    </p>
  )
}
