import type { TutorStep } from './open-index.ts'

/** A sentence that was said, with the segments it comes from. */
export interface QuotedSentence {
  text: string
  segmentIds: readonly string[]
  startMs: number
}

/** An answer of the tutor. */
export interface TutorAnswer {
  /** Plain text for the chat. */
  text: string
  /** False where the tutor says that the video does not cover the question. */
  isCovered: boolean
  /** What the text rests on; empty for answers from steps. */
  sentences: readonly QuotedSentence[]
  /** The step to look at; null where there is none. */
  step: Pick<TutorStep, 'id' | 'title' | 'start'> | null
}

/** A moment of the video as people read it: 0:07, 12:30, 1:02:03. */
export function formatAnswerTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const parts = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60), whole % 60]
  const shown = parts[0] === 0 ? parts.slice(1) : parts
  return shown.map((part, at) => (at === 0 ? String(part) : String(part).padStart(2, '0'))).join(':')
}
