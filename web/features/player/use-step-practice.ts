import { type RefObject, useEffect, useRef } from 'react'
import { type PracticeWish, StepPractice } from './step-practice.ts'

/** Plays one step again and again, or waits at the end of each, as the learner wants it. */
export function useStepPractice(
  videoRef: RefObject<HTMLVideoElement | null>,
  { steps, isLooping, pausesAtEnds }: PracticeWish,
): void {
  const practice = useRef<StepPractice | null>(null)
  useEffect(() => {
    const video = videoRef.current
    if (video === null) return
    const mine = new StepPractice(video)
    practice.current = mine
    const over = new AbortController()
    for (const type of ['timeupdate', 'play', 'seeked']) {
      video.addEventListener(type, mine.playOn, { signal: over.signal })
    }
    video.addEventListener('seeking', mine.move, { signal: over.signal })
    return () => {
      over.abort()
      mine.stop()
    }
  }, [videoRef])
  useEffect(() => practice.current?.wish({ steps, isLooping, pausesAtEnds }), [steps, isLooping, pausesAtEnds])
}
