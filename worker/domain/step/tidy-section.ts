import type { SaidSegment, StepDraft } from '#worker/ports/step-writer.ts'
import type { SectionStep } from './section-step.ts'
import { findTakenOver } from './take-over.ts'
import { claimRanges } from './tidy-claims.ts'
import { mergeShortRanges, splitLongRanges } from './tidy-lengths.ts'
import { MAX_STEP_MS, type StepRange } from './tidy-range.ts'
import { joinText, orderSegments } from './tidy-segments.ts'
import { giveTexts } from './tidy-texts.ts'

interface Untidy {
  drafts: readonly StepDraft[]
  /** The transcript before the section, as its writer saw it; empty by default. */
  before?: readonly SaidSegment[]
  /** The section's own. */
  segments: readonly SaidSegment[]
  /** Length of the video; null while it is unknown. */
  durationMs: number | null
}

/**
 * Makes any writer's answer for one section safe: steps in time order that cover all usable segments, with legal
 * titles and descriptions, distinct within the section. Times come from segments only. Steps inside the section have
 * legal lengths; the last one, and a first one that continues, may be shorter than `STEP_RULES` allows, because what
 * they touch is in another section: `composeSteps` settles that. Pure.
 * @returns no step when nothing usable was said
 */
export function tidySection({ drafts, before = [], segments, durationMs }: Untidy): SectionStep[] {
  const said = orderSegments(segments, durationMs)
  if (said.length === 0) return []
  const ranges = splitLongRanges(mergeShortRanges(claimRanges(drafts, said), said), said)
  const texts = giveTexts(ranges, said)
  return ranges.map((range, index) => {
    const step = { ...spanRange(range, said), ...(texts[index] as { title: string; description: string }) }
    return index === 0 ? linkToBefore(step, range.draft, before) : { ...step, continues: false }
  })
}

function spanRange({ from, to }: StepRange, said: readonly SaidSegment[]) {
  const spoken = said.slice(from, to)
  const startMs = spoken[0]?.startMs ?? 0
  const endMs = said[to]?.startMs ?? spoken.at(-1)?.endMs ?? startMs
  return {
    segmentIds: spoken.map((segment) => segment.id),
    startMs,
    endMs: Math.min(endMs, startMs + MAX_STEP_MS),
    originalText: joinText(spoken),
  }
}

/** Whether and how the first step of a section reaches back. */
function linkToBefore(
  step: Omit<SectionStep, 'continues'>,
  draft: StepDraft | null,
  before: readonly SaidSegment[],
): SectionStep {
  if (draft?.continues === true) {
    return { ...step, continues: true, ...(draft.namesWhole === true ? { namesWhole: true } : {}) }
  }
  const takenOver = findTakenOver({ step, draft, before: orderSegments(before, step.startMs) })
  return { ...step, continues: false, ...(takenOver === null ? {} : { takenOver }) }
}
