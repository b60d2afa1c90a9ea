import { cpSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { PresignAnswer } from '#contract/upload.ts'
import { type Caller, openCaller } from '../client.ts'
import { readTally } from '../pipeline/measure.ts'
import { waitFor } from '../rounds.ts'
import { type Bench, gate, inKb, logProgress, row, type Scenario, sum } from '../scenario.ts'
import type { ServedWorker } from '../serve.ts'
import { provideVideo } from '../video.ts'
import type { LearnersRequest } from '../wire.ts'

const MINUTES = 10
/** What is said decides what is kept; the image needs next to nothing. */
const SMALL = { framesPerS: 1, videoKbps: 100 }
/** A quarter of the modules are measured on their own, to see whether a module costs more where there are more. */
const FIRST_SHARE = 0.25
/** 10,000 modules a day fill the 10 GB of one database in 40 days. */
const MODULE_BYTES_MAX = 25_000
const LEARNERS: Omit<LearnersRequest, 'moduleId'> = { learners: 250, reportsEach: 4, durationS: MINUTES * 60 }
const LOOK_EVERY_MS = 1_000
const READY_WITHIN_MS = 10 * 60_000

/** Bytes of pages, by table: rows, and the indexes on them. */
type Sizes = Record<string, { rows: number; indexes: number }>

interface TableRow {
  tableName: string
  isIndex: number
  bytes: number
}

const SIZES = `SELECT s.tbl_name AS tableName, s.type = 'index' AS isIndex, sum(d.pgsize) AS bytes
  FROM dbstat AS d JOIN sqlite_schema AS s ON s.name = d.name
  WHERE s.tbl_name NOT LIKE 'sqlite%' AND s.tbl_name NOT LIKE '\\_cf%' ESCAPE '\\' AND s.tbl_name NOT LIKE 'd1\\_%' ESCAPE '\\'
  GROUP BY 1, 2`

/** Reads a copy: the worker has the database open. What it has not written back yet lies in the file beside it. */
function readSizes(folder: string, name: string): Sizes {
  const databases = join(folder, 'data/v3/d1/miniflare-D1DatabaseObject')
  const copies = join(folder, name)
  cpSync(databases, copies, { recursive: true })
  const file = readdirSync(copies).find((each) => each.endsWith('.sqlite') && each !== 'metadata.sqlite')
  if (file === undefined) throw new Error(`${databases} holds no database`)
  const database = new DatabaseSync(join(copies, file))
  const sizes: Sizes = {}
  for (const { tableName, isIndex, bytes } of database.prepare(SIZES).all() as unknown as TableRow[]) {
    const size = (sizes[tableName] ??= { rows: 0, indexes: 0 })
    size[isIndex === 1 ? 'indexes' : 'rows'] = bytes
  }
  database.close()
  return sizes
}

const totalOf = (sizes: Sizes) => sum(Object.values(sizes).map(({ rows, indexes }) => rows + indexes))

/** What each table has taken since, for each of so many. */
function growthOf(after: Sizes, before: Sizes, count: number): Sizes {
  const grown = Object.entries(after).map(([table, { rows, indexes }]) => {
    const was = before[table] ?? { rows: 0, indexes: 0 }
    return [table, { rows: (rows - was.rows) / count, indexes: (indexes - was.indexes) / count }] as const
  })
  return Object.fromEntries(grown)
}

/** Uploads a video as a plain client does, each of a person of its own. @returns the module's id */
async function upload(caller: Caller, bytes: Uint8Array, number: number): Promise<string> {
  const as = `${number}.a.trainer`
  const json = {
    filename: `How to change the roll ${number}.mp4`,
    contentType: 'video/mp4',
    sizeBytes: bytes.byteLength,
  }
  const headers = { 'cf-connecting-ip': `10.0.1.${number % 256}` }
  const presign = { path: '/api/presigned-upload/presigned-url', as, json, headers }
  const { uploadUrl, key, moduleId } = await caller.ask<PresignAnswer>(presign)
  const { pathname, search } = new URL(uploadUrl)
  await caller.ask({ method: 'PUT', path: pathname + search, body: { bytes, contentType: 'video/mp4' } })
  await caller.ask({ path: '/api/upload/complete', as, json: { moduleId, key }, headers })
  return moduleId
}

async function waitUntilReady(worker: ServedWorker, count: number): Promise<void> {
  const isReady = async () => {
    const rows = await worker.sql<{ status: string; count: number }>(
      'SELECT status, count(*) AS count FROM modules GROUP BY 1',
    )
    if (rows.some(({ status }) => status === 'FAILED')) throw new Error('A module failed')
    return rows.find(({ status }) => status === 'READY')?.count === count ? true : null
  }
  await waitFor(isReady, { everyMs: LOOK_EVERY_MS, withinMs: READY_WITHIN_MS })
}

async function measureStorage({ folder, serve, values }: Bench) {
  const count = Number(values['modules'])
  const worker = await serve()
  const caller = openCaller(worker.url, 2)
  const bytes = await readFile(await provideVideo(MINUTES, SMALL))
  const first = Math.ceil(count * FIRST_SHARE)
  const before = readSizes(folder, 'empty')
  let moduleId = ''
  logProgress(`${count} videos of ${MINUTES} minutes, each of another person`)
  for (let number = 0; number < first; number += 1) moduleId = await upload(caller, bytes, number)
  await waitUntilReady(worker, first)
  const few = readSizes(folder, 'few')
  for (let number = first; number < count; number += 1) {
    moduleId = await upload(caller, bytes, number)
    // So many at once that one waits long for its turn would wake the watchdog, of which a bench complains.
    if ((number + 1) % first === 0) await waitUntilReady(worker, number + 1)
  }
  await waitUntilReady(worker, count)
  const all = readSizes(folder, 'all')
  const { d1 } = await readTally(worker)
  logProgress(`${LEARNERS.learners} learners of one of them`)
  await worker.ask('/api/bench/learners', { moduleId, ...LEARNERS } satisfies LearnersRequest)
  const learned = readSizes(folder, 'learned')
  caller.close()
  const [said] = await worker.sql<{ steps: number }>(
    'SELECT count(*) AS steps FROM steps WHERE module_id = ?',
    moduleId,
  )
  return {
    modules: count,
    steps_per_module: said?.steps ?? 0,
    d1_bytes_per_ready_ten_minute_module: Math.round((totalOf(all) - totalOf(before)) / count),
    d1_bytes_per_module_of_the_first: Math.round((totalOf(few) - totalOf(before)) / first),
    d1_bytes_per_module_after_them: Math.round((totalOf(all) - totalOf(few)) / (count - first)),
    d1_bytes_per_module_by_table: growthOf(all, before, count),
    d1_rows_written_per_video_minute: d1.rowsWritten / (count * MINUTES),
    d1_bytes_per_learner: Math.round((totalOf(learned) - totalOf(all)) / LEARNERS.learners),
    d1_bytes_per_learner_by_table: growthOf(learned, all, LEARNERS.learners),
  }
}

function listTables(sizes: Sizes) {
  return Object.entries(sizes)
    .filter(([, { rows, indexes }]) => Math.abs(rows) + Math.abs(indexes) >= 1)
    .toSorted(([, a], [, b]) => b.rows + b.indexes - (a.rows + a.indexes))
    .map(([table, { rows, indexes }]) => {
      return row(`  ${table}`, `${rows.toFixed(0)} B, and ${indexes.toFixed(0)} B of indexes`)
    })
}

/** What a module of ten minutes leaves in the database once it is READY, and what a learner of it adds. */
export const scenario: Scenario = {
  options: { modules: { type: 'string', default: '24' } },
  tools: ['ffmpeg'],
  async measure(bench) {
    const figures = await measureStorage(bench)
    const kb = (bytes: number) => inKb(bytes / 1_000)
    const bytes = figures.d1_bytes_per_ready_ten_minute_module
    return {
      json: figures,
      table: [
        gate(
          `A READY module of ${MINUTES} minutes, ${figures.steps_per_module} steps`,
          bytes,
          { atMost: MODULE_BYTES_MAX },
          kb(bytes),
        ),
        ...listTables(figures.d1_bytes_per_module_by_table),
        row('  the first quarter of them alone', kb(figures.d1_bytes_per_module_of_the_first)),
        row('  each that came after them', kb(figures.d1_bytes_per_module_after_them)),
        row('Rows written per minute of video', figures.d1_rows_written_per_video_minute.toFixed(1)),
        row(`A learner who has sent ${LEARNERS.reportsEach} reports`, `${figures.d1_bytes_per_learner} B`),
        ...listTables(figures.d1_bytes_per_learner_by_table),
      ],
    }
  },
}
