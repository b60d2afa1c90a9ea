import { beforeEach, describe, expect, test, vi } from 'vitest'
import { StepPractice } from './step-practice.ts'

const STEPS = [
  { id: 'a', title: 'A', start: 0, end: 10 },
  { id: 'b', title: 'B', start: 10, end: 20 },
  { id: 'c', title: 'C', start: 20, end: 30 },
]

/** jsdom plays nothing: the test moves the time and says so. */
function makeVideo() {
  const video = { currentTime: 0, duration: 30, paused: false, seeking: false, playbackRate: 2, pause: vi.fn() }
  video.pause.mockImplementation(() => {
    video.paused = true
  })
  return video
}

let video: ReturnType<typeof makeVideo>
let practice: StepPractice

function reach(seconds: number) {
  video.currentTime = seconds
  practice.playOn()
}

function goTo(seconds: number) {
  video.currentTime = seconds
  practice.move()
}

beforeEach(() => {
  video = makeVideo()
  practice = new StepPractice(video as unknown as HTMLVideoElement)
})

describe('looping a step', () => {
  beforeEach(() => {
    video.currentTime = 12
    practice.wish({ steps: STEPS, isLooping: true, pausesAtEnds: true })
  })

  test('goes back to its beginning at its end, again and again', () => {
    reach(19.7)
    expect(video.currentTime).toBe(19.7)
    reach(19.9)
    expect(video.currentTime).toBe(10)
    goTo(10)
    reach(20.3)
    expect(video.currentTime).toBe(10)
    expect(video.pause).not.toHaveBeenCalled()
  })

  test('follows the viewer into another step, and loops the last one, too', () => {
    goTo(25)
    reach(29.9)
    expect(video.currentTime).toBe(20)
  })

  test('ends when it is switched off', () => {
    practice.wish({ steps: STEPS, isLooping: false, pausesAtEnds: false })
    reach(19.9)
    expect(video.currentTime).toBe(19.9)
  })
})

describe('pausing at the end of each step', () => {
  beforeEach(() => practice.wish({ steps: STEPS, isLooping: false, pausesAtEnds: true }))

  test('waits once at each end, and not at the end of the video', () => {
    reach(9.9)
    expect(video.pause).toHaveBeenCalledTimes(1)
    video.paused = false
    reach(9.95)
    reach(10.2)
    reach(19.9)
    expect(video.pause).toHaveBeenCalledTimes(2)
    video.paused = false
    reach(20.1)
    reach(29.9)
    expect(video.pause).toHaveBeenCalledTimes(2)
  })

  test('pauses inside the step that has ended, however late the time event comes, and resumes there', () => {
    reach(10.2)
    expect(video.currentTime).toBe(9.85)
    practice.move()
    video.paused = false
    reach(9.9)
    reach(10.2)
    expect(video.currentTime).toBe(10.2)
    expect(video.pause).toHaveBeenCalledTimes(1)
  })

  test('waits for a near end exactly, by the speed of the video', () => {
    vi.useFakeTimers()
    reach(9.45)
    video.currentTime = 9.86
    vi.advanceTimersByTime(190)
    expect(video.pause).not.toHaveBeenCalled()
    vi.advanceTimersByTime(20)
    expect(video.pause).toHaveBeenCalledTimes(1)
    vi.useRealTimers()
  })

  test('does not stop a viewer who seeks past an end', () => {
    goTo(9)
    goTo(15)
    reach(15.2)
    expect(video.pause).not.toHaveBeenCalled()
  })
})

describe('a step with a pause after it', () => {
  const APART = [
    { id: 'a', title: 'A', start: 0, end: 10 },
    { id: 'b', title: 'B', start: 25, end: 30 },
  ]

  test('is looped to its last word', () => {
    practice.wish({ steps: APART, isLooping: true, pausesAtEnds: false })
    reach(9.9)
    expect(video.currentTime).toBe(9.9)
    reach(10)
    expect(video.currentTime).toBe(0)
  })

  test('is waited for once at its last word, and the pause then plays on into the next', () => {
    practice.wish({ steps: APART, isLooping: false, pausesAtEnds: true })
    reach(9.9)
    expect(video.pause).not.toHaveBeenCalled()
    reach(10.1)
    expect(video.pause).toHaveBeenCalledTimes(1)
    video.paused = false
    for (const seconds of [10.3, 12, 20, 24.9, 25.1]) reach(seconds)
    expect(video.pause).toHaveBeenCalledTimes(1)
  })
})
