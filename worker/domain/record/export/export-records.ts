import { makeZip } from 'client-zip'
import { EXPORT_STEPS, type ExportRequest } from '#contract/records/export-request.ts'
import { NO_RECORD } from '#contract/records/training-record.ts'
import { EXPORT_FILES, type ExportedCheckpoints, PHOTOS_FOLDER, VERSIONS_FOLDER } from '#records/export-files.ts'
import { type ExportPart, PART_FILE } from '#records/export-parts.ts'
import { toHex } from '#records/hash-record.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { listRows } from '#worker/db/db.ts'
import { listCheckpoints } from '#worker/domain/record/checkpoint.ts'
import { type Head, readHead } from '#worker/domain/record/record-store.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { type Content, PART_LIMITS, type PartLimits, WrittenPart } from './export-part.ts'
import { WRITE_STEPS } from './export-steps.ts'

type ExportContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>

interface ExportOptions {
  orgId: string
  request: ExportRequest
  /** `verify.html` */
  verifyPage: string
  limits?: PartLimits
}

/**
 * Exports what is kept of an organization's records, some of it at a time: the records with their checkpoints, versions
 * and names, a table for people, and the page that checks it. What is too much for one call is left to the next part,
 * which goes on there, with the same first and last record.
 * @throws {AppError} not_found where records or names were removed since the first part: the rest would not fit
 */
export async function exportRecords(
  { nowMs, ...context }: ExportContext,
  { orgId, request, verifyPage, limits = PART_LIMITS }: ExportOptions,
): Promise<ReadableStream<Uint8Array>> {
  const lastModified = new Date(nowMs())
  // The first part ends with the newest record, whatever is asked for: no export leaves out the last ones.
  const asked: Pick<ExportRequest, 'from' | 'end'> = request.part === 1 ? {} : request
  // Before the head: one beyond the end then means records that were there.
  const checkpoints = await listCheckpoints(context.bucket, orgId)
  const [end, first] = await Promise.all([findEnd(context.d1, orgId, asked.end), readFirst(context.d1, orgId)])
  if (end === null || (asked.from ?? first.seq) !== first.seq)
    throw new AppError('not_found', 'Records or names were removed since this export began. Export them again.')
  const about: ExportedCheckpoints = {
    format: 'adapt-export-1',
    organization: orgId,
    exportedAt: toIso(lastModified.getTime()),
    from: { seq: first.seq, previous: first.hash },
    end: { seq: end.seq, hash: end.hash },
    checkpoints: asked.end === undefined ? checkpoints : checkpoints.filter(({ seq }) => seq <= end.seq),
  }
  const part = new WrittenPart(context, { about, number: request.part, limits })
  const sums: string[] = []
  async function* listFiles() {
    for await (const { name, texts } of listContents(part, request, verifyPage))
      yield { name, input: addSum(sums, name, texts), lastModified }
    yield { name: EXPORT_FILES.sums, input: sums.join(''), lastModified }
  }
  return makeZip(listFiles())
}

/**
 * Finds the last record of all parts: the newest, or the one that the first part ended with; null where it is gone, or
 * somebody was erased since, whose name the records until then still need.
 */
async function findEnd(d1: D1Database, orgId: string, end: number | undefined): Promise<Head | null> {
  if (end === undefined) return readHead(d1, orgId)
  const [head] = await listRows<Head>(
    d1,
    `SELECT seq, hash FROM training_records WHERE org_id = ?1 AND seq = ?2 AND NOT EXISTS (
       SELECT 1 FROM training_records WHERE org_id = ?1 AND kind = 'erased' AND seq > ?2)`,
    orgId,
    end,
  )
  return head ?? null
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

/** Lists the files of a part, and at last which one it is: that is known once they were written. */
async function* listContents(
  part: WrittenPart,
  { step: firstStep, after }: ExportRequest,
  verifyPage: string,
): AsyncGenerator<Content> {
  for (const step of EXPORT_STEPS.slice(EXPORT_STEPS.indexOf(firstStep))) {
    yield* WRITE_STEPS[step](part, step === firstStep ? after : '')
    if (part.next !== null) break
  }
  const { about, number, next } = part
  yield { name: EXPORT_FILES.checkpoints, texts: [JSON.stringify(about, null, 2)] }
  yield { name: PART_FILE, texts: [JSON.stringify({ number, next } satisfies ExportPart, null, 2)] }
  yield { name: 'README.txt', texts: [describeExport(part)] }
  yield { name: 'verify.html', texts: [verifyPage] }
}

/** Passes a file on and adds its sum. */
async function* addSum(sums: string[], name: string, texts: Content['texts']): AsyncGenerator<Uint8Array> {
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

function describeExport({ number, next, about: { organization, exportedAt, from, end } }: WrittenPart): string {
  const complete =
    from.seq === 1
      ? 'The list is complete from its first record.'
      : `The list is complete from record ${from.seq}; earlier ones were removed after their time.`
  const others = next === null ? 'the last of them' : 'more follow'
  const parts = number === 1 && next === null ? [] : ['', `This is part ${number} of several ZIP files, ${others}.`]
  return [
    `Training records of the organization ${organization}, exported at ${exportedAt}`,
    '',
    `${complete} It ends with record ${end.seq}, whose hash is ${end.hash}.`,
    ...parts,
    '',
    'Open verify.html and drop all ZIP files of the export there: it checks, without a network, that nothing was changed.',
    '',
    `${EXPORT_FILES.records}      a record per line, with the SHA-256 of its text; each names the hash of the one before`,
    `${EXPORT_FILES.checkpoints}  where the list begins and ends, and its end on earlier days`,
    `${EXPORT_FILES.people}       names; a record holds HMAC-SHA-256 of name and number, with the salt as key`,
    `${VERSIONS_FOLDER}          what learners saw, each file named by its SHA-256`,
    `${PHOTOS_FOLDER}            what supervisors took photos of, likewise; those of erased people are removed`,
    `${EXPORT_FILES.table}        the same for people; titles in rows without a version are those of the day of the export.`,
    '                   Seconds and attempts are in it where the organization shows them; in the proof they are hashed',
    `${PART_FILE}          which of the ZIP files this is, and how the next one is asked for`,
    `${EXPORT_FILES.sums}         SHA-256 of all files (sha256sum -c)`,
    '',
    'All JSON that is hashed is canonical (RFC 8785).',
    '',
  ].join('\r\n')
}
