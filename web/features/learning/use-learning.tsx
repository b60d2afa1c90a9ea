import { CircleCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import type { StepSpan } from '#contract/step-progress.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import * as m from '#messages'
import { useStore } from '#web/lib/use-store.ts'
import { Badge } from '#web/ui/card.tsx'
import type { Learned } from './learned.ts'
import type { LearningLog } from './learning-log.ts'
import type { PlaybackEvent } from './play-tracker.ts'

const EMPTY = createStore((): Learned => ({ seen: [], isCompleted: false }))
const NOTHING_JUDGED: LearningLog['judge'] = { percentOf: () => null, isStepFinished: () => false }

/**
 * Counts what is played on this page for as long as it is shown. What counts is loaded after the page: nothing can be
 * played before the player, which comes last.
 * @param load called once; null where nothing is counted, as for an owner
 */
export function useLearning(load: (() => Promise<LearningLog>) | null) {
  const [loadLog] = useState(() => load)
  const [log, setLog] = useState<LearningLog | null>(null)
  const early = useRef<PlaybackEvent[]>([])
  useEffect(() => {
    if (loadLog === null) return
    let close: (() => void) | undefined = () => {}
    void loadLog().then((opened) => {
      if (close === undefined) return
      close = opened.open()
      for (const event of early.current.splice(0)) opened.note(event)
      setLog(opened)
    })
    return () => {
      close?.()
      close = undefined
    }
  }, [loadLog])
  const learned = useStore(log?.store ?? EMPTY)
  const note = log?.note ?? ((event: PlaybackEvent) => void early.current.push(event))
  /** For the player; undefined where nothing is counted. */
  const onPlayback = loadLog === null ? undefined : note
  const { percentOf, isStepFinished } = log?.judge ?? NOTHING_JUDGED
  return {
    learned,
    /** Null while it is not known. */
    percentOf: (durationS: number | null, cuts: Cuts) => percentOf(learned, durationS, cuts),
    isFinished: (step: StepSpan, cuts: Cuts) => isStepFinished(learned, step, cuts),
    onPlayback,
  }
}

export type Learning = ReturnType<typeof useLearning>

interface LearnedMarkProps {
  learned: Learned
  /** Null while it is not known. */
  percent: number | null
}

/** How much of the video a learner has seen. Nothing for who has seen nothing. */
export function LearnedMark({ learned, percent }: LearnedMarkProps) {
  const isShown = percent !== null && learned.seen.length > 0
  return (
    <span className="inline-flex h-6 items-center gap-2 text-sm font-normal">
      {isShown && <span className="text-ink-soft tabular-nums">{m.percent_watched({ percent })}</span>}
      <span role="status">
        {learned.isCompleted && (
          <Badge tone="brand">
            <CircleCheck aria-hidden="true" className="size-3.5" />
            {m.completed_state()}
          </Badge>
        )}
      </span>
    </span>
  )
}
