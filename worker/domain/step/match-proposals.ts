import { isTouched } from './step-store.ts'
import type { ProposalRow, StepRow } from './tidy-section.ts'

type Timed = Pick<StepRow, 'startMs' | 'endMs'>
type Worded = Pick<StepRow, 'title' | 'description' | 'originalText'>

/** Times are compared as people see them. */
function secondsOf({ startMs, endMs }: Timed): string {
  return `${Math.floor(startMs / 1000)}-${Math.floor(endMs / 1000)}`
}

type Shown = Timed & Pick<StepRow, 'title' | 'description' | 'commands'>

/** Whether a person would see no difference between two steps. */
export function isSameStep(one: Shown, other: Shown): boolean {
  const isSameText = one.title === other.title && one.description === other.description
  return (
    isSameText && secondsOf(one) === secondsOf(other) && JSON.stringify(one.commands) === JSON.stringify(other.commands)
  )
}

/** Two steps are about the same moment when at least half of the shorter one is inside the other. */
const SAME_MOMENT_MIN = 0.5
/** Two steps match when at least half of the words of the shorter one are in the other. */
const SAME_WORDS_MIN = 0.5

/** How long two steps last at the same time. */
function commonMsOf(one: Timed, other: Timed): number {
  return Math.max(0, Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs))
}

/** How much of the shorter of two steps the other one covers, 0 to 1. */
function overlapOf(one: Timed, other: Timed): number {
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return shorterMs <= 0 ? 0 : commonMsOf(one, other) / shorterMs
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text in any script, without their case. */
function wordsOf(text: string): Set<string> {
  const words = [...segmenter.segment(text.toLowerCase())].filter(({ isWordLike }) => isWordLike)
  return new Set(words.map(({ segment }) => segment))
}

/** How many of the words of the shorter text are in the other one, 0 to 1. One common word says nothing. */
function commonWordsOf(one: string, other: string): number {
  const [some, others] = [wordsOf(one), wordsOf(other)]
  const common = [...some].filter((word) => others.has(word)).length
  return common < 2 ? 0 : common / Math.min(some.size, others.size)
}

/** How alike two steps are in what they say, or in what was said in them. */
function likenessOf(one: Worded, other: Worded): number {
  const written = commonWordsOf(`${one.title} ${one.description}`, `${other.title} ${other.description}`)
  return Math.max(written, commonWordsOf(one.originalText, other.originalText))
}

/**
 * Finds the steps that give way to each proposal once it is accepted: those of an earlier run that no person has touched
 * and whose middle lies inside it, and the one that a person has changed or added, at the same moment and in much the same
 * words. A step whose middle lies in the silence between two proposals gives way to the one with which it shares more time. A person's step gives way to one proposal, the most alike, and a proposal takes the place of one such step.
 * @returns ids of steps by the id of the proposal
 */
export function findReplaced(proposals: readonly ProposalRow[], steps: readonly StepRow[]): Map<string, string[]> {
  const replaced = new Map(
    proposals.map((proposal) => [proposal.id, steps.filter((step) => givesWay(step, proposal)).map(({ id }) => id)]),
  )
  const pairs = proposals.flatMap((proposal) =>
    steps
      .filter((step) => isTouched(step) && overlapOf(proposal, step) >= SAME_MOMENT_MIN)
      .map((step) => ({ proposal, step, likeness: likenessOf(proposal, step) })),
  )
  for (const [index, proposal] of proposals.entries()) {
    const next = proposals[index + 1]
    if (next?.position !== proposal.position + 1) continue
    for (const step of steps) {
      const way = findWayAcross(step, proposal, next)
      if (way !== null) replaced.get(way.id)?.push(step.id)
    }
  }
  const taken = new Set<unknown>()
  for (const { proposal, step, likeness } of pairs.toSorted((a, b) => b.likeness - a.likeness)) {
    if (likeness < SAME_WORDS_MIN || taken.has(proposal) || taken.has(step)) continue
    taken.add(proposal).add(step)
    replaced.get(proposal.id)?.push(step.id)
  }
  return replaced
}

function givesWay(step: StepRow, { startMs, endMs, run }: ProposalRow): boolean {
  const middleMs = middleOf(step)
  return !isTouched(step) && step.run !== run && middleMs >= startMs && middleMs <= endMs
}

function middleOf({ startMs, endMs }: StepRow): number {
  return (startMs + endMs) / 2
}

/** Which of two proposals a step gives way to whose middle lies in the gap between them; null for neither. */
function findWayAcross(step: StepRow, before: ProposalRow, after: ProposalRow): ProposalRow | null {
  const middleMs = middleOf(step)
  if (isTouched(step) || step.run === before.run || middleMs <= before.endMs || middleMs >= after.startMs) return null
  const [beforeMs, afterMs] = [commonMsOf(step, before), commonMsOf(step, after)]
  if (beforeMs === 0 && afterMs === 0) return null
  return beforeMs >= afterMs ? before : after
}
