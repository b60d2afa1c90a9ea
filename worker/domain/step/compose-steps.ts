import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import { BLANK_STEP, type ProposedCallout } from '#contract/step.ts'
import { makeTitlesDistinct, titleByTimes } from './extractive/name-step.ts'
import {
  MAX_STEP_MS,
  MIN_STEP_MS,
  type SectionStep,
  type StepToStore,
  type TakenOver,
  type WrittenSection,
} from './tidy-section.ts'

/** Steps of neighbouring sections that are one step of the video, in time order. Never empty. */
interface StepChain {
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
interface ChainBlock {
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
function chainSteps(sections: readonly WrittenSection[], after: 'start' | 'cut'): ChainBlock[] {
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
function startOf({ takenOver, members }: StepChain): number {
  return takenOver?.startMs ?? members[0]?.startMs ?? 0
}

/** Every segment said during the chain, in order. */
function segmentIdsOf({ takenOver, members, givenAway }: StepChain): string[] {
  const ids = [...(takenOver?.segmentIds ?? []), ...members.flatMap((member) => member.segmentIds)]
  return ids.slice(0, ids.length - (givenAway?.segmentIds.length ?? 0))
}

/** Their transcript. */
function textOf({ takenOver, members, givenAway }: StepChain): string {
  const texts = members.map((member) => member.originalText)
  const text = (takenOver === null ? texts : [takenOver.originalText, ...texts]).join(' ')
  return givenAway === null ? text : text.slice(0, -givenAway.originalText.length - 1)
}

/** True where all of a chain greets, announces or takes leave. */
function isFrame({ members }: StepChain): boolean {
  return members.every((member) => member.isFraming === true)
}

/**
 * Gives chains that are too short for a step, or no more than a greeting, to the chain before them, or after them at the
 * very start of the video. A chain lasts until the next one starts, so the last one is not judged. Where the chain
 * before is not there, such a chain is left out.
 */
function absorbShortChains({ chains, after }: ChainBlock): StepChain[] {
  const kept: StepChain[] = []
  for (const next of chains) {
    let lead: StepChain | null = null
    const isShort = (chain: StepChain) => startOf(next) - startOf(chain) < MIN_STEP_MS || isFrame(chain)
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
function appendChain(chain: StepChain, tail: StepChain): void {
  chain.members.push(...tail.members)
  chain.givenAway = tail.givenAway
  chain.isDraft ||= tail.isDraft
}

/**
 * No more steps than can be saved at once, beside those that a person has added or changed, which are kept as they are.
 * Neighbours are joined that are not longer together than need be, so that steps become longer where they are shortest.
 * The first of them gives the id and the title, all of them the transcript.
 * @param steps in time order, none overlapping the next
 * @param touched ids of what a person has added or changed; some of the steps may be among them
 */
export function limitBeside(steps: readonly StepToStore[], touched: readonly string[]): StepToStore[] {
  const own = new Set(steps.map(({ id }) => id))
  const most = STEP_HARD_LIMITS.maxSteps - touched.filter((id) => !own.has(id)).length
  if (steps.length <= most) return [...steps]
  const kept = new Set(touched)
  let tooShortMs = 0
  let longestMs = spanOf(steps)
  while (longestMs - tooShortMs > 1) {
    const middleMs = Math.floor((tooShortMs + longestMs) / 2)
    if (groupSteps(steps, middleMs, kept).length > most) tooShortMs = middleMs
    else longestMs = middleMs
  }
  return groupSteps(steps, longestMs, kept).map(joinSteps)
}

type StepGroup = [StepToStore, ...StepToStore[]]

/** From left to right as many as fit into the length: no other grouping has fewer groups. */
function groupSteps(steps: readonly StepToStore[], longestMs: number, kept: ReadonlySet<string>): StepGroup[] {
  const groups: StepGroup[] = []
  for (const step of steps) {
    const group = groups.at(-1)
    const isFree = group !== undefined && !kept.has(group[0].id) && !kept.has(step.id)
    if (isFree && spanOf([group[0], step]) <= longestMs) group.push(step)
    else groups.push([step])
  }
  return groups
}

/** Measures from the beginning of the first step to the end of the last, milliseconds. */
export function spanOf(steps: readonly Pick<StepToStore, 'startMs' | 'endMs'>[]): number {
  return (steps.at(-1)?.endMs ?? 0) - (steps[0]?.startMs ?? 0)
}

/** Joins neighbouring steps to one, with the id and the title of the first. */
export function joinSteps(group: StepGroup): StepToStore {
  const [first, ...rest] = group
  if (rest.length === 0) return first
  return {
    ...first,
    description: joinDescriptions(group),
    // Only a video of almost a day has steps that cannot be joined within what is legal.
    endMs: Math.min(first.startMs + spanOf(group), first.startMs + MAX_STEP_MS),
    originalText: group.map(({ originalText }) => originalText).join(' '),
    segmentIds: group.flatMap(({ segmentIds }) => segmentIds),
    isDraft: group.some(({ isDraft }) => isDraft),
    proposedCallouts: group.flatMap(({ proposedCallouts }) => proposedCallouts).slice(0, STEP_HARD_LIMITS.maxCallouts),
  }
}

/** As many whole ones as a description may hold. */
function joinDescriptions([first, ...rest]: StepGroup): string {
  let joined = first.description
  for (const { description } of rest) {
    if (joined.length + 1 + description.length > STEP_RULES.descriptionMaxChars) break
    joined = `${joined} ${description}`
  }
  return joined
}

interface Composition {
  run: number
  /** Length of the video; null while it is unknown, then the last word counts as its end. */
  durationMs: number | null
  /** Consecutive sections from number `from` on, in the order of the video, none overlapping the next. */
  sections: readonly WrittenSection[]
  /** Nothing follows the last section that is given. */
  isComplete: boolean
  /** Number of the first section that is given; what it continues is not known unless it is 0, the default. */
  from?: number
  /** Written sections may follow that are not given, so the last step may go on in them, and is left out. */
  isCutOff?: boolean
}

/** Silence after the last word that still belongs to the last step; more is an end card. */
const TAIL_MS = 30_000

/**
 * Steps that can be shown and stored from the sections that are written so far: in time order without overlap, inside
 * the video, each within `STEP_RULES`, titles distinct; what nothing sure is said in is titled by its times. Depends on nothing but which sections are there. An id is
 * `r{run}-{first segment}`; the ids of some of the sections are also ids of all of them, so a step that was shown may
 * grow but never goes away. What could still become part of a step that is not written yet is left out.
 * @returns no more steps than can be saved at once; none when nothing was said, or when the video is too short for one
 */
export function composeSteps(composition: Composition): StepToStore[] {
  const { run, durationMs, sections, isComplete, from = 0, isCutOff = false } = composition
  const limitMs = durationMs !== null && durationMs > 0 ? Math.floor(durationMs) : Number.POSITIVE_INFINITY
  if (limitMs < MIN_STEP_MS) return []
  const inside = sections.map(({ steps, isDraft }) => {
    const shown = steps?.filter(({ startMs }) => startMs < limitMs)
    return { isDraft, steps: shown?.map((step) => ({ ...step, endMs: Math.min(step.endMs, limitMs) })) ?? null }
  })
  const lastMs =
    inside.at(-1)?.steps === null ? 0 : Math.max(0, ...inside.flatMap(({ steps }) => steps?.at(-1)?.endMs ?? []))
  const videoEndMs = Number.isFinite(limitMs) ? limitMs : lastMs
  const timed = chainSteps(inside, from === 0 ? 'start' : 'cut').flatMap((block) => {
    const chains = absorbShortChains(block)
    if (block.reachesEnd && isComplete) return timeToEnd({ ...block, chains }, videoEndMs)
    return block.reachesEnd && isCutOff ? timeOpen(chains).slice(0, -1) : timeOpen(chains)
  })
  // Sections that overlap in spite of what was asked for must not make steps that do.
  const apart = timed
    .map((step, index) => ({ ...step, endMs: Math.min(step.endMs, timed[index + 1]?.startMs ?? step.endMs) }))
    .filter((step) => step.endMs - step.startMs >= MIN_STEP_MS)
  const titles = makeTitlesDistinct(apart.map(({ chain }) => pickTexts(chain)))
  const steps = apart.map((step, index) => toStore(step, { run, title: titles[index] as string }))
  return limitBeside(steps, []).map((step, at) =>
    step.title === '' ? { ...step, title: titleByTimes(step, from === 0 ? at + 1 : null) } : step,
  )
}

type TimedChain = ReturnType<typeof timeChain>

/**
 * Each chain until the next one starts; the last one to the end of its own words, or left out when that is too short or
 * only a greeting, which becomes part of what follows or is before it.
 */
function timeOpen(chains: readonly StepChain[]): TimedChain[] {
  return chains.flatMap((chain, index) => {
    const next = chains[index + 1]
    if (next === undefined && isFrame(chain)) return []
    const timed = timeChain(chain, next === undefined ? endOf(chain) : startOf(next))
    return timed.endMs - timed.startMs < MIN_STEP_MS ? [] : [timed]
  })
}

function timeToEnd({ chains, after }: ChainBlock, videoEndMs: number): TimedChain[] {
  const kept = [...chains]
  const isNoStep = (chain: StepChain) => videoEndMs - startOf(chain) < MIN_STEP_MS
  for (let last = kept.at(-1); last !== undefined && (isNoStep(last) || isFrame(last)); last = kept.at(-1)) {
    const before = kept.at(-2)
    if (before === undefined) {
      if (!isNoStep(last)) break
      // Only a video whose first word comes in its last seconds has too little room after the start.
      const canStartEarlier = after === 'start' && videoEndMs >= MIN_STEP_MS
      return canStartEarlier ? [{ chain: last, startMs: videoEndMs - MIN_STEP_MS, endMs: videoEndMs }] : []
    }
    kept.pop()
    appendChain(before, last)
  }
  return kept.map((chain, index) => {
    const next = kept[index + 1]
    if (next !== undefined) return timeChain(chain, startOf(next))
    const spokenEndMs = endOf(chain)
    const isTail = videoEndMs - spokenEndMs <= TAIL_MS
    return timeChain(chain, isTail ? videoEndMs : Math.max(spokenEndMs, startOf(chain) + MIN_STEP_MS))
  })
}

function timeChain(chain: StepChain, endMs: number) {
  const startMs = startOf(chain)
  return { chain, startMs, endMs: Math.min(endMs, startMs + MAX_STEP_MS) }
}

function endOf(chain: StepChain): number {
  return chain.members.at(-1)?.endMs ?? 0
}

/**
 * The latest texts that are about all of it; else those of the first member that is a step by itself, not a scrap. Where
 * some have a title, of these.
 */
function pickTexts({ members, anchor }: StepChain): SectionStep {
  const all = members.slice(members.indexOf(anchor))
  const named = all.filter(({ title }) => title !== '')
  const own = named.length > 0 ? named : all
  const whole = own.findLast((member) => member.namesWhole === true)
  if (whole !== undefined) return whole
  const content = own.filter((member) => member.isFraming !== true)
  return (content.length > 0 ? content : own).find((member) => member.endMs - member.startMs >= MIN_STEP_MS) ?? anchor
}

function toStore({ chain, startMs, endMs }: TimedChain, { run, title }: { run: number; title: string }): StepToStore {
  return {
    ...BLANK_STEP,
    id: `r${run}-${chain.anchor.segmentIds[0] ?? startMs}`,
    title,
    description: pickTexts(chain).description,
    startMs,
    endMs,
    originalText: textOf(chain),
    segmentIds: segmentIdsOf(chain),
    isDraft: chain.isDraft,
    proposedCallouts: calloutsOf(chain),
    run,
    editedAt: null,
  }
}

/** What its members propose, as far as the words are still its own: a chain may have given some of them away. */
function calloutsOf(chain: StepChain): ProposedCallout[] {
  const text = textOf(chain)
  const proposed = chain.members.flatMap(({ callouts = [] }) => callouts)
  return proposed.filter(({ quote }) => text.includes(quote)).slice(0, STEP_HARD_LIMITS.maxCallouts)
}
