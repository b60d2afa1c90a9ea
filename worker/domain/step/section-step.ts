import { STEP_RULES } from '#contract/limits.ts'
import type { stepProposals, steps } from '#worker/db/schema.ts'
import type { SaidSegment, StepDraft } from '#worker/ports/language-model.ts'

/** A step as it is stored. */
export type StepRow = typeof steps.$inferSelect

/** A step that is ready to be stored; its module, place and version are given by the store. */
export type StepToStore = Omit<StepRow, 'moduleId' | 'position' | 'addedVersion'>

/** A step that a new run offers. */
export type ProposalRow = typeof stepProposals.$inferSelect

/** Consecutive segments that make one step, and the draft that asked for them. */
export interface StepRange {
  /** Index of the first segment. */
  from: number
  /** Index after the last segment. */
  to: number
  /** Null where no draft spoke for the segments. */
  draft: StepDraft | null
}

/** Shortest step, in milliseconds. */
export const MIN_STEP_MS = STEP_RULES.minDurationS * 1_000
/** One second under the limit, so that a step stays legal when an editor rounds both of its ends to whole seconds. */
export const MAX_STEP_MS = (STEP_RULES.maxDurationS - 1) * 1_000

/** No recogniser or caption holds one line for longer; a segment that claims to is cut, so that steps can be split. */
const MAX_SEGMENT_MS = 240_000

/** Segments as steps can be built on: whole milliseconds, in time order, inside the video, not overlapping, not empty. */
export function orderSegments(segments: readonly SaidSegment[], durationMs: number | null): SaidSegment[] {
  const limitMs = durationMs !== null && durationMs > 0 ? Math.floor(durationMs) : Number.POSITIVE_INFINITY
  const seen = new Set<string>()
  const usable = segments
    .map((segment) => ({ ...segment, text: cleanText(segment.text) }))
    .filter(({ id, startMs, endMs, text }) => {
      const isTimed = Number.isFinite(startMs) && Number.isFinite(endMs) && endMs > 0
      return isTimed && startMs < limitMs && text !== '' && !seen.has(id) && seen.add(id)
    })
    .toSorted((left, right) => left.startMs - right.startMs)
  return usable.map((segment, index) => {
    const startMs = Math.max(0, Math.floor(segment.startMs))
    const nextMs = Math.max(0, Math.floor(usable[index + 1]?.startMs ?? limitMs))
    const endMs = Math.min(Math.floor(segment.endMs), startMs + MAX_SEGMENT_MS, nextMs, limitMs)
    return { ...segment, startMs, endMs: Math.max(startMs, endMs) }
  })
}

/** Joins the transcript of some segments to one line of text. */
export function joinText(segments: readonly SaidSegment[]): string {
  return segments.map((segment) => segment.text).join(' ')
}

/** Makes any text one line of valid characters. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** How far before a section its first step may begin. Older segments were judged with half a minute after them. */
const MAX_TAKEN_OVER_MS = 30_000

/** The last segments before a section, which its first step takes over from the unfinished step. */
type TakenOver = Pick<SectionStep, 'segmentIds' | 'startMs' | 'originalText'>

/**
 * Finds what the first step of a section takes over: all from the earliest segment on that its draft names. Only a step
 * that is long enough without these segments may take them, so that it is valid whatever the section before has.
 * @param step what it has in its own section
 * @param before the transcript before the section, tidied
 * @returns null for nothing
 */
export function findTakenOver(
  step: Pick<SectionStep, 'startMs' | 'endMs'>,
  draft: StepDraft | null,
  before: readonly SaidSegment[],
): TakenOver | null {
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

/** A step as one section of the narration knows it; its ends may still move when the neighbours are there. JSON-safe. */
export interface SectionStep {
  /** Every segment said during the step, in time order; no segment is in two steps. Never empty. */
  segmentIds: string[]
  /** Whole milliseconds of the video: when the first segment starts. */
  startMs: number
  /** When the next step of the section starts; of the last one, when its last segment ends. */
  endMs: number
  title: string
  description: string
  /** The transcript of the segments, joined by spaces. */
  originalText: string
  /** Continues the last step of the section before; only ever true of the first step. */
  continues: boolean
  /** Of one that continues: title and description are those of the whole step, from where it began. */
  namesWhole?: boolean
  /**
   * Of the first step of a section that does not continue: it began before the section, with this. It is not among the
   * step's segments, times and text, since it belongs to the step that was under way unless that can do without it.
   */
  takenOver?: TakenOver
}

/** A section of the narration as far as its steps are written. */
export interface WrittenSection {
  /** Null while they are not written; empty when nothing usable was said. */
  steps: readonly SectionStep[] | null
  /** Written by the extractive engine because the language model failed. */
  isDraft: boolean
}

/** Steps of neighbouring sections that are one step of the video, in time order. Never empty. */
export interface StepChain {
  members: SectionStep[]
  /** Gives the chain its id; what is put before it later does not change that. */
  anchor: SectionStep
  isDraft: boolean
  /** What it begins with before its first member: the end of the chain before it. */
  takenOver: TakenOver | null
  /** What the chain after it begins with: the end of its members. */
  givenAway: TakenOver | null
}

/** Chains without a hole between them. */
export interface ChainBlock {
  chains: StepChain[]
  /** What is before the block: nothing, a section that is not written, or one that is not given. */
  after: 'start' | 'gap' | 'cut'
  /** False where sections after it are not written. */
  reachesEnd: boolean
}

/**
 * Joins what continues to what it continues, from left to right, as long as the joined step stays legal; what does not
 * fit begins a step of its own. What continues a step that is not there is left out.
 * @param sections consecutive; a section begins where the one before has ended
 * @param after `cut` when there are sections before the first one that is given
 */
export function chainSteps(sections: readonly WrittenSection[], after: 'start' | 'cut'): ChainBlock[] {
  const blocks: ChainBlock[] = [{ chains: [], after, reachesEnd: true }]
  for (const { steps, isDraft } of sections) {
    const block = blocks.at(-1) as ChainBlock
    if (steps === null) {
      block.reachesEnd = false
      blocks.push({ chains: [], after: 'gap', reachesEnd: true })
    } else {
      for (const step of steps) addStep(block, step, isDraft)
    }
  }
  return blocks.filter((block) => block.chains.length > 0)
}

function addStep(block: ChainBlock, step: SectionStep, isDraft: boolean): void {
  const chain = block.chains.at(-1)
  if (chain === undefined) {
    // Where a step begins that reaches back is known only with what it reaches to; that may stand in another call.
    if (step.continues ? block.after !== 'start' : step.takenOver !== undefined && block.after === 'cut') return
    block.chains.push({ members: [step], anchor: step, isDraft, takenOver: null, givenAway: null })
    return
  }
  // Whether or not the chain got what it would take over, so that the same steps join it in any case.
  const earliestMs = chain.anchor.takenOver?.startMs ?? chain.anchor.startMs
  if (step.continues && step.endMs - earliestMs <= MAX_STEP_MS) {
    chain.members.push(step)
    chain.isDraft ||= isDraft
    return
  }
  const takenOver = canGive(chain, step.takenOver) ? step.takenOver : null
  chain.givenAway = takenOver
  block.chains.push({ members: [step], anchor: step, isDraft, takenOver, givenAway: null })
}

/** True when the chain ends with just this, and is a step without it. */
function canGive(chain: StepChain, taken: TakenOver | undefined): taken is TakenOver {
  if (taken === undefined || taken.startMs - startOf(chain) < MIN_STEP_MS) return false
  const ids = segmentIdsOf(chain).slice(-taken.segmentIds.length)
  return ids.join(' ') === taken.segmentIds.join(' ') && textOf(chain).endsWith(` ${taken.originalText}`)
}

/** When the chain starts. */
export function startOf({ takenOver, members }: StepChain): number {
  return takenOver?.startMs ?? members[0]?.startMs ?? 0
}

/** Every segment said during the chain, in order. */
export function segmentIdsOf({ takenOver, members, givenAway }: StepChain): string[] {
  const ids = [...(takenOver?.segmentIds ?? []), ...members.flatMap((member) => member.segmentIds)]
  return ids.slice(0, ids.length - (givenAway?.segmentIds.length ?? 0))
}

/** Their transcript. */
export function textOf({ takenOver, members, givenAway }: StepChain): string {
  const texts = members.map((member) => member.originalText)
  const text = (takenOver === null ? texts : [takenOver.originalText, ...texts]).join(' ')
  return givenAway === null ? text : text.slice(0, -givenAway.originalText.length - 1)
}

/**
 * Gives chains that are too short for a step to the chain before them, or after them at the very start of the video.
 * A chain lasts until the next one starts, so the last one is not judged. Where the chain before is not there, a short
 * one is left out.
 */
export function absorbShortChains({ chains, after }: ChainBlock): StepChain[] {
  const kept: StepChain[] = []
  for (const next of chains) {
    let lead: StepChain | null = null
    const isShort = (chain: StepChain) => startOf(next) - startOf(chain) < MIN_STEP_MS
    for (let last = kept.at(-1); last !== undefined && isShort(last); last = kept.at(-1)) {
      kept.pop()
      const before = kept.at(-1)
      if (before === undefined) lead = last
      else appendChain(before, last)
    }
    if (lead === null || after !== 'start') kept.push(next)
    else {
      const members = [...lead.members, ...next.members]
      kept.push({ ...next, members, isDraft: lead.isDraft || next.isDraft, takenOver: null })
    }
  }
  return kept
}

/** Adds what stays without a step of its own at the end of a chain. */
export function appendChain(chain: StepChain, tail: StepChain): void {
  chain.members.push(...tail.members)
  chain.givenAway = tail.givenAway
  chain.isDraft ||= tail.isDraft
}
