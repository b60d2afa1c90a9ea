import type { SectionStep } from './section-step.ts'
import type { TakenOver } from './take-over.ts'
import { MAX_STEP_MS, MIN_STEP_MS } from './tidy-range.ts'

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
  if (chain === undefined && isHeldBack(step, block)) return
  if (step.continues && chain !== undefined && step.endMs - earliestStartOf(chain) <= MAX_STEP_MS) {
    chain.members.push(step)
    chain.isDraft ||= isDraft
    return
  }
  const takenOver = chain !== undefined && canGive(chain, step.takenOver) ? step.takenOver : null
  if (chain !== undefined) chain.givenAway = takenOver
  block.chains.push({ members: [step], anchor: step, isDraft, takenOver, givenAway: null })
}

/** Where a step begins that reaches back is known only with what it reaches to; that may stand in another call. */
function isHeldBack({ continues, takenOver }: SectionStep, { after }: ChainBlock): boolean {
  return continues ? after !== 'start' : takenOver !== undefined && after === 'cut'
}

/** Whether or not the chain got what it would take over, so that the same steps join it in any case. */
function earliestStartOf({ anchor }: StepChain): number {
  return anchor.takenOver?.startMs ?? anchor.startMs
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
    for (let last = kept.at(-1); last !== undefined && isShort(last, next); last = kept.at(-1)) {
      kept.pop()
      const before = kept.at(-1)
      if (before === undefined) lead = last
      else appendChain(before, last)
    }
    kept.push(lead !== null && after === 'start' ? prependChain(lead, next) : next)
  }
  return kept
}

function isShort(chain: StepChain, next: StepChain): boolean {
  return startOf(next) - startOf(chain) < MIN_STEP_MS
}

/** Adds what stays without a step of its own at the end of a chain. */
export function appendChain(chain: StepChain, tail: StepChain): void {
  chain.members.push(...tail.members)
  chain.givenAway = tail.givenAway
  chain.isDraft ||= tail.isDraft
}

function prependChain(lead: StepChain, chain: StepChain): StepChain {
  const members = [...lead.members, ...chain.members]
  return { ...chain, members, isDraft: lead.isDraft || chain.isDraft, takenOver: null }
}
