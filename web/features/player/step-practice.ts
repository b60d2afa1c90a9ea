import { type RefObject, useEffect, useRef } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import { findStepEnd, findStepIndex, type PlayerStep } from './player-step.ts'

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
    const { playOn, move } = mine
    const end = listen(video, { timeupdate: playOn, play: playOn, seeked: playOn, seeking: move })
    return () => {
      end()
      mine.stop()
    }
  }, [videoRef])
  useEffect(() => practice.current?.wish({ steps, isLooping, pausesAtEnds }), [steps, isLooping, pausesAtEnds])
}

interface PracticeWish {
  steps: readonly PlayerStep[]
  isLooping: boolean
  pausesAtEnds: boolean
}

/** A video reports its time about four times a second; a timer waits for an end that is nearer than this. */
const NEAR_END_S = 0.5
/** A viewer who is further past an end than this has sought there. */
const PAST_END_S = 1
/** A video that is about to end needs no pause. */
const VIDEO_END_S = 0.5

/** Loops one step, or pauses at the end of each. Its `move` is called whenever the time of the video changes. */
export class StepPractice {
  readonly #video: HTMLVideoElement
  #wish: PracticeWish = { steps: [], isLooping: false, pausesAtEnds: false }
  #timer: ReturnType<typeof setTimeout> | undefined
  /** While a step is looped it does not change by playing on. */
  #watchedId: string | undefined
  #heldId: string | undefined
  /** Where this has put the video back to, which is no wish of the viewer. */
  #putBackToS: number | undefined

  constructor(video: HTMLVideoElement) {
    this.#video = video
  }

  /** What is wanted now, from where the video is. */
  wish(wish: PracticeWish): void {
    this.#wish = wish
    this.move()
  }

  /** The video stands elsewhere: the viewer has gone there, or it was put back to the end of a step. */
  readonly move = (): void => {
    this.#watchedId = this.#findIdNow()
    if (this.#putBackToS !== this.#video.currentTime) this.#heldId = undefined
    this.#putBackToS = undefined
    this.playOn()
  }

  readonly playOn = (): void => {
    clearTimeout(this.#timer)
    const { steps, isLooping, pausesAtEnds } = this.#wish
    const video = this.#video
    if (video.paused || video.seeking || (!isLooping && !pausesAtEnds)) return
    const index = steps.findIndex((step) => step.id === this.#watchedId)
    const leftS = index < 0 ? 0 : findStepEnd(steps, index, video.duration) - video.currentTime
    if (leftS > 0) this.#waitForEnd(leftS)
    else if (index >= 0 && leftS > -PAST_END_S) this.#end(index)
    else this.#watchedId = this.#findIdNow()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #end(index: number): void {
    const video = this.#video
    const step = this.#wish.steps[index]
    if (step !== undefined && this.#wish.isLooping) video.currentTime = step.start
    else if (this.#heldId === this.#watchedId) this.#watchedId = this.#findIdNow()
    else {
      this.#heldId = this.#watchedId
      if (video.duration - video.currentTime > VIDEO_END_S) this.#pauseIn(index)
    }
  }

  #pauseIn(index: number): void {
    const video = this.#video
    const { steps } = this.#wish
    video.pause()
    if (findStepIndex(steps, video.currentTime) === index) return
    // A busy browser comes late, and the next step would already be shown.
    this.#putBackToS = findStepEnd(steps, index, video.duration)
    video.currentTime = this.#putBackToS
  }

  #waitForEnd(leftS: number): void {
    if (leftS < NEAR_END_S) this.#timer = setTimeout(this.playOn, (leftS * 1000) / this.#video.playbackRate)
  }

  #findIdNow(): string | undefined {
    const { steps } = this.#wish
    return steps[findStepIndex(steps, this.#video.currentTime)]?.id
  }
}
