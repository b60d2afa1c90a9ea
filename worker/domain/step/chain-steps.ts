import { MAX_PAUSE_MS, MAX_STEP_MS, MIN_STEP_MS } from './extractive/step-times.ts'
import { type SectionStep, type TakenOver, type WrittenSection } from './tidy-section.ts'

/** Steps of neighbouring sections that are one step of the video, in time order. Never empty. */
export interface StepChain {
  members: SectionStep[]
  /** Gives the chain its id, also when another step is put before it later. */
  anchor: SectionStep
  isDraft: boolean
  /** What it begins with before its first member: the end of the chain before it. */
  takenOver: TakenOver | null
  /** What the chain after it begins with: the end of its members. */
  givenAway: TakenOver | null
  /** May still change, since neighbouring sections are missing. Not shown, but its neighbours are judged with it. */
  isHeldBack: boolean
}

/** Chains without a hole between them. */
interface ChainBlock {
  chains: StepChain[]
  /** What is before the block: nothing, a section that is not written, or one that is not given. */
  after: 'start' | 'gap' | 'cut'
  /** False where sections after it are not written. */
  reachesEnd: boolean
}

/**
 * Joins what continues to what it continues, from left to right, as long as the joined step stays legal and no long
 * pause lies between; what does not fit begins a step of its own. What continues a step that is not there is held back.
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
  if (chain !== undefined && step.continues && canContinue(chain, step)) {
    chain.members.push(step)
    chain.isDraft ||= isDraft
    return
  }
  const isFirst = chain === undefined || chain.isHeldBack
  // The start of a step that continues another is known only with that step, which may belong to another call.
  const isHeldBack = step.continues
    ? chain === undefined && block.after !== 'start'
    : isFirst && step.takenOver !== undefined && block.after === 'cut'
  const takenOver = !isFirst && canGive(chain, step) ? (step.takenOver ?? null) : null
  if (chain !== undefined) chain.givenAway = takenOver
  block.chains.push({ members: [step], anchor: step, isDraft, takenOver, givenAway: null, isHeldBack })
}

/** A chain that is held back may begin earlier, so it is not known where its parts end. */
function canContinue(chain: StepChain, step: SectionStep): boolean {
  if (step.startMs - endOf(chain) > MAX_PAUSE_MS) return false
  // Whether or not the chain got what it would take over, so that the same steps join it in any case.
  const earliestMs = chain.anchor.takenOver?.startMs ?? chain.anchor.startMs
  return chain.isHeldBack || step.endMs - earliestMs <= MAX_STEP_MS
}

/** True when the chain ends with just what the step takes over, without a long pause, and is a step without it. */
function canGive(chain: StepChain, { startMs, takenOver: taken }: SectionStep): boolean {
  if (taken === undefined || taken.startMs - startOf(chain) < MIN_STEP_MS) return false
  if (startMs - endOf(chain) > MAX_PAUSE_MS) return false
  const ids = segmentIdsOf(chain).slice(-taken.segmentIds.length)
  return ids.join(' ') === taken.segmentIds.join(' ') && textOf(chain).endsWith(` ${taken.originalText}`)
}

/** When the chain starts. */
export function startOf({ takenOver, members }: StepChain): number {
  return takenOver?.startMs ?? members[0]?.startMs ?? 0
}

/** When its last word ends; where the step after it has taken that over, later than the chain does. */
export function endOf(chain: StepChain): number {
  return chain.members.at(-1)?.endMs ?? 0
}

/** Checks whether no long pause lies between two neighbours. */
export function isNear(chain: StepChain, next: StepChain): boolean {
  return pauseBetween(chain, next) <= MAX_PAUSE_MS
}

function pauseBetween(chain: StepChain, next: StepChain): number {
  return startOf(next) - endOf(chain)
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

/** True where all of a chain greets, announces or takes leave. */
export function isFrame({ members }: StepChain): boolean {
  return members.every((member) => member.isFraming === true)
}

/**
 * Gives chains that are too short for a step, or no more than a greeting, to the chain before them, or after them where
 * nothing or a long pause is before. A chain lasts until the next one starts, so the last one is judged only where the
 * video ends. Where the chain before is not there, such a chain is left out. One between two long pauses stays.
 * @param videoEndMs null where more may follow
 */
export function absorbShortChains({ chains, after }: ChainBlock, videoEndMs: number | null): StepChain[] {
  const remainingChains: StepChain[] = []
  for (const next of chains) {
    const isShort = (chain: StepChain) => isFrame(chain) || lengthBefore(chain, next) < MIN_STEP_MS
    absorbLast(remainingChains, isShort)
    const last = remainingChains.at(-1)
    if (last === undefined || !isShort(last) || !isNear(last, next)) remainingChains.push(next)
    else {
      remainingChains.pop()
      remainingChains.push(remainingChains.length === 0 && after !== 'start' ? next : putBefore(last, next))
    }
  }
  if (videoEndMs !== null)
    absorbLast(remainingChains, (chain) => isFrame(chain) || videoEndMs - startOf(chain) < MIN_STEP_MS)
  return remainingChains
}

/** Gives the last chain to the one before it, as long as it is no step. */
function absorbLast(chains: StepChain[], isShort: (chain: StepChain) => boolean): void {
  for (let last = chains.at(-1); last !== undefined && isShort(last); last = chains.at(-1)) {
    const before = chains.at(-2)
    if (before === undefined || !isNear(before, last)) return
    chains.pop()
    appendChain(before, last)
  }
}

function lengthBefore(chain: StepChain, next: StepChain): number {
  return (isNear(chain, next) ? startOf(next) : endOf(chain)) - startOf(chain)
}

/** Appends a chain that becomes no step of its own to the chain before it. */
function appendChain(chain: StepChain, tail: StepChain): void {
  chain.members.push(...tail.members)
  chain.givenAway = tail.givenAway
  chain.isDraft ||= tail.isDraft
}

/** Puts a chain that becomes no step of its own in front of the next one. */
function putBefore(lead: StepChain, next: StepChain): StepChain {
  const members = [...lead.members, ...next.members]
  return { ...next, members, isDraft: lead.isDraft || next.isDraft, takenOver: null }
}

/** `island`: a few words between two long pauses. `unknown`: it may become a step, or part of one. */
type Nature = 'step' | 'island' | 'unknown'

/** Whether the video ends with the last chain, more may follow it, or more is there that is not given. */
type BlockEnd = 'closed' | 'open' | 'cut'

/**
 * Gives a few words between two long pauses to the nearer step beside them. Where none is, or the joined step would be
 * too long, they stay. What could still change is left out or held back, beside sections that are not given also the
 * neighbours that it would change.
 * @param block its short chains absorbed
 */
export function joinIslands(block: ChainBlock, end: BlockEnd): StepChain[] {
  const { chains, after } = block
  const natures = chains.map((_, index) => natureOf(block, index, end))
  const joined: (StepChain | null)[] = [...chains]
  for (const [index, chain] of chains.entries()) {
    const side = natures[index] === 'island' ? findNearer(chains, natures, index) : null
    if (side === null) continue
    const target = joined[side]
    if (target === null || target === undefined || natures[side] === 'unknown' || target.isHeldBack)
      joined[index] = null
    else if (side < index && endOf(chain) - startOf(target) <= MAX_STEP_MS) {
      appendChain(target, chain)
      joined[index] = null
    } else if (side > index && endOf(target) - startOf(chain) <= MAX_STEP_MS) {
      joined[side] = putBefore(chain, target)
      joined[index] = null
    }
  }
  const isSettled = (index: number) => natures[index] === 'step' && natures[index + 1] === 'step'
  const from = after === 'cut' ? chains.findIndex((_, index) => isSettled(index - 1)) : 0
  const to = end === 'cut' ? chains.findLastIndex((_, index) => isSettled(index)) : chains.length
  return joined.flatMap((chain, index) => {
    if (chain === null) return []
    const isKnown = from !== -1 && index >= from && index <= to && (index > 0 || natures[index] !== 'unknown')
    return [isKnown ? chain : { ...chain, isHeldBack: true }]
  })
}

function natureOf({ chains, after }: ChainBlock, index: number, end: BlockEnd): Nature {
  const [before, chain, next] = [chains[index - 1], chains[index] as StepChain, chains[index + 1]]
  const lengthMs = next === undefined ? endOf(chain) - startOf(chain) : lengthBefore(chain, next)
  const isShort = lengthMs < MIN_STEP_MS
  const isEdge = (before === undefined && after !== 'start') || (next === undefined && end !== 'closed')
  if (isEdge && (isShort || isFrame(chain))) return 'unknown'
  const isAlone = [before && isNear(before, chain), next && isNear(chain, next)].every((near) => near !== true)
  return isShort && isAlone && chains.length > 1 ? 'island' : 'step'
}

/** Index of the nearer neighbour that is no island itself; null for none. */
function findNearer(chains: readonly StepChain[], natures: readonly Nature[], index: number): number | null {
  const chain = chains[index] as StepChain
  const [before, next] = [chains[index - 1], chains[index + 1]]
  const beforeMs = before === undefined || natures[index - 1] === 'island' ? null : pauseBetween(before, chain)
  const afterMs = next === undefined || natures[index + 1] === 'island' ? null : pauseBetween(chain, next)
  if (beforeMs === null) return afterMs === null ? null : index + 1
  return afterMs === null || beforeMs <= afterMs ? index - 1 : index + 1
}
