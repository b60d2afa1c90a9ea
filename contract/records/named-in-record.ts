import type { RecordBody, RecordedPerson } from './training-record.ts'

/** The people whom a record is about; that of an erasure has no more than an id. */
export function peopleOf(body: RecordBody): readonly RecordedPerson[] {
  if ('people' in body) return body.people
  return 'person' in body ? [body.person] : []
}

/** A training, or a version of it, in a record. */
export interface NamedTraining {
  id: string
  /** Null where the record is about no version. */
  number: number | null
  /** Hash of the version; left out with its number. */
  version?: string
}

/** The trainings that a record is about, each with its version where it is about one. */
export function trainingsOf(body: RecordBody): readonly NamedTraining[] {
  if ('training' in body) return [body.training]
  return 'trainings' in body ? body.trainings.map((id) => ({ id, number: null })) : []
}

/** Who has decided or signed what a record says; null where nobody did who has a name. */
export function deciderOf(body: RecordBody): RecordedPerson | null {
  if ('supervisor' in body) return body.supervisor
  return 'by' in body ? body.by : null
}

/** A photo of what somebody was seen doing. */
export interface NamedPhoto {
  personId: string
  hash: string
}

/** The photos that a record names, each once. */
export function photosIn(body: RecordBody): NamedPhoto[] {
  if (body.kind !== 'signed_off' && body.kind !== 'refused') return []
  const judged = body.kind === 'refused' ? [...body.steps, ...(body.shown ?? [])] : body.steps
  const hashes = new Set(judged.flatMap(({ photo = null }) => (photo === null ? [] : [photo])))
  return [...hashes].map((hash) => ({ personId: body.person.id, hash }))
}

/** Everybody whom a record names. */
export function namedIn(body: RecordBody): RecordedPerson[] {
  const decider = deciderOf(body)
  return [...peopleOf(body), ...(decider === null ? [] : [decider])]
}
