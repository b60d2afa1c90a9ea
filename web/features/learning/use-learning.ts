import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Learned, NOTHING_LEARNED } from './learned.ts'
import type { LearningLog } from './learning-log.ts'
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
 * @param load called once; null where nothing is counted, as for an owner
 */
export function useLearning(load: (() => Promise<LearningLog>) | null): Learning {
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
  const learned = useSyncExternalStore(log?.subscribe ?? subscribeToNothing, log?.getState ?? readNothing)
  const note = log?.note ?? ((event: PlaybackEvent) => void early.current.push(event))
  return { learned, onPlayback: loadLog === null ? undefined : note }
}
