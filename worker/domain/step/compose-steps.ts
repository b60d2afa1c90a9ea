import { STEP_HARD_LIMITS, STEP_RULES } from '#contract/limits.ts'
import { BLANK_STEP, type ProposedCallout } from '#contract/step.ts'
import {
  absorbShortChains,
  chainSteps,
  endOf,
  isFrame,
  isNear,
  joinIslands,
  type StepChain,
  segmentIdsOf,
  startOf,
  textOf,
} from './chain-steps.ts'
import { instructs } from './extractive/framing.ts'
import { makeTitlesDistinct, titleByTimes } from './extractive/name-step.ts'
import { MAX_PAUSE_MS, MAX_STEP_MS, MIN_STEP_MS } from './extractive/step-times.ts'
import { groundNote, joinNotes } from './ground-note.ts'
import { type SectionStep, type StepToStore, type WrittenSection } from './tidy-section.ts'

/**
 * No more steps than can be saved at once, including those that a user has added or changed, which stay.
 * Neighbours are joined that are not longer together than need be, so that steps become longer where they are shortest.
 * The first of them gives the id and the title, all of them the transcript.
 * @param steps in time order, none overlapping the next
 * @param touched ids of steps that a user has added or changed; some of the steps may be among them
 */
export function limitBeside(steps: readonly StepToStore[], touched: readonly string[]): StepToStore[] {
  const own = new Set(steps.map(({ id }) => id))
  const most = STEP_HARD_LIMITS.maxSteps - touched.filter((id) => !own.has(id)).length
  if (steps.length <= most) return [...steps]
  const touchedIds = new Set(touched)
  let tooShortMs = 0
  let longestMs = spanOf(steps)
  while (longestMs - tooShortMs > 1) {
    const middleMs = Math.floor((tooShortMs + longestMs) / 2)
    if (groupSteps(steps, middleMs, touchedIds).length > most) tooShortMs = middleMs
    else longestMs = middleMs
  }
  return groupSteps(steps, longestMs, touchedIds).map(joinSteps)
}

type StepGroup = [StepToStore, ...StepToStore[]]

/** From left to right as many as fit into the length: no other grouping has fewer groups. */
function groupSteps(steps: readonly StepToStore[], longestMs: number, touchedIds: ReadonlySet<string>): StepGroup[] {
  const groups: StepGroup[] = []
  for (const step of steps) {
    const group = groups.at(-1)
    const isFree = group !== undefined && !touchedIds.has(group[0].id) && !touchedIds.has(step.id)
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
    notes: joinNotes(group.flatMap(({ notes }) => notes || [])),
    proposedCallouts: group.flatMap(({ proposedCallouts }) => proposedCallouts).slice(0, STEP_HARD_LIMITS.maxCallouts),
    commands: group.flatMap(({ commands }) => commands).slice(0, STEP_HARD_LIMITS.maxCommands),
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
  /** Number of the first given section, 0 by default. For others, the step that the section continues is not known. */
  from?: number
  /** Written sections may follow that are not given, so the last step may go on in them, and is left out. */
  isCutOff?: boolean
}

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
    const stepsBeforeEnd = steps?.filter(({ startMs }) => startMs < limitMs)
    return {
      isDraft,
      steps: stepsBeforeEnd?.map((step) => ({ ...step, endMs: Math.min(step.endMs, limitMs) })) ?? null,
    }
  })
  const lastMs =
    inside.at(-1)?.steps === null ? 0 : Math.max(0, ...inside.flatMap(({ steps }) => steps?.at(-1)?.endMs ?? []))
  const videoEndMs = Number.isFinite(limitMs) ? limitMs : lastMs
  const timed = chainSteps(inside, from === 0 ? 'start' : 'cut').flatMap((block) => {
    const isClosed = block.reachesEnd && isComplete
    const end = isClosed ? 'closed' : block.reachesEnd && isCutOff ? 'cut' : 'open'
    const chains = joinIslands({ ...block, chains: absorbShortChains(block, isClosed ? videoEndMs : null) }, end)
    return isClosed ? timeToEnd(chains, { videoEndMs, isFromStart: block.after === 'start' }) : timeOpen(chains)
  })
  // Sections may overlap in spite of the request; their steps must not.
  const apart = timed
    .map((step, index) => ({ ...step, endMs: Math.min(step.endMs, timed[index + 1]?.startMs ?? step.endMs) }))
    .filter((step) => step.endMs - step.startMs >= MIN_STEP_MS)
  const titles = makeTitlesDistinct(apart.map(({ chain }) => pickTexts(chain)))
  const steps = apart.map((step, index) => toStore(step, { run, title: titles[index] as string }))
  return limitBeside(steps, []).map((step, index) =>
    step.title === '' ? { ...step, title: titleByTimes(step, from === 0 ? index + 1 : null) } : step,
  )
}

type TimedChain = ReturnType<typeof timeChain>

/** Each chain as long as it lasts; the last one is left out when its words are too short, or only a greeting. */
function timeOpen(chains: readonly StepChain[]): TimedChain[] {
  return chains.flatMap((chain, index) => {
    const next = chains[index + 1]
    if (chain.isHeldBack) return []
    if (next !== undefined) return [timeBefore(chain, next)]
    const timed = timeChain(chain, endOf(chain))
    return isFrame(chain) || timed.endMs - timed.startMs < MIN_STEP_MS ? [] : [timed]
  })
}

/** The last chain has the silence after it, unless that is too long a pause. */
function timeToEnd(
  chains: readonly StepChain[],
  { videoEndMs, isFromStart }: { videoEndMs: number; isFromStart: boolean },
): TimedChain[] {
  return chains.flatMap((chain, index) => {
    const next = chains[index + 1]
    if (chain.isHeldBack) return []
    if (next !== undefined) return [timeBefore(chain, next)]
    if (videoEndMs - startOf(chain) < MIN_STEP_MS) {
      // Only a video whose first word comes in its last seconds has too little room after the start.
      const canStartEarlier = (isFromStart || index > 0) && videoEndMs >= MIN_STEP_MS
      return canStartEarlier ? [{ chain, startMs: videoEndMs - MIN_STEP_MS, endMs: videoEndMs }] : []
    }
    const isTail = videoEndMs - endOf(chain) <= MAX_PAUSE_MS
    return [timeChain(chain, isTail ? videoEndMs : Math.max(endOf(chain), startOf(chain) + MIN_STEP_MS))]
  })
}

/** Until the next chain starts; before a long pause, to the end of its own words. */
function timeBefore(chain: StepChain, next: StepChain): TimedChain {
  const ownEndMs = Math.max(endOf(chain), startOf(chain) + MIN_STEP_MS)
  return timeChain(chain, isNear(chain, next) ? startOf(next) : ownEndMs)
}

function timeChain(chain: StepChain, endMs: number) {
  const startMs = startOf(chain)
  return { chain, startMs, endMs: Math.min(endMs, startMs + MAX_STEP_MS) }
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
    description: describeChain(chain),
    startMs,
    endMs,
    originalText: textOf(chain),
    segmentIds: segmentIdsOf(chain),
    isDraft: chain.isDraft,
    notes: notesOf(chain),
    proposedCallouts: calloutsOf(chain),
    run,
    editedAt: null,
  }
}

/** What its texts say, with the instructions of what was too short for a step of its own. */
function describeChain(chain: StepChain): string {
  const picked = pickTexts(chain)
  const from = chain.members.indexOf(picked)
  const isOwn = (member: SectionStep, at: number) => {
    // What comes before a text about the whole is in it.
    if (member.continues || member.isFraming === true || (picked.namesWhole === true && at < from)) return false
    return instructs(member.originalText)
  }
  const said = chain.members.filter((member, at) => at === from || isOwn(member, at))
  const joined = said.map(({ description }) => description).join(' ')
  return joined.length <= STEP_RULES.descriptionMaxChars ? joined : picked.description
}

/** The notes of its members, without those on words that it has given away. */
function notesOf(chain: StepChain): string {
  const notes = joinNotes(chain.members.flatMap(({ notes: own = [] }) => own))
  return chain.givenAway === null ? notes : groundNote(notes, textOf(chain))
}

/** What its members propose, as far as the words are still its own: a chain may have given some of them away. */
function calloutsOf(chain: StepChain): ProposedCallout[] {
  const text = textOf(chain)
  const proposed = chain.members.flatMap(({ callouts = [] }) => callouts)
  return proposed.filter(({ quote }) => text.includes(quote)).slice(0, STEP_HARD_LIMITS.maxCallouts)
}
