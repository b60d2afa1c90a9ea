import { useRef, useState } from 'react'
import { VIDEO_URL_REFRESH_MAX } from '#contract/limits.ts'

/** `MediaError` codes that loading again can fix: network, decode, source not supported. */
const RECOVERABLE_CODES: ReadonlySet<number> = new Set([2, 3, 4])
/** A video that plays for this long has recovered, so a later failure in the session is retried too. */
const RECOVERED_AFTER_S = 10

export interface PlaybackRecovery {
  /** Loading again has not helped. */
  isBroken: boolean
  /** Where to start: the requested time, or the time of the last failure. */
  resumeAtS: number
  onPlaybackError: (code: number) => void
  onPlaybackTime: (seconds: number) => void
  retry: () => void
}

/** Loads a video that fails again, at most twice in a row. */
export function usePlaybackRecovery(startAtS: number, reload: () => void): PlaybackRecovery {
  const [isBroken, setIsBroken] = useState(false)
  const reloads = useRef(0)
  const brokeAtS = useRef<number | null>(null)
  const lastS = useRef(startAtS)
  const [resumeAtS, setResumeAtS] = useState(startAtS)

  return {
    isBroken,
    resumeAtS,
    onPlaybackError(code) {
      if (!RECOVERABLE_CODES.has(code)) return
      setResumeAtS(lastS.current)
      if (reloads.current >= VIDEO_URL_REFRESH_MAX) return setIsBroken(true)
      reloads.current += 1
      brokeAtS.current = lastS.current
      reload()
    },
    onPlaybackTime(seconds) {
      lastS.current = seconds
      if (brokeAtS.current !== null && seconds > brokeAtS.current + RECOVERED_AFTER_S) {
        reloads.current = 0
        brokeAtS.current = null
      }
    },
    retry() {
      reloads.current = 0
      setIsBroken(false)
      reload()
    },
  }
}
