import { FOUND_HITS_MAX, FOUND_MODULES_MAX } from '#contract/limits.ts'
import type { SearchHit } from '#contract/search.ts'
import type { Context } from '#worker/core/context.ts'
import { listCards, type ModuleCardRow } from '#worker/domain/module/module-list-store.ts'
import { listOwnerOf } from '#worker/domain/organization/membership.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { type FoundPassage, findPassages } from './passage-store.ts'
import { codeOf, countWords, markWords, readQueryWords, writeMatch, writeStepMatch } from './search-words.ts'

/** A module of the caller's list, with its moments that have what was searched for. */
interface FoundModule {
  row: ModuleCardRow
  hits: SearchHit[]
}

/** Passages that one search reads: those of steps, which are the better ones, and any. They bound what a common word costs. */
const STEPS_READ = 60
const PASSAGES_READ = 120

/**
 * Finds the modules of the active organization, otherwise of the caller, whose steps, speech or screen have all of the
 * words of a query, the last one perhaps not typed to its end. Which modules these are is asked of the database, whatever the
 * index holds.
 */
export async function searchModules(
  { db, search }: Pick<Context, 'db' | 'search'>,
  caller: Caller,
  query: string,
): Promise<FoundModule[]> {
  const words = readQueryWords(query)
  if (words.length === 0) return []
  const { column, id } = listOwnerOf(caller)
  const code = await codeOf(`${column}:${id}`)
  const passages = await findPassages(search, [
    { match: writeStepMatch(code, words), limit: STEPS_READ },
    { match: writeMatch(code, words), limit: PASSAGES_READ },
  ])
  const ofModules = Map.groupBy(passages, ({ moduleId }) => moduleId)
  const rows = await listCards(db, caller, [...ofModules.keys()])
  return rows
    .map((row) => ({ row, hits: rankHits(ofModules.get(row.id) ?? [], words) }))
    .toSorted((a, b) => (b.hits[0]?.rank ?? 0) - (a.hits[0]?.rank ?? 0))
    .slice(0, FOUND_MODULES_MAX)
    .map(({ row, hits }) => ({ row, hits: hits.slice(0, FOUND_HITS_MAX).map(({ hit }) => hit) }))
}

interface RankedHit {
  /** 3: all words are in the title of a step, 2: in what it says, 1: in one line that was said or shown, 0: in several places. */
  rank: number
  hit: SearchHit
}

function rankHits(passages: readonly FoundPassage[], words: readonly string[]): RankedHit[] {
  return passages
    .map((passage) => findHit(passage, words))
    .toSorted((a, b) => b.rank - a.rank || a.hit.start - b.hit.start)
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
  return { rank: count === words.length ? place.rank : 0, hit }
}
