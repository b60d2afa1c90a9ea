import { FOUND_HITS_MAX, FOUND_MODULES_MAX } from '#contract/limits.ts'
import type { SearchHit } from '#contract/search.ts'
import type { Context } from '#worker/core/context.ts'
import { listCards, type ModuleCardRow } from '#worker/domain/module/module-list-store.ts'
import { listOwnerOf } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type FoundPassage, findPassages } from './passage-store.ts'
import {
  codeOf,
  countWords,
  markWords,
  readQueryWords,
  readWantedWords,
  writeMatch,
  writeNearMatch,
  writeStepMatch,
} from './search-words.ts'

/** A module of the caller's list, with its moments that have what was searched for. */
interface FoundModule {
  row: ModuleCardRow
  hits: SearchHit[]
}

/** Passages that one search reads: those of steps, which are the better ones, and any. They bound what a common word costs. */
const STEPS_READ = 60
const PASSAGES_READ = 120

/**
 * Finds the modules of the active organization, otherwise of the caller, whose steps, speech or screen have what a query
 * asks for. Which modules these are is asked of the database, whatever the index holds.
 */
export async function searchModules(
  { db, search }: Pick<Context, 'db' | 'search'>,
  caller: Caller,
  query: string,
): Promise<FoundModule[]> {
  const { column, id } = listOwnerOf(caller)
  const { words, passages } = await findWords(search, await codeOf(`${column}:${id}`), query)
  const ofModules = Map.groupBy(passages, ({ moduleId }) => moduleId)
  const rows = await listCards(db, caller, [...ofModules.keys()])
  return rows
    .map((row) => ({ row, hits: rankHits(ofModules.get(row.id) ?? [], words) }))
    .toSorted((a, b) => compareRanks(a.hits[0], b.hits[0]))
    .slice(0, FOUND_MODULES_MAX)
    .map(({ row, hits }) => ({ row, hits: hits.slice(0, FOUND_HITS_MAX).map(({ hit }) => hit) }))
}

/**
 * Finds what has all of the words, the last one perhaps not typed to its end. Where nothing has, a question in ordinary
 * words was meant: its words that say what is wanted are looked up, two of them at least.
 */
async function findWords(
  search: D1Database,
  code: string,
  query: string,
): Promise<{ words: readonly string[]; passages: FoundPassage[] }> {
  const typed = readQueryWords(query)
  if (typed.length === 0) return { words: typed, passages: [] }
  const matchesOf = (words: readonly string[]) => [
    { match: writeStepMatch(code, words), limit: STEPS_READ },
    { match: writeMatch(code, words), limit: PASSAGES_READ },
  ]
  const passages = await findPassages(search, matchesOf(typed))
  const words = readWantedWords(query)
  if (passages.length > 0 || (words.length < 2 && words[0] === typed.join())) return { words: typed, passages }
  const near = words.length < 2 ? [] : [{ match: writeNearMatch(code, words), limit: PASSAGES_READ }]
  return { words, passages: await findPassages(search, [...matchesOf(words), ...near]) }
}

interface RankedHit {
  /** 3: all words are in the title of a step, 2: in what it says, 1: in one line that was said or shown, 0: in several places. */
  rank: number
  /** How many of the words that place has. */
  count: number
  hit: SearchHit
}

function compareRanks(one: RankedHit | undefined, other: RankedHit | undefined): number {
  return (other?.rank ?? 0) - (one?.rank ?? 0) || (other?.count ?? 0) - (one?.count ?? 0)
}

function rankHits(passages: readonly FoundPassage[], words: readonly string[]): RankedHit[] {
  return passages
    .map((passage) => findHit(passage, words))
    .toSorted((a, b) => compareRanks(a, b) || a.hit.start - b.hit.start)
}

/** The line of a passage that has most of the words; of two alike the one that says more of what it is about. */
function findHit({ startMs, step, lines, said }: FoundPassage, words: readonly string[]): RankedHit {
  const places = [
    { kind: 'step' as const, text: step ?? '', step: null, atMs: startMs, rank: 3 },
    ...lines.map((text) => ({ kind: 'step' as const, text, step, atMs: startMs, rank: 2 })),
    ...said.map(([atMs, text, isOnScreen]) => {
      return { kind: isOnScreen ? ('screen' as const) : ('said' as const), text, step, atMs, rank: 1 }
    }),
  ]
  const counts = places.map(({ text }) => countWords(text, words))
  const count = Math.max(...counts)
  const place = places[counts.indexOf(count)]
  if (place === undefined) throw new Error('A passage has a step at least.')
  const hit = { kind: place.kind, step: place.step, text: markWords(place.text, words), start: place.atMs / 1000 }
  return { rank: count === words.length ? place.rank : 0, count, hit }
}
