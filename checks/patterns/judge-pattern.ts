import { createRequire } from 'node:module'
import type * as Recheck from 'recheck'
import { ACCEPTED } from './accepted.ts'
import type { Pattern } from './find-patterns.ts'

// Its other engines are programs for single systems; this one runs wherever Node does.
process.env['RECHECK_BACKEND'] = 'pure'
const { checkSync } = createRequire(import.meta.url)('recheck') as typeof Recheck

/** No clock: the search is bounded by steps, so that the same pattern gets the same verdict on every machine. */
const NO_CLOCK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
} as const
/** An automaton of more states is searched by trying inputs; the largest would take half a minute. */
const SEARCH = {
  ...NO_CLOCK,
  maxNFASize: 4_000,
  incubationLimit: 3_000,
  attackLimit: 200_000,
  maxIteration: 3,
  maxGenerationSize: 30,
  maxInitialGenerationSize: 100,
  seedingLimit: 1_000,
} as const

/** What is wrong with a pattern; null where it takes time by the length of its text, or is accepted for a reason. */
export function judgePattern(pattern: Pattern): string | null {
  const isAccepted = ACCEPTED.some(({ file, begins }) => file === pattern.file && pattern.code.startsWith(begins))
  if (isAccepted) return null
  if (pattern.source === null) return 'is put together while the program runs, so nobody can tell'
  const judged = checkSync(pattern.source, pattern.flags, SEARCH)
  // Of a few patterns with look-aheads it cannot make an automaton.
  const verdict =
    judged.status === 'unknown' ? checkSync(pattern.source, pattern.flags, { ...SEARCH, checker: 'fuzz' }) : judged
  if (verdict.status === 'safe') return null
  if (verdict.status === 'unknown') return `cannot be judged: ${verdict.error.kind}`
  return `takes ${verdict.complexity.summary} time, for example for ${verdict.attack.pattern.slice(0, 120)}`
}

/** Exceptions that no pattern needs any more. */
export function listUnused(patterns: readonly Pattern[]): string[] {
  return ACCEPTED.filter(
    ({ file, begins }) => !patterns.some((each) => each.file === file && each.code.startsWith(begins)),
  ).map(({ file, begins }) => `${file}: ${begins}`)
}
