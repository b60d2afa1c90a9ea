import type { SaidSegment, StepDraft } from '#worker/ports/step-writer.ts'
import type { StepRange } from './tidy-range.ts'

/** Segments that a draft may skip inside its passage; ids further off are taken for slips of the writer. */
const MAX_SKIPPED_SEGMENTS = 5
/** A greeting before the first draft joins it; what is longer was left out by mistake and becomes a step. */
const LEAD_IN_MS = 30_000

/**
 * Turns drafts into ranges that cover all segments without overlap. A range begins where its draft's passage begins
 * and runs to the next one; ids that do not exist are dropped, and of two drafts with one beginning the first wins.
 */
export function claimRanges(drafts: readonly StepDraft[], segments: readonly SaidSegment[]): StepRange[] {
  const indexes = new Map(segments.map((segment, index) => [segment.id, index]))
  const claims = new Map<number, StepDraft>()
  for (const draft of drafts) {
    const start = findPassageStart(draft, indexes)
    if (start !== null && !claims.has(start)) claims.set(start, draft)
  }
  const starts = [...claims.keys()].toSorted((left, right) => left - right)
  const ranges = starts.map((from, order): StepRange => {
    return { from, to: starts[order + 1] ?? segments.length, draft: claims.get(from) ?? null }
  })
  return coverLeadIn(ranges, segments)
}

/** The first segment of the draft's longest run of neighbouring segments. */
function findPassageStart(draft: StepDraft, indexes: ReadonlyMap<string, number>): number | null {
  const named = draft.segmentIds.flatMap((id) => indexes.get(id) ?? []).toSorted((left, right) => left - right)
  let best: number[] = []
  let run: number[] = []
  for (const index of named) {
    const isNear = index - (run.at(-1) ?? index) <= MAX_SKIPPED_SEGMENTS + 1
    run = isNear ? [...run, index] : [index]
    if (run.length > best.length) best = run
  }
  return best[0] ?? null
}

function coverLeadIn(ranges: readonly StepRange[], segments: readonly SaidSegment[]): StepRange[] {
  const [first, ...others] = ranges
  if (first === undefined) return [{ from: 0, to: segments.length, draft: null }]
  const leadInMs = (segments[first.from]?.startMs ?? 0) - (segments[0]?.startMs ?? 0)
  if (leadInMs <= LEAD_IN_MS) return [{ ...first, from: 0 }, ...others]
  return [{ from: 0, to: first.from, draft: null }, ...ranges]
}
