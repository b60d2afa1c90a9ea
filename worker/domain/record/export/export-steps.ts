import { LANGUAGE_TAGS } from '#contract/languages.ts'
import type { ExportStep } from '#contract/records/export-request.ts'
import { type NamedTraining, trainingsOf } from '#contract/records/named-in-record.ts'
import { writeCsvLine } from '#records/csv.ts'
import {
  EXPORT_FILES,
  type ExportedPerson,
  parseJson,
  photoFile,
  VERSIONS_FOLDER,
  writeRecordLine,
} from '#records/export-files.ts'
import { HEAD_LINE, listRecordRows } from '#records/record-table.ts'
import { partsOf } from '#records/verify-records.ts'
import { listRows } from '#worker/db/db.ts'
import type { HeldName } from '#worker/db/record-tables.ts'
import { openNames } from '#worker/domain/record/name-people.ts'
import { readKeeping } from '#worker/domain/record/record-keeping.ts'
import { listNamedPhotos, readPhoto } from '#worker/domain/record/record-photo.ts'
import { type HashedRow, readShown } from '#worker/domain/record/record-store.ts'
import { openTitles } from '#worker/domain/record/title-trainings.ts'
import { versionsOf } from '#worker/domain/version/version-objects.ts'
import type { Content, WrittenPart } from './export-part.ts'

/** 100 MB of records. */
const PAGES_MAX = 25

/** Lists the files of a step, as many of them as the part may have, of what comes after something. */
type ListFiles = (part: WrittenPart, after: string) => AsyncGenerator<Content>

/** How each step is written. */
export const WRITE_STEPS: Readonly<Record<ExportStep, ListFiles>> = {
  records: listRecordFiles,
  people: listPeopleFile,
  versions: listVersionFiles,
  photos: listPhotoFiles,
}

interface RecordPage {
  first: number
  last: number
}

/** Calls of the records besides those of their pages: where these begin, names, titles, and what is shown. */
const RECORD_CALLS = 4

/** Lists the records, and the table for people. */
async function* listRecordFiles(part: WrittenPart, after: string): AsyncGenerator<Content> {
  const { about, callsLeft } = part
  const fromSeq = Math.max(about.from.seq, Number.parseInt(`0${after}`, 10) + 1)
  // Each is read for either file.
  const pagesMax = Math.min(PAGES_MAX, Math.max(1, Math.floor((callsLeft - RECORD_CALLS) / 2)))
  const pages = await divideRecords(part, fromSeq, pagesMax)
  part.take(RECORD_CALLS + 2 * pages.length)
  const lastSeq = pages.at(-1)?.last ?? about.end.seq
  if (lastSeq < about.end.seq) part.leave('records', String(lastSeq))
  const moduleIds = new Set<string>()
  yield { name: EXPORT_FILES.records, texts: writeRecords(part, pages, moduleIds) }
  yield { name: EXPORT_FILES.table, texts: writeTable(part, pages, moduleIds) }
}

/** Divides the records into pages of about one size. */
function divideRecords(
  { context, about, limits }: WrittenPart,
  fromSeq: number,
  pagesMax: number,
): Promise<RecordPage[]> {
  return listRows(
    context.d1,
    `SELECT min(seq) AS first, max(seq) AS last FROM (
       SELECT seq, sum(octet_length(text)) OVER (ORDER BY seq) / CAST(? AS INTEGER) AS page FROM training_records
       WHERE org_id = ? AND seq BETWEEN ? AND ?)
     GROUP BY page ORDER BY page LIMIT ?`,
    limits.pageBytes,
    about.organization,
    fromSeq,
    about.end.seq,
    pagesMax,
  )
}

async function* listPages({ context, about }: WrittenPart, pages: readonly RecordPage[]): AsyncGenerator<HashedRow[]> {
  for (const { first, last } of pages)
    yield await listRows<HashedRow>(
      context.d1,
      'SELECT seq, hash, kind, text FROM training_records WHERE org_id = ? AND seq BETWEEN ? AND ? ORDER BY seq',
      about.organization,
      first,
      last,
    )
}

async function* writeRecords(
  part: WrittenPart,
  pages: readonly RecordPage[],
  moduleIds: Set<string>,
): AsyncGenerator<string> {
  for await (const rows of listPages(part, pages)) {
    for (const { text } of rows) {
      const record = readShown(text)
      if (record !== null) for (const { id } of trainingsOf(record.body)) moduleIds.add(id)
    }
    yield rows.map((row) => `${writeRecordLine(row)}\n`).join('')
  }
}

async function* writeTable(
  part: WrittenPart,
  pages: readonly RecordPage[],
  moduleIds: ReadonlySet<string>,
): AsyncGenerator<string> {
  const { db, d1 } = part.context
  const orgId = part.about.organization
  const { showsEffort } = (await readKeeping(db, orgId)).keeping
  const trainings = [...moduleIds].map((id) => ({ id, number: null }))
  const [nameOf, titleOf] = await Promise.all([openNames(d1, orgId), openTitles(d1, orgId, trainings)])
  yield HEAD_LINE
  const read = { showsEffort, nameOf, titleOf: ({ id, number }: NamedTraining) => titleOf({ id, number }) ?? id }
  for await (const rows of listPages(part, pages))
    for (const { text, hash } of rows) {
      const record = readShown(text)
      if (record !== null) yield (await listRecordRows(record, { ...read, hash })).map(writeCsvLine).join('')
    }
}

async function* listPeopleFile(part: WrittenPart, after: string): AsyncGenerator<Content> {
  if (part.callsLeft < 1) part.leave('people', after)
  else yield { name: EXPORT_FILES.people, texts: writePeople(part, after) }
}

async function* writePeople(part: WrittenPart, after: string): AsyncGenerator<string> {
  const { peopleAtOnce } = part.limits
  let before = '['
  for (let afterId = after, hasMore = true; hasMore; ) {
    part.take(1)
    const rows = await listRows<{ id: string; names: string }>(
      part.context.d1,
      'SELECT id, names FROM people WHERE org_id = ? AND id > ? ORDER BY id LIMIT ?',
      part.about.organization,
      afterId,
      peopleAtOnce,
    )
    for (const { id, names } of rows) {
      const person: ExportedPerson = { id, names: JSON.parse(names) as HeldName[] }
      yield `${before}\n${JSON.stringify(person)}`
      before = ','
    }
    afterId = rows.at(-1)?.id ?? ''
    hasMore = rows.length === peopleAtOnce
    if (!hasMore || part.callsLeft > 0) continue
    part.leave('people', afterId)
    break
  }
  yield before === '[' ? '[]\n' : '\n]\n'
}

/** Objects of a version: itself, its captions, the texts that its video shows, and page and captions of each language. */
const VERSION_CALLS = 3 + 2 * LANGUAGE_TAGS.length

interface NamedVersion {
  hash: string
  moduleId: string
}

/**
 * Lists the objects of all versions that records name, in the order of their hashes. What the bucket does not have is
 * missing, as the check says. An object that two versions have in common may be in two parts.
 */
async function* listVersionFiles(part: WrittenPart, after: string): AsyncGenerator<Content> {
  const most = part.callsLeft - VERSION_CALLS
  if (most < 1) return part.leave('versions', after)
  part.take(1)
  const versions = await listNamedVersions(part, after, most)
  const written = new Set<string>()
  let last = after
  for (const { hash, moduleId } of versions) {
    if (part.callsLeft < VERSION_CALLS) return part.leave('versions', last)
    const queue = [hash]
    for (const next of queue) {
      if (written.has(next)) continue
      written.add(next)
      part.take(1)
      const text = await (await part.context.bucket.get(`${versionsOf(moduleId)}${next}`))?.text()
      if (text === undefined) continue
      yield { name: `${VERSIONS_FOLDER}${next}.json`, texts: [text] }
      if (next === hash) queue.push(...partsOf(parseJson(text)).slice(0, VERSION_CALLS - 1))
    }
    last = hash
  }
  if (versions.length === most) part.leave('versions', last)
}

/** Lists the versions that records name. A row that holds no record names none, as the check of an export then says. */
function listNamedVersions({ context, about }: WrittenPart, after: string, most: number): Promise<NamedVersion[]> {
  return listRows(
    context.d1,
    `SELECT hash, max(id) AS moduleId FROM (
       SELECT iif(json_valid(text), text ->> '$.body.training.version', NULL) AS hash,
         iif(json_valid(text), text ->> '$.body.training.id', NULL) AS id
       FROM training_records WHERE org_id = ? AND seq BETWEEN ? AND ?)
     WHERE hash > ? AND length(hash) = 64 AND hash NOT GLOB '*[^0-9a-f]*' GROUP BY hash ORDER BY hash LIMIT ?`,
    about.organization,
    about.from.seq,
    about.end.seq,
    after,
    most,
  )
}

/** Calls for a photo with those that find out which there are. */
const PHOTO_CALLS = 3

/** Lists the photos that records name. Those of people who were erased are gone, as the check says. */
async function* listPhotoFiles(part: WrittenPart, after: string): AsyncGenerator<Content> {
  const { context, about } = part
  const written = new Set<string>()
  for (let last: string | null = after; last !== null; ) {
    if (part.callsLeft < PHOTO_CALLS) return part.leave('photos', last)
    part.take(2)
    const listed = await listNamedPhotos(context, about, { after: last, most: part.callsLeft })
    for (const place of listed.photos) {
      if (written.has(place.hash)) continue
      part.take(1)
      const photo = await readPhoto(context.bucket, place)
      if (photo === null) continue
      written.add(place.hash)
      yield { name: photoFile(place.hash, photo.type), texts: [photo.bytes] }
    }
    last = listed.last
  }
}
