import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TROUBLE_SENTENCE } from './name-failure.ts'
import type { TurnFailure } from './turn.ts'

interface FailureNoteProps {
  /** Null for one of an earlier visit. */
  failure: TurnFailure | null
  isBusy: boolean
  onRetry: () => void
}

/** Shows why an answer is missing or incomplete, with a button to retry. */
export function FailureNote({ failure, isBusy, onRetry }: FailureNoteProps) {
  const waitS = useSecondsUntil(failure?.kind === 'limited' ? failure.retryAtMs : 0)
  return (
    <div className="mt-1 grid justify-items-start gap-2">
      {failure !== null && <p>{describeFailure(failure)}</p>}
      <Button variant="secondary" size="small" aria-disabled={isBusy || waitS > 0 || undefined} onClick={onRetry}>
        <RotateCw aria-hidden="true" className="size-4" />
        <span className="tabular-nums">{waitS > 0 ? `Ask again in ${waitS} s` : 'Ask again'}</span>
      </Button>
    </div>
  )
}

/** @see specification §8 */
export function describeFailure(failure: TurnFailure): string {
  if (failure.kind === 'limited') return failure.message
  if (failure.kind === 'offline') return 'You are offline. Ask again as soon as the connection is back.'
  return TROUBLE_SENTENCE
}

function useSecondsUntil(atMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  const leftS = Math.max(0, Math.ceil((atMs - nowMs) / 1_000))
  const isWaiting = leftS > 0
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => setNowMs(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isWaiting])
  return leftS
}
