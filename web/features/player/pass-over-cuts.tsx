import { type RefObject, useEffect } from 'react'
import { skipCuts, skipCutsBack } from '#contract/time/skip-cuts.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import { listen } from '#web/lib/browser-state.ts'
import { countFromZero } from '#web/lib/count-from-zero.ts'

/** A video reports its time about four times a second; a timer waits for a cut that is nearer than this. */
const NEAR_S = 0.5
/** What ends where a cut begins, as a step that is played again, comes first. */
const AFTER_OTHERS_MS = 30
/** Browsers round where they are sent to. */
const ROUNDED_S = 0.05
/** Keys and buttons move by no more; who goes further back has chosen a place. */
const STEP_BACK_S = 30
/** Time to load what comes after a cut on a slow line. */
const LOAD_AHEAD_S = 10

interface PassOverCutsProps {
  videoRef: RefObject<HTMLVideoElement | null>
  cuts: Cuts
}

/** Plays over what is left out of a video, and never stands in it. */
export function PassOverCuts({ videoRef, cuts }: PassOverCutsProps): null {
  useEffect(() => (videoRef.current ? passOver(videoRef.current, cuts) : undefined), [videoRef, cuts])
  return null
}

/** @returns ends it */
export function passOver(video: HTMLVideoElement, cuts: Cuts): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastS = video.currentTime
  const next = openNext(video)

  function check() {
    clearTimeout(timer)
    const atS = video.currentTime
    // Files are measured a little longer than browsers play them.
    const shownS = Math.min(skipCuts(atS, cuts), video.duration || Number.POSITIVE_INFINITY)
    if (shownS - atS > ROUNDED_S) return leave(atS, shownS)
    if (!video.seeking) lastS = atS
    const [fromS, toS] = cuts.find(([from]) => from > atS) ?? []
    if (fromS === undefined || toS === undefined || video.paused) return
    const leftS = fromS - atS
    if (leftS < LOAD_AHEAD_S) next.load(toS)
    if (leftS < NEAR_S) timer = setTimeout(check, (leftS * 1000) / video.playbackRate + AFTER_OTHERS_MS)
  }
  function leave(atS: number, shownS: number) {
    const isStepBack = video.seeking && atS < lastS && lastS - atS <= STEP_BACK_S
    lastS = isStepBack ? skipCutsBack(atS, cuts) : shownS
    video.currentTime = lastS
  }
  const events = { loadedmetadata: check, timeupdate: check, play: check, seeking: check, seeked: check }
  // Another quality has other bytes, and a slow line none to spare.
  const end = listen(video, { ...events, emptied: () => next.end() })
  check()
  return () => {
    end()
    clearTimeout(timer)
    next.end()
  }
}

/** Loads what comes after a cut while the video still plays before it: browsers share bytes between videos of one address. */
function openNext(video: HTMLVideoElement) {
  let ahead: HTMLVideoElement | null = null
  let loadedS: number | null = null
  return {
    load(atS: number) {
      if (loadedS === atS) return
      loadedS = atS
      if (isBuffered(video, atS)) return
      ahead ??= openAhead(video.currentSrc)
      ahead.currentTime = atS
    },
    end() {
      // Ends what it loads.
      if (ahead !== null) ahead.src = ''
      ahead = null
      loadedS = null
    },
  }
}

function openAhead(src: string): HTMLVideoElement {
  const ahead = document.createElement('video')
  countFromZero(ahead)
  ahead.muted = true
  ahead.preload = 'auto'
  ahead.src = src
  return ahead
}

function isBuffered({ buffered }: HTMLVideoElement, atS: number): boolean {
  return Array.from({ length: buffered.length }, (_, at) => at).some(
    (at) => buffered.start(at) <= atS && atS < buffered.end(at),
  )
}
