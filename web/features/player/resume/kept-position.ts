import { type RefObject, useEffect } from 'react'
import { keepStored, listen, parseStored } from '#web/lib/browser-state.ts'
import { readStartTime } from './start-time.ts'

const POSITIONS_KEY = 'adapt_positions'
/** Of the videos that were seen last. */
const POSITIONS_MAX = 100
/** Within this distance of the start a viewer has not begun; within it of the end they have finished. */
const EDGE_S = 5
const KEEP_EVERY_MS = 5_000

/** The newest last. */
type Positions = readonly (readonly [id: string, seconds: number])[]

/**
 * Where a video begins: where the address says, else where it was left, else at its beginning.
 * @returns whether it is resumed, too: it starts where the viewer left off
 */
export function readBeginning(moduleId: string, query: URLSearchParams): { startAtS: number; isResumed: boolean } {
  const askedS = readStartTime(query)
  if (askedS !== null) return { startAtS: askedS, isResumed: false }
  const storedS = readPosition(moduleId)
  return { startAtS: storedS ?? 0, isResumed: storedS !== null }
}

export function readPosition(id: string): number | null {
  return readPositions().find(([each]) => each === id)?.[1] ?? null
}

/** @param durationS of the video; not a number while it is unknown */
export function keepPosition(id: string, seconds: number, durationS: number): void {
  const others = readPositions().filter(([each]) => each !== id)
  const isUnderway = seconds > EDGE_S && !(seconds > durationS - EDGE_S)
  const mine: Positions = isUnderway ? [[id, Math.floor(seconds)]] : []
  keepStored(POSITIONS_KEY, JSON.stringify([...others, ...mine].slice(-POSITIONS_MAX)))
}

function readPositions(): Positions {
  const positions = parseStored(POSITIONS_KEY)
  return Array.isArray(positions) ? positions.filter(isPosition) : []
}

function isPosition(value: unknown): value is Positions[number] {
  return Array.isArray(value) && typeof value[0] === 'string' && Number.isFinite(value[1]) && value[1] > 0
}

export function useKeptPosition(videoRef: RefObject<HTMLVideoElement | null>, id: string | undefined): void {
  useEffect(() => {
    const video = videoRef.current
    if (video === null || id === undefined) return
    let keptAtMs = 0
    let hasPlayed = false
    function keep() {
      // Before it plays it is where it begins, and while it loads at 0.
      if (video === null || id === undefined || !hasPlayed || video.readyState === 0) return
      keptAtMs = Date.now()
      keepPosition(id, video.ended ? 0 : video.currentTime, video.duration)
    }
    const ends = [
      listen(video, {
        play: () => void (hasPlayed = true),
        timeupdate: () => Date.now() - keptAtMs > KEEP_EVERY_MS && keep(),
        pause: keep,
        seeked: keep,
        ended: keep,
      }),
      listen(window, { pagehide: keep }),
      keep,
    ]
    return () => ends.forEach((end) => end())
  }, [videoRef, id])
}
