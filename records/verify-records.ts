import type { NamedTraining } from '#contract/records/named-in-record.ts'
import { checkChain, type ReadChain } from './check-chain.ts'
import { checkPhotos } from './check-photos.ts'
import { checkTable } from './check-table.ts'
import { commitPerson, type PersonName } from './commit-person.ts'
import {
  EXPORT_FILES,
  type ExportedCheckpoints,
  type ExportedPerson,
  isPeople,
  parseJson,
  VERSIONS_FOLDER,
} from './export-files.ts'
import type { Finding } from './findings.ts'
import { hashBytes } from './hash-record.ts'
import { type Files, joinParts } from './join-parts.ts'
import type { NameOf } from './record-table.ts'

/** What an export was found to be. */
export interface Verified {
  /** What is wrong with it, at most {@link FINDINGS_MAX} of it. */
  findings: Finding[]
  /** Null where `checkpoints.json` cannot be read. */
  about: ExportedCheckpoints | null
  /** How many records are as they were hashed, in order. */
  records: number
  /** Hash of the last one. */
  end: string
  /** Number of the record that has the hash which the reader has kept; null where no record has it, or none was given. */
  keptSeq: number | null
  /** How many photos were removed with the names of their people. */
  removedPhotos: number
}

/** The hash of a record in what was copied with its day and number; null for none. */
export function findHash(text: string): string | null {
  return /\b[0-9a-f]{64}\b/.exec(text.toLowerCase())?.[0] ?? null
}

/** More would not be read. */
export const FINDINGS_MAX = 100

/**
 * Checks an export: that its records are those that were hashed, complete and in order, that they are those of the
 * checkpoints, and that versions, photos, names and the table for spreadsheets are those that the records mean.
 * @param files of each of its parts, in any order
 * @param kept hash of a record that the reader has kept elsewhere: only by it a list is found that was written anew
 */
export async function verifyRecords(files: readonly Files[], kept: string | null = null): Promise<Verified> {
  const findings = new Map<string, Finding>()
  const report = (finding: Finding) => {
    if (findings.size < FINDINGS_MAX) findings.set(JSON.stringify(finding), finding)
  }
  const joined = await joinParts(files, report)
  if (joined === null) {
    // What a missing part holds cannot be told from what is missing in it.
    for (const part of files) await checkSums(part, report)
    return { findings: [...findings.values()], about: null, records: 0, end: '', keptSeq: null, removedPhotos: 0 }
  }
  const { parts, about } = joined
  const chain = await checkChain(listLines(filesOf(parts, EXPORT_FILES.records)), { about, kept }, report)
  await checkVersions(parts, chain.versions, report)
  const removedPhotos = await checkPhotos(
    parts.flatMap((part) => [...part]),
    chain,
    report,
  )
  const people = await readPeople(parts, report)
  const committed = openCommitments(people ?? [])
  if (people !== null) await checkPeople(committed, chain, report)
  // Where records or names are others, the table need not be compared with them.
  if (findings.size === 0) await checkTableOf(parts, committed, report)
  for (const part of parts) await checkSums(part, report)
  const { count: records, end, keptSeq } = chain
  return { findings: [...findings.values()], about, records, end, keptSeq, removedPhotos }
}

type Report = (finding: Finding) => void

/** The files of one name, of all parts that have it. */
function filesOf(parts: readonly Files[], file: string): Blob[] {
  return parts.flatMap((part) => part.get(file) ?? [])
}

async function readPeople(parts: readonly Files[], report: Report): Promise<ExportedPerson[] | null> {
  const file = EXPORT_FILES.people
  const values = await Promise.all(filesOf(parts, file).map(async (blob) => parseJson(await blob.text())))
  if (values.length > 0 && values.every(isPeople)) {
    const people = values.flat()
    // Of a person who is there twice, a reader could take the names that no record means.
    if (new Set(people.map(({ id }) => id)).size < people.length) report({ code: 'file_changed', file })
    return people
  }
  report({ code: values.length === 0 ? 'file_missing' : 'file_changed', file })
  return null
}

/** Lists the lines of text files, one file after the other, without reading all of it at once. */
async function* listLines(files: readonly Blob[]): AsyncGenerator<string> {
  for (const file of files) {
    const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
    const reader = file.stream().getReader()
    let rest = ''
    for (let isDone = false; !isDone; ) {
      const { done, value } = await reader.read()
      const lines = `${rest}${decoder.decode(value, { stream: !done })}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines
      isDone = done
    }
    if (rest !== '') yield rest
  }
}

async function checkVersions(
  parts: readonly Files[],
  named: ReadonlyMap<string, number>,
  report: Report,
): Promise<void> {
  const has = (file: string) => parts.some((part) => part.has(file))
  for (const [hash, seq] of named) if (!has(`${VERSIONS_FOLDER}${hash}.json`)) report({ code: 'version_missing', seq })
  for (const [file, blob] of parts.flatMap((part) => [...part])) {
    if (!file.startsWith(VERSIONS_FOLDER)) continue
    const bytes = await blob.arrayBuffer()
    if (file !== `${VERSIONS_FOLDER}${await hashBytes(bytes)}.json`) report({ code: 'file_changed', file })
    for (const part of partsOf(parseJson(new TextDecoder().decode(bytes))))
      if (!has(`${VERSIONS_FOLDER}${part}.json`))
        report({ code: 'file_missing', file: `${VERSIONS_FOLDER}${part}.json` })
  }
}

/** Hashes of the objects that a version consists of besides its own. */
export function partsOf(version: unknown): string[] {
  const { captions, screen, translations } = (version ?? {}) as VersionParts
  const translated = Object.values(translations ?? {}).flatMap((each) => [each?.page, each?.captions])
  return [captions, screen, ...translated].filter((hash) => typeof hash === 'string')
}

interface VersionParts {
  captions?: string | null
  screen?: string | null
  translations?: Record<string, { page?: string; captions?: string | null } | null>
}

/** The names of a person by their commitments; null for somebody who is not in the export. */
type CommitmentsOf = (id: string) => Promise<ReadonlyMap<string, PersonName>> | null

function openCommitments(people: readonly ExportedPerson[]): CommitmentsOf {
  const named = new Map(people.map(({ id, names }) => [id, names]))
  const known = new Map<string, Promise<ReadonlyMap<string, PersonName>>>()
  const commitAll = async (names: ExportedPerson['names']) =>
    new Map(await Promise.all(names.map(async ({ salt, ...name }) => [await commitPerson(name, salt), name] as const)))
  return (id) => {
    const names = named.get(id)
    if (names === undefined) return null
    const committed = known.get(id) ?? commitAll(names)
    known.set(id, committed)
    return committed
  }
}

async function checkPeople(
  commitmentsOf: CommitmentsOf,
  { people: recorded, erased }: ReadChain,
  report: Report,
): Promise<void> {
  for (const [id, commitments] of recorded) {
    const valid = await commitmentsOf(id)
    const [firstSeq] = commitments.values()
    if (valid === null) {
      if (!erased.has(id)) report({ code: 'name_missing', seq: firstSeq ?? 1 })
      continue
    }
    for (const [commitment, seq] of commitments)
      if (!valid.has(commitment)) report({ code: 'name_changed', seq, name: [...valid.values()].at(-1)?.name ?? '' })
  }
}

async function checkTableOf(parts: readonly Files[], commitmentsOf: CommitmentsOf, report: Report): Promise<void> {
  const nameOf: NameOf = async ({ id, commitment }) => (await commitmentsOf(id))?.get(commitment) ?? null
  const titles = new Map<string, string | null>()
  async function titleOf({ version = '' }: NamedTraining): Promise<string | null> {
    const known = titles.get(version)
    if (known !== undefined) return known
    const text = await filesOf(parts, `${VERSIONS_FOLDER}${version}.json`)[0]?.text()
    const { module } = ((text && parseJson(text)) || {}) as { module?: { title?: unknown } }
    const title = typeof module?.title === 'string' ? module.title : null
    titles.set(version, title)
    return title
  }
  const { table, records } = EXPORT_FILES
  const written = parts.filter((part) => part.has(table) || part.has(records))
  if (filesOf(written, table).length < Math.max(1, written.length)) report({ code: 'file_missing', file: table })
  // Each with the records of its own part: it is read alone, too.
  for (const part of written.filter((each) => each.has(table))) {
    const lines = { table: listLines(filesOf([part], table)), records: listLines(filesOf([part], records)) }
    await checkTable(lines, { nameOf, titleOf, report })
  }
}

const SUM = /^([0-9a-f]{64}) {2}(.+)$/

async function checkSums(files: Files, report: Report): Promise<void> {
  const unlisted = new Set([...files.keys()].filter((file) => file !== EXPORT_FILES.sums))
  if (!files.has(EXPORT_FILES.sums)) report({ code: 'file_missing', file: EXPORT_FILES.sums })
  for await (const line of listLines(filesOf([files], EXPORT_FILES.sums))) {
    const [, hash, file = ''] = SUM.exec(line) ?? []
    const blob = files.get(file)
    unlisted.delete(file)
    if (hash === undefined) report({ code: 'file_changed', file: EXPORT_FILES.sums })
    else if (blob === undefined) report({ code: 'file_missing', file })
    else if ((await hashBytes(await blob.arrayBuffer())) !== hash) report({ code: 'file_changed', file })
  }
  for (const file of unlisted) report({ code: 'file_changed', file })
}
