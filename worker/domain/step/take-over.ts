import type { SaidSegment, StepDraft } from '#worker/ports/step-writer.ts'
import { MAX_STEP_MS, MIN_STEP_MS } from './tidy-range.ts'
import { joinText } from './tidy-segments.ts'

/** How far before a section its first step may begin. Older segments were judged with half a minute after them. */
export const MAX_TAKEN_OVER_MS = 30_000

/** The last segments before a section, which its first step takes over from the unfinished step. */
export interface TakenOver {
  /** In time order. Never empty. */
  segmentIds: string[]
  /** When the first one starts. */
  startMs: number
  /** Their transcript, joined by spaces. */
  originalText: string
}

interface FirstStep {
  /** Times of what the step has in its own section. */
  step: { startMs: number; endMs: number }
  draft: StepDraft | null
  /** The transcript before the section, tidied. */
  before: readonly SaidSegment[]
}

/**
 * Finds what the first step of a section takes over: all from the earliest segment on that its draft names. Only a step
 * that is long enough without these segments may take them, so that it is valid whatever the section before has.
 * @returns null for nothing
 */
export function findTakenOver({ step, draft, before }: FirstStep): TakenOver | null {
  if (draft === null || step.endMs - step.startMs < MIN_STEP_MS) return null
  const saidUntilMs = before.at(-1)?.endMs ?? 0
  const named = new Set(draft.segmentIds)
  const from = before.findIndex(
    (segment) => named.has(segment.id) && saidUntilMs - segment.startMs <= MAX_TAKEN_OVER_MS,
  )
  const first = before[from]
  if (first === undefined || step.endMs - first.startMs > MAX_STEP_MS) return null
  const taken = before.slice(from)
  return { segmentIds: taken.map(({ id }) => id), startMs: first.startMs, originalText: joinText(taken) }
}
