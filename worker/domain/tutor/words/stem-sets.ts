import { readClauses, type Said } from './read-clauses.ts'

/** Stems of words, each once. */
export type Stems = ReadonlySet<string>

/** The different stems of some words. */
export function stemsOf(words: readonly Said[]): Stems {
  return new Set(words.map(({ stem }) => stem))
}

/** A list of words as {@link readClauses} reads them in a sentence. */
export function readList(list: string): Stems {
  return stemsOf(readClauses(list))
}

/** What two sets have in common. */
export function listShared(one: Stems, other: Stems): string[] {
  return [...one].filter((stem) => other.has(stem))
}

/** What only the first of two sets has. */
export function takeAway(one: Stems, other: Stems): Stems {
  return new Set([...one].filter((stem) => !other.has(stem)))
}
