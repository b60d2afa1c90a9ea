import { checkClaim } from '#worker/domain/tutor/check-claim.ts'
import { readClauses } from '#worker/domain/tutor/words/read-clauses.ts'
import { gate, type Row, round } from '../scenario.ts'
import { type GoldItem, readSegments } from '../steps/predict-steps.ts'

/** Of each recording, one segment in so many is taken. */
const EVERY = 9
const MIN_WORDS = 7
const MAX_WORDS = 25

/** Changes one thing in a sentence, so that it is false; null where it has nothing of the kind. */
type Change = (words: readonly string[]) => string[] | null

const CHANGES: Readonly<Record<string, Change>> = {
  swap(words) {
    const terms = [...words.keys()].filter((at) => readClauses(words[at] ?? '').some(({ kind }) => kind === 'term'))
    const [first = 0, last = 0] = [terms[0], terms.at(-1)]
    const isPair =
      terms.length > 2 && readClauses(words[first] ?? '')[0]?.stem !== readClauses(words[last] ?? '')[0]?.stem
    return isPair ? words.with(first, withoutMarks(words[last])).with(last, withoutMarks(words[first])) : null
  },
  number(words) {
    const at = words.findIndex((word) => /^\d+$/.test(word))
    return at < 0 ? null : words.with(at, String(Number(words[at]) + 3))
  },
  denial(words) {
    const at = words.findIndex((word) => /^(?:is|are|can|will|was|should)$/.test(word))
    return at < 0 || words[at + 1] === 'not' ? null : words.toSpliced(at + 1, 0, 'not')
  },
  limit(words) {
    const at = words.findIndex((word) => /^(?:all|always|every|most|only|never)$/i.test(word))
    return at < 0 ? null : words.with(at, 'some')
  },
}

function withoutMarks(word = ''): string {
  return word.replace(/[^\p{L}\p{N}]+$/u, '')
}

const REPEATED_SUPPORTED_MIN = 0.95
const CHANGED_PASSED_MAX = 0.05

/**
 * Measures the rules alone on sentences of all recordings: how many are supported as they stand, and how many that were
 * changed in one place. Some changes happen to say the same, so that none at all would be too many.
 */
export function measureChanged(gold: readonly GoldItem[]) {
  const counts = new Map<string, { all: number; supported: number }>()
  for (const item of gold) {
    const segments = readSegments(item)
    for (const [at, { id, text }] of segments.entries()) {
      const words = text.split(' ')
      if (at % EVERY > 0 || words.length < MIN_WORDS || words.length > MAX_WORDS) continue
      const note = (kind: string, said: readonly string[]) => {
        const { verdict } = checkClaim({ text: said.join(' '), segmentIds: [id], quote: '' }, segments)
        const { all, supported } = counts.get(kind) ?? { all: 0, supported: 0 }
        counts.set(kind, { all: all + 1, supported: supported + Number(verdict === 'supported') })
      }
      note('repeated', words)
      for (const [kind, change] of Object.entries(CHANGES)) {
        const changed = change(words)
        if (changed !== null) note(kind, changed)
      }
    }
  }
  return { scores: toScores(counts), rows: listRows(counts) }
}

type Counts = ReadonlyMap<string, { all: number; supported: number }>

function toScores(counts: Counts): Record<string, number> {
  return Object.fromEntries(
    [...counts].flatMap(([kind, { all, supported }]) => [
      [`rules_${kind}_count`, all],
      [`rules_${kind}_supported_ratio`, round(supported / all, 3)],
    ]),
  )
}

function listRows(counts: Counts): Row[] {
  return [...counts].map(([kind, { all, supported }]) => {
    const limit = kind === 'repeated' ? { atLeast: REPEATED_SUPPORTED_MIN } : { atMost: CHANGED_PASSED_MAX }
    const what = `${kind === 'repeated' ? 'repeated' : `changed (${kind})`}, supported by the rules, of ${all}`
    return gate(what, supported / all, limit, (supported / all).toFixed(3))
  })
}
