import canonicalize from 'canonicalize'
import { NO_RECORD, type RecordBody } from '#contract/records/training-record.ts'
import { commitPerson } from '../commit-person.ts'
import { writeCsvLine } from '../csv.ts'
import { type Checkpoint, EXPORT_FILES, type ExportedCheckpoints, photoFile, writeRecordLine } from '../export-files.ts'
import { PART_FILE } from '../export-parts.ts'
import { hashBytes, hashRecord } from '../hash-record.ts'
import { HEAD_LINE, listRecordRows } from '../record-table.ts'

const ORGANIZATION = 'org_plant'
export const ANNA = { name: 'Anna Müller', number: '17', salt: 'aa'.repeat(16) }

const encode = (text: string) => new TextEncoder().encode(text)

/** Adds the sums of all files of an export. */
export async function addSums(texts: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const sums = await Promise.all([...texts].map(async ([name, text]) => `${await hashBytes(encode(text))}  ${name}\n`))
  return new Map([...texts, [EXPORT_FILES.sums, sums.join('')]])
}

/** Writes the sums of files and opens all of them as an export. */
export async function sealExport(texts: ReadonlyMap<string, string>): Promise<Map<string, Blob>> {
  return new Map([...(await addSums(texts))].map(([name, text]) => [name, new Blob([text])]))
}

/** Makes the texts of an export of six records about one person and a training with a translation. */
export async function makeExport(): Promise<Map<string, string>> {
  const page = canonicalize({ title: 'Stapler', steps: [] }) ?? ''
  const pageHash = await hashBytes(encode(page))
  const version =
    canonicalize({
      captions: null,
      module: { title: 'Stapler' },
      translations: { de: { page: pageHash, captions: null } },
    }) ?? ''
  const versionHash = await hashBytes(encode(version))
  const person = { id: 'p1', commitment: await commitPerson(ANNA, ANNA.salt) }
  const act = {
    person,
    knownBy: 'personal_link',
    training: { id: 'm1', version: versionHash, number: 1 },
    deviceTime: null,
    wasOffline: false,
  } as const
  const confirmed: RecordBody = { kind: 'confirmed', ...act, words: 'Understood — ✓', language: 'en' }
  const started: RecordBody = { kind: 'started', ...act }
  return writeExport([started, confirmed, started, confirmed, { kind: 'erased', personId: 'p2', by: null }, started], {
    [`versions/${versionHash}.json`]: version,
    [`versions/${pageHash}.json`]: page,
  })
}

/** The photo of a step, as far as a check reads it. */
export const PHOTO = 'a photo'

/** Makes the texts of an export in which somebody was signed off with a photo, and erased since where it says so. */
export async function makeSignedExport({ isErased = false } = {}): Promise<Map<string, string>> {
  const version = canonicalize({ captions: null, module: { title: 'Stapler' }, translations: {} }) ?? ''
  const [versionHash, photo] = await Promise.all([hashBytes(encode(version)), hashBytes(encode(PHOTO))])
  const person = { id: 'p1', commitment: await commitPerson(ANNA, ANNA.salt) }
  const signed: RecordBody = {
    kind: 'signed_off',
    person,
    knownBy: 'supervisor',
    training: { id: 'm1', version: versionHash, number: 1 },
    deviceTime: null,
    wasOffline: false,
    supervisor: person,
    meaning: 'Seen.',
    steps: [
      { id: 'a', note: '' },
      { id: 'b', note: '', photo },
    ],
  }
  const erased: RecordBody = { kind: 'erased', personId: 'p1', by: null }
  const files = { [`versions/${versionHash}.json`]: version, [photoFile(photo, 'image/jpeg')]: PHOTO }
  return writeExport(isErased ? [signed, erased] : [signed], files, { isErased })
}

async function writeExport(
  bodies: RecordBody[],
  files: Record<string, string>,
  { isErased = false } = {},
): Promise<Map<string, string>> {
  const lines: string[] = []
  const rows: string[] = []
  const checkpoints: Checkpoint[] = []
  let previous = NO_RECORD
  for (const [index, body] of bodies.entries()) {
    const seq = index + 1
    const place = { format: 'adapt-record-1', organization: ORGANIZATION, seq, previous } as const
    const record = { ...place, time: '2026-11-30T00:00:00.000Z', body }
    const hashed = await hashRecord(record)
    const nameOf = async () => (isErased ? null : ANNA)
    const read = { hash: hashed.hash, nameOf, titleOf: () => 'Stapler', showsEffort: true }
    rows.push(...(await listRecordRows(record, read)).map(writeCsvLine))
    lines.push(`${writeRecordLine(hashed)}\n`)
    previous = hashed.hash
    if (seq === 3) checkpoints.push({ day: '2026-11-30', seq, hash: previous })
  }
  const about: ExportedCheckpoints = {
    format: 'adapt-export-1',
    organization: ORGANIZATION,
    exportedAt: '2026-12-01T00:00:00.000Z',
    from: { seq: 1, previous: NO_RECORD },
    end: { seq: bodies.length, hash: previous },
    checkpoints,
  }
  return new Map([
    [EXPORT_FILES.records, lines.join('')],
    [EXPORT_FILES.checkpoints, JSON.stringify(about)],
    [EXPORT_FILES.people, JSON.stringify(isErased ? [] : [{ id: 'p1', names: [ANNA] }])],
    [EXPORT_FILES.table, HEAD_LINE + rows.join('')],
    ...Object.entries(files),
  ])
}

/** Divides the texts of an export into three parts, as it is where one call cannot make it: rows, names, versions. */
export function divideExport(texts: ReadonlyMap<string, string>): Map<string, string>[] {
  const { records, table, people, checkpoints } = EXPORT_FILES
  const lines = (texts.get(records) ?? '').split('\n')
  const rows = (texts.get(table) ?? '').split('\r\n').slice(1)
  const rowsOf = (from: number, to?: number) => ({
    [records]: `${lines.slice(from, to).join('\n').trimEnd()}\n`,
    [table]: `${HEAD_LINE}${rows.slice(from, to).join('\r\n').trimEnd()}\r\n`,
  })
  const versions = Object.fromEntries([...texts].filter(([name]) => name.startsWith('versions/')))
  const files = [rowsOf(0, 2), { ...rowsOf(2), [people]: texts.get(people) ?? '' }, versions]
  return files.map((each, index) => {
    const next = index === files.length - 1 ? null : { part: index + 2, end: 6, step: 'people', after: '' }
    const part = JSON.stringify({ number: index + 1, next })
    return new Map([...Object.entries(each), [checkpoints, texts.get(checkpoints) ?? ''], [PART_FILE, part]])
  })
}
