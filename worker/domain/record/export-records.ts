import { makeZip } from 'client-zip'
import { type NamedTraining, photosIn, trainingsOf } from '#contract/records/named-in-record.ts'
import type { TrainingRecord } from '#contract/records/training-record.ts'
import { NO_RECORD } from '#contract/records/training-record.ts'
import { writeCsvLine } from '#records/csv.ts'
import {
  EXPORT_FILES,
  type ExportedCheckpoints,
  type ExportedPerson,
  PHOTOS_FOLDER,
  photoFile,
  VERSIONS_FOLDER,
  writeRecordLine,
} from '#records/export-files.ts'
import { toHex } from '#records/hash-record.ts'
import { HEAD_LINE, listRecordRows } from '#records/record-table.ts'
import { partsOf } from '#records/verify-records.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import type { HeldName } from '#worker/db/record-tables.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { versionsOf } from '#worker/domain/version/version-objects.ts'
import { listCheckpoints } from './checkpoint.ts'
import { divideBySize } from './divide-by-size.ts'
import { openNames } from './name-people.ts'
import { readKeeping } from './record-keeping.ts'
import { readPhoto } from './record-photo.ts'
import { type HashedRow, type Head, readHead, readShown } from './record-store.ts'
import { openTitles } from './title-trainings.ts'

type ExportContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>

/** Records that are in memory at once: thousands of acts, or some assignments of a thousand people. */
const PAGE_BYTES = 4_000_000
const SIZES_AT_ONCE = 10_000
const PEOPLE_AT_ONCE = 500

/** What an export is of, as it was when it began. */
interface Exported extends ExportContext {
  orgId: string
  about: ExportedCheckpoints
  /** By the hash of a version, the training that it is of; known once the records were written. */
  versions: Map<string, string>
  moduleIds: Set<string>
  /** By the hash of a photo, the people of whose records it is. */
  photos: Map<string, Set<string>>
  /** Lines of `SHA256SUMS`. */
  sums: string[]
}

/**
 * Exports all that is kept of an organization's records, some of it at a time: the records with their checkpoints,
 * versions and names, a table for people, and the page that checks it.
 * @param verifyPage `verify.html`
 */
export async function exportRecords(
  { db, d1, bucket, nowMs }: ExportContext,
  { orgId, verifyPage }: { orgId: string; verifyPage: string },
): Promise<ReadableStream<Uint8Array>> {
  const lastModified = new Date(nowMs())
  // Before the head: one beyond the end then means records that were there.
  const checkpoints = await listCheckpoints(bucket, orgId)
  const [head, first] = await Promise.all([readHead(d1, orgId), readFirst(d1, orgId)])
  const about: ExportedCheckpoints = {
    format: 'adapt-export-1',
    organization: orgId,
    exportedAt: toIso(lastModified.getTime()),
    from: { seq: first.seq, previous: first.hash },
    end: { seq: head.seq, hash: head.hash },
    checkpoints,
  }
  const exported: Exported = {
    db,
    d1,
    bucket,
    nowMs,
    orgId,
    about,
    versions: new Map(),
    moduleIds: new Set(),
    photos: new Map(),
    sums: [],
  }
  async function* listFiles() {
    for await (const { name, texts } of listContents(exported, verifyPage))
      yield { name, input: addSum(exported, name, texts), lastModified }
    yield { name: EXPORT_FILES.sums, input: exported.sums.join(''), lastModified }
  }
  return makeZip(listFiles())
}

/** The number of the first record, and the hash of the one before it. */
async function readFirst(d1: D1Database, orgId: string): Promise<Head> {
  const [row] = await listRows<{ seq: number; hash: string | null }>(
    d1,
    'SELECT records_from AS seq, records_from_hash AS hash FROM glossaries WHERE org_id = ?',
    orgId,
  )
  return { seq: row?.seq ?? 1, hash: row?.hash ?? NO_RECORD }
}

interface Content {
  name: string
  texts: AsyncIterable<string> | readonly (string | Uint8Array)[]
}

/** Lists the files of an export, the records first: they say which versions are needed. */
async function* listContents(exported: Exported, verifyPage: string): AsyncGenerator<Content> {
  yield { name: EXPORT_FILES.records, texts: writeRecords(exported) }
  yield { name: EXPORT_FILES.checkpoints, texts: [JSON.stringify(exported.about, null, 2)] }
  yield { name: EXPORT_FILES.people, texts: writePeople(exported) }
  yield* listVersionFiles(exported)
  yield* listPhotoFiles(exported)
  yield { name: EXPORT_FILES.table, texts: writeTable(exported) }
  yield { name: 'README.txt', texts: [describeExport(exported.about)] }
  yield { name: 'verify.html', texts: [verifyPage] }
}

/** Passes a file on and adds its sum. */
async function* addSum({ sums }: Exported, name: string, texts: Content['texts']): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  const digest = new crypto.DigestStream('SHA-256')
  const writer = digest.getWriter()
  for await (const text of texts) {
    const bytes = typeof text === 'string' ? encoder.encode(text) : text
    await writer.write(bytes)
    yield bytes
  }
  await writer.close()
  sums.push(`${toHex(await digest.digest)}  ${name}\n`)
}

/** Lists the records in few queries, of which an invocation has only so many. */
async function* listPages({ d1, orgId, about }: Exported): AsyncGenerator<HashedRow[]> {
  const { from, end } = about
  for (let sizes = await listSizes(d1, orgId, from.seq, end.seq); sizes.length > 0; ) {
    for (const part of divideBySize(sizes, ({ sizeBytes }) => sizeBytes, PAGE_BYTES))
      yield await listRows<HashedRow>(
        d1,
        'SELECT seq, hash, kind, text FROM training_records WHERE org_id = ? AND seq BETWEEN ? AND ? ORDER BY seq',
        orgId,
        part[0]?.seq,
        part.at(-1)?.seq,
      )
    sizes = await listSizes(d1, orgId, (sizes.at(-1)?.seq ?? end.seq) + 1, end.seq)
  }
}

function listSizes(
  d1: D1Database,
  orgId: string,
  fromSeq: number,
  endSeq: number,
): Promise<{ seq: number; sizeBytes: number }[]> {
  return listRows(
    d1,
    `SELECT seq, octet_length(text) AS sizeBytes FROM training_records
     WHERE org_id = ? AND seq BETWEEN ? AND ? ORDER BY seq LIMIT ${SIZES_AT_ONCE}`,
    orgId,
    fromSeq,
    endSeq,
  )
}

async function* writeRecords(exported: Exported): AsyncGenerator<string> {
  for await (const rows of listPages(exported)) {
    for (const { text } of rows) collectNamed(exported, readShown(text))
    yield rows.map((row) => `${writeRecordLine(row)}\n`).join('')
  }
}

function collectNamed({ versions, moduleIds, photos }: Exported, record: TrainingRecord | null): void {
  if (record === null) return
  const { body } = record
  for (const { id } of trainingsOf(body)) moduleIds.add(id)
  if ('training' in body) versions.set(body.training.version, body.training.id)
  for (const { hash, personId } of photosIn(body))
    photos.set(hash, (photos.get(hash) ?? new Set<string>()).add(personId))
}

async function* writePeople({ d1, orgId }: Exported): AsyncGenerator<string> {
  let before = '['
  for (let afterId = '', hasMore = true; hasMore; ) {
    const rows = await listRows<{ id: string; names: string }>(
      d1,
      `SELECT id, names FROM people WHERE org_id = ? AND id > ? ORDER BY id LIMIT ${PEOPLE_AT_ONCE}`,
      orgId,
      afterId,
    )
    for (const { id, names } of rows) {
      const person: ExportedPerson = { id, names: JSON.parse(names) as HeldName[] }
      yield `${before}\n${JSON.stringify(person)}`
      before = ','
    }
    afterId = rows.at(-1)?.id ?? ''
    hasMore = rows.length === PEOPLE_AT_ONCE
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** Lists the objects of all versions that records name. What the bucket does not have is missing, as the check says. */
async function* listVersionFiles({ bucket, versions }: Exported): AsyncGenerator<Content> {
  const written = new Set<string>()
  for (const [hash, moduleId] of versions) {
    const queue = [hash]
    for (const next of queue) {
      if (written.has(next)) continue
      written.add(next)
      const text = await (await bucket.get(`${versionsOf(moduleId)}${next}`))?.text()
      if (text === undefined) continue
      yield { name: `${VERSIONS_FOLDER}${next}.json`, texts: [text] }
      if (next === hash) queue.push(...partsOf(JSON.parse(text)))
    }
  }
}

/** Lists the photos that records name. Those of people who were erased are gone, as the check says. */
async function* listPhotoFiles({ bucket, orgId, photos }: Exported): AsyncGenerator<Content> {
  for (const [hash, personIds] of photos)
    for (const personId of personIds) {
      const photo = await readPhoto(bucket, { orgId, personId, hash })
      if (photo === null) continue
      yield { name: photoFile(hash, photo.type), texts: [photo.bytes] }
      break
    }
}

async function* writeTable(exported: Exported): AsyncGenerator<string> {
  const { db, d1, orgId, moduleIds } = exported
  const { showsEffort } = (await readKeeping(db, orgId)).keeping
  const trainings = [...moduleIds].map((id) => ({ id, number: null }))
  const [nameOf, titleOf] = await Promise.all([openNames(d1, orgId), openTitles(d1, orgId, trainings)])
  yield HEAD_LINE
  const read = { showsEffort, nameOf, titleOf: ({ id, number }: NamedTraining) => titleOf({ id, number }) ?? id }
  for await (const rows of listPages(exported))
    for (const { text, hash } of rows) {
      const record = readShown(text)
      if (record !== null) yield (await listRecordRows(record, { ...read, hash })).map(writeCsvLine).join('')
    }
}

function describeExport({ organization, exportedAt, from, end }: ExportedCheckpoints): string {
  const complete =
    from.seq === 1
      ? 'The list is complete from its first record.'
      : `The list is complete from record ${from.seq}; earlier ones were removed after their time.`
  return [
    `Training records of the organization ${organization}, exported at ${exportedAt}`,
    '',
    `${complete} It ends with record ${end.seq}, whose hash is ${end.hash}.`,
    '',
    'Open verify.html and drop this ZIP file there: it checks, without a network, that nothing was changed.',
    '',
    `${EXPORT_FILES.records}      a record per line, with the SHA-256 of its text; each names the hash of the one before`,
    `${EXPORT_FILES.checkpoints}  where the list begins and ends, and its end on earlier days`,
    `${EXPORT_FILES.people}       names; a record holds HMAC-SHA-256 of name and number, with the salt as key`,
    `${VERSIONS_FOLDER}          what learners saw, each file named by its SHA-256`,
    `${PHOTOS_FOLDER}            what supervisors took photos of, likewise; those of erased people are removed`,
    `${EXPORT_FILES.table}        the same for people; titles in rows without a version are those of the day of the export.`,
    '                   Seconds and attempts are in it where the organization shows them; in the proof they are hashed',
    `${EXPORT_FILES.sums}         SHA-256 of all files (sha256sum -c)`,
    '',
    'All JSON that is hashed is canonical (RFC 8785).',
    '',
  ].join('\r\n')
}
