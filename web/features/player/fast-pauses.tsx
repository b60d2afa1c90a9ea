import { type RefObject, useEffect } from 'react'
import type { TimeRanges } from '#contract/time/time-ranges.ts'
import { listen } from '#web/lib/browser-state.ts'
import { RATES, readSettings } from './player-settings.ts'

/** How much faster what is between two lines is played. */
const FASTER = 1.25
/** A breath is no pause. */
const PAUSE_MIN_S = 2.5
/** The times of speech are about as exact as that, and a video reports its own four times a second. */
const AROUND_S = 0.4

interface FastPausesProps {
  videoRef: RefObject<HTMLVideoElement | null>
  captionsUrl: string
}

/** Plays faster where nobody speaks for a while, as the captions tell. */
export function FastPauses({ videoRef, captionsUrl }: FastPausesProps): null {
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return
    const stop = new AbortController()
    let end = () => {}
    readPauses(captionsUrl, stop.signal).then(
      (pauses) => (end = hasten(video, pauses)),
      // Without captions no pause is known, and all of it is played as it is.
      (error: unknown) => !stop.signal.aborted && console.info('The pauses of this video are not known', error),
    )
    return () => {
      stop.abort()
      end()
    }
  }, [videoRef, captionsUrl])
  return null
}

async function readPauses(captionsUrl: string, signal: AbortSignal): Promise<TimeRanges> {
  const answer = await fetch(captionsUrl, { signal })
  // not-shown: for developers.
  if (!answer.ok) throw new Error(`The captions answer ${answer.status}`)
  return findPauses(await answer.text())
}

const TIMES = /^(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> (?:(\d+):)?(\d\d):(\d\d\.\d{3})/gm

/** Finds where nobody speaks between two captions. What is before the first and after the last is not known. @param vtt WebVTT */
export function findPauses(vtt: string): TimeRanges {
  const pauses: [number, number][] = []
  let spokenUntilS: number | null = null
  for (const [, h1, m1, s1, h2, m2, s2] of vtt.matchAll(TIMES)) {
    const [startS, endS] = [toSeconds(h1, m1, s1), toSeconds(h2, m2, s2)]
    if (spokenUntilS !== null && startS - spokenUntilS >= PAUSE_MIN_S)
      pauses.push([spokenUntilS + AROUND_S, startS - AROUND_S])
    spokenUntilS = Math.max(spokenUntilS ?? 0, endS)
  }
  return pauses
}

function toSeconds(hours = '0', minutes = '0', seconds = '0'): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/**
 * Plays pauses faster than the viewer has chosen, which the rest of the player does not hear of: it keeps and shows what
 * was chosen.
 * @returns ends it
 */
export function hasten(video: HTMLVideoElement, pauses: TimeRanges): () => void {
  const fastest = RATES.at(-1) ?? 1
  const chosen = () => readSettings().rate
  function setRate() {
    // What was chosen is heard of a moment later.
    if (video.playbackRate !== knownRate) return
    const isPause = pauses.some(([from, to]) => from <= video.currentTime && video.currentTime < to)
    const rate = isPause ? Math.min(fastest, chosen() * FASTER) : chosen()
    if (video.playbackRate === rate) return
    ownRate = rate
    knownRate = rate
    video.playbackRate = rate
  }
  let ownRate: number | null = null
  let knownRate = video.playbackRate
  function hideOwn(event: Event) {
    if (event.target !== video) return
    if (video.playbackRate === ownRate) event.stopPropagation()
    ownRate = null
    knownRate = video.playbackRate
  }
  // The event does not bubble, but is caught on its way to the video.
  const endHiding = listen(document, { ratechange: hideOwn }, { capture: true })
  const end = listen(video, { timeupdate: setRate, seeked: setRate, ratechange: setRate })
  setRate()
  return () => {
    end()
    const rate = chosen()
    if (video.playbackRate !== rate) video.playbackRate = rate
    endHiding()
  }
}
