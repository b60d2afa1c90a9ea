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
const paired = (first: number) => (first + 1) * 2
const behind = (first: number) => paired(first) + 1
/** What comes before the first sentence, so that something new may be said there, too. */
const START = -1

interface Best {
  score: number
  from: number
}

/** The scores of all places after one sentence, and the best of them. */
class Scores {
  readonly values: Float64Array
  best: Best = { score: Number.NEGATIVE_INFINITY, from: -1 }

  constructor(size: number) {
    this.values = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
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
  for (let skipped = 0; skipped <= SKIPPED_MAX && first - 1 - skipped >= START; skipped += 1) {
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
  if (first.length === 0 || second.length === 0) return []
  const likeness = compareSentences(first, second)
  const rows = second.map((_, at) => likeness.readRow(at))
  const size = behind(first.length - 1) + 1
  const ways = second.map(() => new Int32Array(size).fill(-1))
  let before = new Scores(size)
  before.set(paired(START), 0)
  for (const [at, way] of ways.entries()) {
    const after = new Scores(size)
    for (let index = START; index < first.length; index += 1) {
      const opened = before.at(paired(index)) - NEW
      const isOpen = before.at(behind(index)) >= opened
      after.set(behind(index), isOpen ? before.at(behind(index)) : opened)
      way[behind(index)] = isOpen ? behind(index) : paired(index)
      if (index === START) continue
      const best = findWay(index, before, stepStarts.has(index) ? JUMP.toStep : JUMP.inside)
      after.set(paired(index), best.score + (rows[at]?.[index] ?? 0) - ALIKE_MIN)
      way[paired(index)] = best.from
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
      const first = place / 2 - 1
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
