import type { Speed } from './measure-speed.ts'
import { SET_NAMES, type SetName } from './questions.ts'
import type { Scores } from './score-answers.ts'

/** What one run found out, by set of questions. */
export type Measured = Readonly<Record<SetName, Scores & { quoted: number; cited: number }>>

const COLUMNS = ['hit1', 'hit3', 'bare', 'near', 'auc', 'judged', 'quoted', 'cited'] as const
/** `cited` cannot fail unless the answers stop being checked: they are quotes that the same check has passed. BM25 over passages of 60 words gives .63 and .85 on the same questions. */
const GATES: readonly { set: SetName; score: (typeof COLUMNS)[number]; least: number }[] = [
  { set: 'qa', score: 'hit1', least: 0.75 },
  { set: 'qa', score: 'auc', least: 0.92 },
  { set: 'chapters', score: 'auc', least: 0.87 },
  { set: 'qa', score: 'cited', least: 1 },
  { set: 'own', score: 'cited', least: 1 },
]
/**
 * An answer begins within a second, and searching may take little of it. Both are multiples of splitting the same
 * transcript into words (some 10 ms for three hours), so that they are the same on a slower machine.
 */
const RANK_RATIO_MAX = 3
const OPEN_RATIO_MAX = 12

/** Prints the scores for people. */
export function printTable(measured: Measured, speed: Speed): void {
  console.log(`| set | answerable | not | ${COLUMNS.join(' | ')} |`)
  console.log(`|---|---|---|${COLUMNS.map(() => '---|').join('')}`)
  for (const set of SET_NAMES) {
    const scores = measured[set]
    const cells = COLUMNS.map((column) => scores[column].toFixed(3))
    console.log(`| ${set} | ${scores.answerable} | ${scores.unanswerable} | ${cells.join(' | ')} |`)
  }
  console.log(
    `${speed.hours.toFixed(1)} h of speech: indexed in ${speed.openMs.toFixed(0)} ms (${speed.openRatio.toFixed(1)} × splitting its words), ranked in ${speed.rankMs.toFixed(1)} ms (${speed.rankRatio.toFixed(2)} ×)`,
  )
}

/** The scores that are kept with the code, so that a change shows what it does to them. */
export function toRecord(measured: Measured): Record<string, number> {
  const record: Record<string, number> = {}
  for (const set of SET_NAMES) {
    record[`${set}_questions_count`] = measured[set].answerable + measured[set].unanswerable
    for (const column of COLUMNS) record[`${set}_${column}_ratio`] = Math.round(measured[set][column] * 1_000) / 1_000
  }
  return record
}

/** What is worse than it may be. */
export function findFailedGates(measured: Measured, speed: Speed): string[] {
  const failed = GATES.filter(({ set, score, least }) => measured[set][score] < least).map(
    ({ set, score, least }) => `${set} ${score} is ${measured[set][score].toFixed(3)}, at least ${least} is asked for`,
  )
  const slow: [string, number, number][] = [
    ['ranking', speed.rankRatio, RANK_RATIO_MAX],
    ['indexing', speed.openRatio, OPEN_RATIO_MAX],
  ]
  for (const [what, ratio, most] of slow) {
    if (ratio > most) failed.push(`${what} takes ${ratio.toFixed(1)} × splitting the words, at most ${most} may be`)
  }
  return failed
}
