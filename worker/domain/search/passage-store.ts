/** A spoken line with its start, or one that stands on the screen. */
type SaidLine = [startMs: number, text: string, isOnScreen?: true]

/** What is found together: a step, and some of what was said or shown in it. A step in which much was said has several. */
export interface Passage {
  startMs: number
  /** Title of the step; null where there is none. */
  step: string | null
  /** What else the step says, by line; empty in all but its first passage. */
  lines: string[]
  said: SaidLine[]
}

/** A passage with its words as the index holds them. */
export interface IndexedPassage extends Passage {
  words: { step: string; said: string }
}

/** A passage that was found. */
export interface FoundPassage extends Passage {
  moduleId: string
}

/** Another layout of the tables has another number; then the sweep makes them again, and fills them. */
const LAYOUT = 1

/**
 * Passages as they are shown, and their words. These are without their text, without positions and with the codes of
 * their owners (`writeIndexed`), so the tokenizer has nothing to do but to separate them.
 */
const TABLES = [
  'DROP TABLE IF EXISTS words',
  'DROP TABLE IF EXISTS passages',
  'DROP TABLE IF EXISTS layouts',
  `CREATE TABLE passages (id INTEGER PRIMARY KEY, module_id TEXT NOT NULL, position INTEGER NOT NULL,
     start_ms INTEGER NOT NULL, step TEXT, lines TEXT NOT NULL, said TEXT NOT NULL)`,
  'CREATE UNIQUE INDEX passages_by_module ON passages (module_id, position)',
  `CREATE VIRTUAL TABLE words USING fts5(module, step, said,
     content = '', contentless_delete = 1, detail = column, tokenize = 'ascii')`,
  'CREATE TABLE layouts (layout INTEGER NOT NULL)',
]

function isMissing(error: unknown): boolean {
  return /no such table/.test(String(error))
}

/** Whether the index has its tables, and all modules are indexed or marked for it. */
export async function hasIndex(search: D1Database): Promise<boolean> {
  try {
    return (await search.prepare('SELECT layout FROM layouts LIMIT 1').first('layout')) === LAYOUT
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

/** Makes the tables of the index, empty. `hasIndex` is false until {@link completeIndex}. */
export async function makeIndex(search: D1Database): Promise<void> {
  await search.batch(TABLES.map((sql) => search.prepare(sql)))
}

/** Records that all modules have been marked since the tables were made. */
export async function completeIndex(search: D1Database): Promise<void> {
  await search.prepare(`INSERT INTO layouts (layout) VALUES (${LAYOUT})`).run()
}

/** Far from the megabytes that D1 takes in one value. */
const JSON_CHARS_MAX = 200_000

/** Replaces the passages of a module, in one transaction. */
export async function replacePassages(
  search: D1Database,
  { moduleId, title, passages }: { moduleId: string; title: string; passages: readonly IndexedPassage[] },
): Promise<void> {
  const bind = (sql: string, ...values: unknown[]) => search.prepare(sql).bind(moduleId, ...values)
  const inserts = splitJson(passages).flatMap((json) => [
    bind(
      `INSERT INTO passages (module_id, position, start_ms, step, lines, said)
       SELECT ?1, value->>'position', value->>'startMs', value->>'step', value->'lines', value->'said' FROM json_each(?2)`,
      json,
    ),
    bind(
      `INSERT INTO words (rowid, module, step, said)
       SELECT passages.id, ?3, value->>'$.words.step', value->>'$.words.said'
       FROM json_each(?2) JOIN passages ON module_id = ?1 AND passages.position = value->>'position'`,
      json,
      title,
    ),
  ])
  await search.batch([...deleteOf(search, [moduleId]), ...inserts])
}

function splitJson(passages: readonly IndexedPassage[]): string[] {
  const parts: string[][] = []
  let chars = Number.POSITIVE_INFINITY
  for (const [position, passage] of passages.entries()) {
    const json = JSON.stringify({ ...passage, position })
    if (chars + json.length > JSON_CHARS_MAX) {
      parts.push([])
      chars = 0
    }
    parts.at(-1)?.push(json)
    chars += json.length
  }
  return parts.map((part) => `[${part.join(',')}]`)
}

function deleteOf(search: D1Database, moduleIds: readonly string[]): D1PreparedStatement[] {
  const which = 'module_id IN (SELECT value FROM json_each(?1))'
  return [
    `DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE ${which})`,
    `DELETE FROM passages WHERE ${which}`,
  ].map((sql) => search.prepare(sql).bind(JSON.stringify(moduleIds)))
}

/** Removes modules from the index; nothing happens where it has no tables yet. */
export async function removePassages(search: D1Database, moduleIds: readonly string[]): Promise<void> {
  try {
    if (moduleIds.length > 0) await search.batch(deleteOf(search, moduleIds))
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/**
 * Finds passages for each of some expressions, what was indexed last first.
 * @param limits how many each of them may find
 * @returns them in the order of the expressions, each once; none where the index has no tables yet
 */
export async function findPassages(
  search: D1Database,
  matches: readonly { match: string; limit: number }[],
): Promise<FoundPassage[]> {
  const select = `SELECT id, module_id, start_ms, step, lines, said FROM passages
    WHERE id IN (SELECT rowid FROM words WHERE words MATCH ?1 ORDER BY rowid DESC LIMIT ?2) ORDER BY id DESC`
  try {
    const found = await search.batch<PassageRow>(
      matches.map(({ match, limit }) => search.prepare(select).bind(match, limit)),
    )
    return [...new Map(found.flatMap(({ results }) => results.map((row) => [row.id, readRow(row)]))).values()]
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

interface PassageRow {
  id: number
  module_id: string
  start_ms: number
  step: string | null
  lines: string
  said: string
}

function readRow({ module_id: moduleId, start_ms: startMs, step, lines, said }: PassageRow): FoundPassage {
  return { moduleId, startMs, step, lines: JSON.parse(lines) as string[], said: JSON.parse(said) as SaidLine[] }
}
