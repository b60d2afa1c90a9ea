import type { SaidSegment, StepDraft } from '#worker/ports/step-writer.ts'
import { claimRanges } from './tidy-claims.ts'
import { mergeShortRanges, splitLongRanges } from './tidy-lengths.ts'
import { MAX_STEP_MS, MIN_STEP_MS } from './tidy-range.ts'
import { joinText, orderSegments } from './tidy-segments.ts'
import { giveTexts } from './tidy-texts.ts'

/** A step that keeps every rule of `STEP_RULES` and can be stored as it is. Times are whole milliseconds. */
export interface TidyStep {
  title: string
  description: string
  startMs: number
  endMs: number
  /** Every segment said during the step, in time order; no segment is in two steps. */
  segmentIds: string[]
  /** What was said in those segments, joined by spaces. */
  originalText: string
}

interface Untidy {
  drafts: readonly StepDraft[]
  segments: readonly SaidSegment[]
  /** Length of the video; null when nobody knows it yet, then the last word counts as its end. */
  durationMs: number | null
}

/** Silence after the last word that still belongs to the last step; more is an end card. */
const TAIL_MS = 30_000

/**
 * Makes any writer's answer safe: steps in time order without overlap, inside the video, each within
 * `STEP_RULES`, titles distinct. Times come from segments only: a step starts with its first segment and lasts
 * until the next one starts. With no usable draft the whole narration is still covered. Pure.
 * @returns no step when nothing was said, or when the video is too short for one
 */
export function tidySteps({ drafts, segments, durationMs }: Untidy): TidyStep[] {
  const said = orderSegments(segments, durationMs)
  const videoEndMs = durationMs !== null && durationMs > 0 ? Math.floor(durationMs) : (said.at(-1)?.endMs ?? 0)
  if (said.length === 0 || videoEndMs < MIN_STEP_MS) return []
  const claimed = mergeShortRanges(claimRanges(drafts, said), said, videoEndMs)
  const ranges = splitLongRanges(claimed, said, videoEndMs)
  const texts = giveTexts(ranges, said)
  return ranges.map((range, index) => {
    const spoken = said.slice(range.from, range.to)
    const nextStartMs = said[range.to]?.startMs ?? null
    const segmentIds = spoken.map((segment) => segment.id)
    const times = giveTimes(spoken, nextStartMs, videoEndMs)
    return {
      ...(texts[index] as { title: string; description: string }),
      ...times,
      segmentIds,
      originalText: joinText(spoken),
    }
  })
}

function giveTimes(spoken: readonly SaidSegment[], nextStartMs: number | null, videoEndMs: number) {
  const firstMs = spoken[0]?.startMs ?? 0
  const spokenEndMs = spoken.at(-1)?.endMs ?? firstMs
  // Only a video whose first word comes in its last seconds has too little room after the start.
  const startMs = nextStartMs === null ? Math.min(firstMs, videoEndMs - MIN_STEP_MS) : firstMs
  const tailEndMs = videoEndMs - spokenEndMs <= TAIL_MS ? videoEndMs : Math.max(spokenEndMs, startMs + MIN_STEP_MS)
  return { startMs, endMs: Math.min(nextStartMs ?? tailEndMs, startMs + MAX_STEP_MS) }
}
