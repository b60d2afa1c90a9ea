import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Learned, NOTHING_LEARNED } from './learned.ts'
import type { LearningDeps, LearningLog } from './learning-log.ts'
import type { PlaybackEvent } from './play-tracker.ts'

interface Learning {
  learned: Learned
  /** For the player; undefined where nothing is counted. */
  onPlayback: ((event: PlaybackEvent) => void) | undefined
}

const subscribeToNothing = () => () => {}
const readNothing = () => NOTHING_LEARNED

/**
 * Counts what is played on this page for as long as it is shown. What counts is loaded after the page: nothing can be
 * played before the player, which comes last.
 * @param makeDeps asked once; null where nothing is counted, as for an owner
 */
export function useLearning(makeDeps: () => LearningDeps | null): Learning {
  const [deps] = useState(makeDeps)
  const [log, setLog] = useState<LearningLog | null>(null)
  const early = useRef<PlaybackEvent[]>([])
  useEffect(() => {
    if (deps === null) return
    let close: (() => void) | undefined = () => {}
    void import('./learning-log.ts').then(({ LearningLog }) => {
      if (close === undefined) return
      const opened = new LearningLog(deps)
      close = opened.open()
      for (const event of early.current.splice(0)) opened.note(event)
      setLog(opened)
    })
    return () => {
      close?.()
      close = undefined
    }
  }, [deps])
  const learned = useSyncExternalStore(log?.subscribe ?? subscribeToNothing, log?.getState ?? readNothing)
  const note = log?.note ?? ((event: PlaybackEvent) => void early.current.push(event))
  return { learned, onPlayback: deps === null ? undefined : note }
}
