import { useEffect, useState, useSyncExternalStore } from 'react'
import { type Learned, NOTHING_LEARNED } from './learned.ts'
import { type LearningDeps, LearningLog } from './learning-log.ts'
import type { PlaybackEvent } from './play-tracker.ts'

interface Learning {
  learned: Learned
  /** For the player; undefined where nothing is counted. */
  onPlayback: ((event: PlaybackEvent) => void) | undefined
}

const subscribeToNothing = () => () => {}
const readNothing = () => NOTHING_LEARNED

/**
 * Counts what is played on this page for as long as it is shown.
 * @param makeDeps asked once; null where nothing is counted, as for an owner
 */
export function useLearning(makeDeps: () => LearningDeps | null): Learning {
  const [log] = useState(() => {
    const deps = makeDeps()
    return deps === null ? null : new LearningLog(deps)
  })
  useEffect(() => log?.open(), [log])
  const learned = useSyncExternalStore(log?.subscribe ?? subscribeToNothing, log?.getState ?? readNothing)
  return { learned, onPlayback: log?.note }
}
