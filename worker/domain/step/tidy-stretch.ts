import type { SaidSegment, StepDraft } from '#worker/ports/step-writer.ts'
import type { StretchStep } from './stretch-step.ts'
import { claimRanges } from './tidy-claims.ts'
import { mergeShortRanges, splitLongRanges } from './tidy-lengths.ts'
import { MAX_STEP_MS } from './tidy-range.ts'
import { joinText, orderSegments } from './tidy-segments.ts'
import { giveTexts } from './tidy-texts.ts'

interface Untidy {
  drafts: readonly StepDraft[]
  /** The stretch's own. */
  segments: readonly SaidSegment[]
  /** Length of the video; null when nobody knows it yet. */
  durationMs: number | null
}

/**
 * Makes any writer's answer for one stretch safe: steps in time order that cover all usable segments, with legal
 * titles and descriptions, distinct within the stretch. Times come from segments only. Steps inside the stretch have
 * legal lengths; the last one, and a first one that continues, may be shorter than `STEP_RULES` allows, because what
 * they touch is in another stretch: `composeSteps` settles that. Pure.
 * @returns no step when nothing usable was said
 */
export function tidyStretch({ drafts, segments, durationMs }: Untidy): StretchStep[] {
  const said = orderSegments(segments, durationMs)
  if (said.length === 0) return []
  const ranges = splitLongRanges(mergeShortRanges(claimRanges(drafts, said), said), said)
  const texts = giveTexts(ranges, said)
  return ranges.map((range, index) => {
    const spoken = said.slice(range.from, range.to)
    const startMs = spoken[0]?.startMs ?? 0
    const endMs = said[range.to]?.startMs ?? spoken.at(-1)?.endMs ?? startMs
    return {
      segmentIds: spoken.map((segment) => segment.id),
      startMs,
      endMs: Math.min(endMs, startMs + MAX_STEP_MS),
      ...(texts[index] as { title: string; description: string }),
      originalText: joinText(spoken),
      continues: index === 0 && range.draft?.continues === true,
    }
  })
}
