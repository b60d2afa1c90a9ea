import { compareSentences } from './likeness.ts'

/** So alike two sentences have to be at least to speak for each other; less speaks against it. */
const ALIKE_MIN = 0.2
/** Speech that goes on elsewhere than after what was said before: at the beginning of a step, or inside of one. */
const JUMP = { toStep: 0.12, inside: 0.8 }
/** Sentences of the first recording that are left out one after the other, without a jump. */
const SKIPPED_MAX = 3
const SKIP = 0.03
/** Two sentences in the one recording for one in the other. */
const STAY = 0.01
/** The first sentence of some that only the second recording has. */
const NEW = 0.1

/** A sentence of the second recording with the one of the first that it repeats. */
export interface Pair {
  first: number
  second: number
  /** How alike they are, 0 to 1. */
  likeness: number
  /** How alike the first is to the sentence elsewhere in the second recording that is most like it. */
  rival: number
}

/**
 * Where the reading of the second recording may stand: at a sentence of the first that was just repeated, or behind it
 * while something new is said. Even numbers are the former.
 */
const paired = (first: number) => first * 2
const behind = (first: number) => first * 2 + 1

interface Best {
  score: number
  from: number
}

/** The scores of all places after one sentence, and the best of them. */
class Scores {
  readonly values: Float64Array
  best: Best = { score: Number.NEGATIVE_INFINITY, from: -1 }

  constructor(size: number, value: number) {
    this.values = new Float64Array(size).fill(value)
  }

  set(place: number, score: number): void {
    this.values[place] = score
    if (score > this.best.score) this.best = { score, from: place }
  }

  at(place: number): number {
    return place < 0 ? Number.NEGATIVE_INFINITY : (this.values[place] ?? Number.NEGATIVE_INFINITY)
  }
}

/** The best way to a pair from the places before it. */
function findWay(first: number, before: Scores, jump: number): Best {
  let way: Best = { score: before.best.score - jump, from: before.best.from }
  const take = (from: number, score: number) => {
    if (score > way.score) way = { score, from }
  }
  take(paired(first), before.at(paired(first)) - STAY)
  for (let skipped = 0; skipped <= SKIPPED_MAX && first - 1 - skipped >= 0; skipped += 1) {
    const last = first - 1 - skipped
    take(paired(last), before.at(paired(last)) - skipped * SKIP)
    take(behind(last), before.at(behind(last)) - skipped * SKIP)
  }
  return way
}

/**
 * Pairs the sentences of a second recording of a procedure with those of the first that they repeat in much the same
 * words. What was said in a row is said in a row again (the best path of Viterbi's algorithm), but steps may come in
 * another order, be left out, or be new.
 * @param stepStarts sentences of the first with which steps begin
 */
export function pairSentences(
  first: readonly string[],
  second: readonly string[],
  stepStarts: ReadonlySet<number>,
): Pair[] {
  const size = first.length * 2
  if (size === 0 || second.length === 0) return []
  const likeness = compareSentences(first, second)
  const ways = second.map(() => new Int32Array(size).fill(-1))
  const rows = second.map((_, at) => likeness.readRow(at))
  // Both recordings begin anywhere.
  let before = new Scores(size, Number.NEGATIVE_INFINITY)
  for (const [at, way] of ways.entries()) {
    const after = new Scores(size, Number.NEGATIVE_INFINITY)
    for (let index = 0; index < first.length; index += 1) {
      const gain = (rows[at]?.[index] ?? 0) - ALIKE_MIN
      const jump = stepStarts.has(index) ? JUMP.toStep : JUMP.inside
      const best = at === 0 ? { score: index === 0 ? 0 : -jump, from: -1 } : findWay(index, before, jump)
      after.set(paired(index), best.score + gain)
      way[paired(index)] = best.from
      const opened = before.at(paired(index)) - NEW
      const isOpen = before.at(behind(index)) >= opened
      after.set(behind(index), at === 0 ? -NEW - JUMP.toStep : isOpen ? before.at(behind(index)) : opened)
      way[behind(index)] = at === 0 ? -1 : isOpen ? behind(index) : paired(index)
    }
    before = after
  }
  return readPath(before.best.from, ways, rows)
}

function readPath(last: number, ways: readonly Int32Array[], rows: readonly Float32Array[]): Pair[] {
  const pairs: Pair[] = []
  let place = last
  for (let second = ways.length - 1; second >= 0 && place >= 0; second -= 1) {
    if (place % 2 === 0) {
      const first = place / 2
      pairs.push({ first, second, likeness: rows[second]?.[first] ?? 0, rival: findRival(rows, first, second) })
    }
    place = ways[second]?.[place] ?? -1
  }
  return pairs.reverse()
}

/** Neighbours often are parts of one sentence. */
function findRival(rows: readonly Float32Array[], first: number, second: number): number {
  return rows.reduce((best, row, at) => (Math.abs(at - second) > 1 ? Math.max(best, row[first] ?? 0) : best), 0)
}
