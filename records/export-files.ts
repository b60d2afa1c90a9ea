import canonicalize from 'canonicalize'
import type { TrainingRecord } from '#contract/records/training-record.ts'
import type { PersonName } from './commit-person.ts'

/** Names of the files of an export. */
export const EXPORT_FILES = {
  records: 'records.jsonl',
  checkpoints: 'checkpoints.json',
  people: 'people.json',
  /** The records for spreadsheets. */
  table: 'records.csv',
  /** SHA-256 of all other files, as `sha256sum` writes and checks them. */
  sums: 'SHA256SUMS',
} as const

/** Folder of the objects of versions, each named by its hash. */
export const VERSIONS_FOLDER = 'versions/'

/** Folder of the photos of sign-offs, each named by its hash. */
export const PHOTOS_FOLDER = 'photos/'

/** Names the file of a photo. */
export function photoFile(hash: string, type: 'image/webp' | 'image/jpeg'): string {
  return `${PHOTOS_FOLDER}${hash}.${type === 'image/webp' ? 'webp' : 'jpg'}`
}

/** The end of an organization's list on a day. */
export interface Checkpoint {
  /** Date in UTC. */
  day: string
  /** Number of the last record then. */
  seq: number
  hash: string
}

/** `checkpoints.json`: where the list of an export begins and ends, and what is known of it from other days. */
export interface ExportedCheckpoints {
  format: 'adapt-export-1'
  organization: string
  exportedAt: string
  /** The first record, and the hash of the one before, which was removed. */
  from: { seq: number; previous: string }
  /** The last record. */
  end: { seq: number; hash: string }
  checkpoints: Checkpoint[]
}

/** An entry of `people.json`: who is behind an id, by all names that records mean. */
export interface ExportedPerson {
  id: string
  names: (PersonName & { salt: string })[]
}

const HASH_DIGITS = 64
const [BEFORE_HASH, BEFORE_TEXT, AFTER_TEXT] = ['{"hash":"', '","record":', '}'] as const
const TEXT_FROM = BEFORE_HASH.length + HASH_DIGITS + BEFORE_TEXT.length

/** Writes a line of `records.jsonl`, without its end. */
export function writeRecordLine({ hash, text }: { hash: string; text: string }): string {
  return `${BEFORE_HASH}${hash}${BEFORE_TEXT}${text}${AFTER_TEXT}`
}

/** Reads a line of `records.jsonl`; null where it is none. */
export function readRecordLine(line: string): { hash: string; text: string } | null {
  const hash = line.slice(BEFORE_HASH.length, BEFORE_HASH.length + HASH_DIGITS)
  const text = line.slice(TEXT_FROM, -AFTER_TEXT.length)
  return /^[0-9a-f]{64}$/.test(hash) && line === writeRecordLine({ hash, text }) ? { hash, text } : null
}

/** Reads a record as far as it has to be checked; null where the text is none, or not in canonical JSON. */
export function readRecord(text: string): TrainingRecord | null {
  const value = parseJson(text) as Partial<TrainingRecord> | null
  const isRecord =
    value?.format === 'adapt-record-1' &&
    Number.isSafeInteger(value.seq) &&
    typeof value.organization === 'string' &&
    typeof value.previous === 'string' &&
    typeof value.body?.kind === 'string'
  // Another order of its fields, or a field twice, could mean something else to another reader.
  return isRecord && isCanonical(value, text) ? (value as TrainingRecord) : null
}

function isCanonical(value: object, text: string): boolean {
  try {
    return canonicalize(value) === text
  } catch {
    // Half of a character has no canonical form.
    return false
  }
}

/** Parses JSON; null where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The finding names the file or record; why the text is no JSON says nothing more.
    return null
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.isWellFormed()

/** Whether a value is what `checkpoints.json` holds. */
export function isCheckpoints(value: unknown): value is ExportedCheckpoints {
  const { format, organization, exportedAt, from, end, checkpoints } = (value ?? {}) as Partial<ExportedCheckpoints>
  const isPlace = (seq: unknown, hash: unknown) => Number.isSafeInteger(seq) && isText(hash)
  return (
    format === 'adapt-export-1' &&
    isText(organization) &&
    isText(exportedAt) &&
    isPlace(from?.seq, from?.previous) &&
    isPlace(end?.seq, end?.hash) &&
    Array.isArray(checkpoints) &&
    checkpoints.every((each: Partial<Checkpoint> | null) => isPlace(each?.seq, each?.hash) && isText(each?.day))
  )
}

/** Whether a value is what `people.json` holds. */
export function isPeople(value: unknown): value is ExportedPerson[] {
  const isName = (each: Partial<ExportedPerson['names'][number]> | null) =>
    isText(each?.name) && (each.number === null || isText(each.number)) && isText(each.salt) && each.salt !== ''
  return (
    Array.isArray(value) &&
    value.every(
      (each: Partial<ExportedPerson> | null) =>
        isText(each?.id) && Array.isArray(each.names) && each.names.every(isName),
    )
  )
}
