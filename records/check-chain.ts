import { type NamedPhoto, namedIn, photosIn } from '#contract/records/named-in-record.ts'
import type { TrainingRecord } from '#contract/records/training-record.ts'
import { type ExportedCheckpoints, readRecord, readRecordLine } from './export-files.ts'
import type { Finding } from './findings.ts'
import { hashBytes } from './hash-record.ts'

/** What the records of an export mean besides their order. */
export interface ReadChain {
  /** How many records are in order. */
  count: number
  /** Hash of the last of them. */
  end: string
  /** Number of the record that has the hash which the reader has kept; null for none. */
  keptSeq: number | null
  /** By the hash of a version, the first record that names it. */
  versions: Map<string, number>
  /** By the id of a person, the commitments that records hold, each with the first of these records. */
  people: Map<string, Map<string, number>>
  /** The photos that records hold of people, each with the first of these records. */
  photos: Map<string, NamedPhoto & { seq: number }>
  /** Ids of people whose names were erased. */
  erased: Set<string>
}

/** Checks that the records of an export are the ones that were hashed, in their order, and end where it says. */
export async function checkChain(
  lines: AsyncIterable<string>,
  { about, kept }: { about: ExportedCheckpoints | null; kept: string | null },
  report: (finding: Finding) => void,
): Promise<ReadChain> {
  const read: ReadChain = {
    count: 0,
    end: '',
    keptSeq: null,
    versions: new Map(),
    people: new Map(),
    photos: new Map(),
    erased: new Set(),
  }
  // What was removed after its time ends with the one before the first.
  if (about !== null && about.from.seq > 1 && about.from.previous === kept) read.keptSeq = about.from.seq - 1
  const place = new ChainPlace(about, report)
  for await (const line of lines) {
    const record = await place.take(line)
    if (record === null) continue
    read.count += 1
    if (place.last === kept) read.keptSeq = record.seq
    collect(read, record)
  }
  place.finish()
  read.end = place.last
  return read
}

/** How far a list was checked. */
class ChainPlace {
  /** Hash of the last record in order. */
  last: string
  /** Number that the next record has to have; null before the first, where the export does not say it. */
  #next: number | null
  /** What the next record may name as the one before; null where that one could not be read. */
  #previous: readonly string[] | null
  readonly #about: ExportedCheckpoints | null
  readonly #checkpoints = new Map<number, ExportedCheckpoints['checkpoints']>()
  readonly #report: (finding: Finding) => void

  constructor(about: ExportedCheckpoints | null, report: (finding: Finding) => void) {
    this.#about = about
    this.#report = report
    // Those of several days may name the same record: each of them is compared.
    for (const each of about?.checkpoints ?? []) {
      const others = this.#checkpoints.get(each.seq)
      if (others === undefined) this.#checkpoints.set(each.seq, [each])
      else others.push(each)
    }
    this.#next = about?.from.seq ?? null
    this.#previous = about === null ? null : [about.from.previous]
    this.last = about?.from.previous ?? ''
    if (about !== null) this.#checkStart(about.from)
  }

  /** What was removed after its time was removed up to a checkpoint. */
  #checkStart({ seq, previous }: ExportedCheckpoints['from']): void {
    if (seq > 1 && !this.#checkpoints.has(seq - 1)) this.#report({ code: 'records_missing', seq: 1, lastSeq: seq - 1 })
    this.#compare(seq - 1, previous)
  }

  /** @returns the record; null where it is not the one that was hashed, or stands elsewhere */
  async take(line: string): Promise<TrainingRecord | null> {
    const written = readRecordLine(line)
    if (written === null) return this.#refuse([])
    const { text, hash } = written
    const found = await hashBytes(new TextEncoder().encode(text))
    if (found !== hash) return this.#refuse([hash, found])
    const record = readRecord(text)
    return record === null ? this.#refuse([hash]) : this.#follow(record, hash)
  }

  /** The line of the next record is not what was hashed. @param hashes what the record after it may name */
  #refuse(hashes: readonly string[]): null {
    this.#report({ code: 'record_changed', seq: this.#next ?? 1 })
    if (this.#next !== null) this.#next += 1
    this.#previous = hashes.length > 0 ? hashes : null
    this.last = hashes[0] ?? ''
    return null
  }

  #follow(record: TrainingRecord, hash: string): TrainingRecord | null {
    const { seq, previous, organization } = record
    const due = this.#next ?? seq
    if (seq < due) {
      this.#report({ code: 'record_moved', seq })
      return null
    }
    if (seq > due) this.#report({ code: 'records_missing', seq: due, lastSeq: seq - 1 })
    const isNext = this.#previous === null || this.#previous.includes(previous)
    const isForeign = this.#about !== null && organization !== this.#about.organization
    if (isForeign || (seq === due && !isNext)) this.#report({ code: 'record_detached', seq })
    this.#next = seq + 1
    this.#previous = [hash]
    this.last = hash
    this.#compare(seq, hash)
    return record
  }

  #compare(seq: number, hash: string): void {
    for (const { day, hash: kept } of this.#checkpoints.get(seq) ?? [])
      if (kept !== hash) this.#report({ code: 'checkpoint_broken', seq, day })
  }

  finish(): void {
    if (this.#about === null || this.#next === null) return
    const { seq, hash } = this.#about.end
    if (this.#next <= seq) this.#report({ code: 'records_missing', seq: this.#next, lastSeq: seq })
    else if (this.#next > seq + 1 || !(this.#previous ?? []).includes(hash)) this.#report({ code: 'end_broken', seq })
    const lastSeq = Math.max(...this.#checkpoints.keys())
    if (lastSeq > seq) this.#report({ code: 'records_missing', seq: seq + 1, lastSeq })
  }
}

function collect(read: ReadChain, { seq, body }: TrainingRecord): void {
  if (body.kind === 'erased') read.erased.add(body.personId)
  if ('training' in body && !read.versions.has(body.training.version)) read.versions.set(body.training.version, seq)
  for (const photo of photosIn(body)) {
    const key = `${photo.personId} ${photo.hash}`
    if (!read.photos.has(key)) read.photos.set(key, { ...photo, seq })
  }
  for (const { id, commitment } of namedIn(body)) {
    const commitments = read.people.get(id) ?? new Map<string, number>()
    read.people.set(id, commitments)
    if (!commitments.has(commitment)) commitments.set(commitment, seq)
  }
}
