import { z } from 'zod'
import { PERSON_NAME_MAX_CHARS } from '../limits.ts'
import { Success } from '../problem.ts'
import { KnownBy, RECORD_WORDS_MAX_CHARS, RecordBody, RecordKeeping } from './training-record.ts'

/** Records that one answer lists. */
export const RECORDS_PER_PAGE = 50

const KINDS = RecordBody.options.map((option) => option.shape.kind.value)

/** What records are about, in the address of the list. */
export const RecordFilter = z.strictObject({
  /** Id of a person. */
  person: z.string().max(64).optional(),
  /** Id of a training. */
  training: z.string().max(64).optional(),
  kind: z.enum(KINDS as [(typeof KINDS)[number], ...(typeof KINDS)[number][]]).optional(),
  /** Number before which the list goes on. */
  before: z.coerce.number().int().min(1).optional(),
})
export type RecordFilter = z.infer<typeof RecordFilter>

/** Somebody whom a record names. */
const ShownPerson = z.object({
  id: z.string(),
  /** Of the time of the record; null where it was erased. */
  name: z.string().nullable(),
})

/** A photo that a record names: `GET /api/records/photos/{person}/{hash}`, which has it until the person is erased. */
export const ShownPhoto = z.object({ personId: z.string(), hash: z.string() })
export type ShownPhoto = z.infer<typeof ShownPhoto>

const ShownTraining = z.object({
  id: z.string(),
  /** Null for one that was deleted before a version of it was recorded. */
  title: z.string().nullable(),
  /** Number of the version; null where the record is about all of them. */
  number: z.number().int().nullable(),
})

/** A record as people read it. */
export const ShownRecord = z.object({
  seq: z.number().int(),
  hash: z.string(),
  time: z.string(),
  kind: RecordFilter.shape.kind.unwrap(),
  /** The first of those whom it is about. */
  people: z.array(ShownPerson),
  /** How many these are. */
  peopleCount: z.number().int(),
  trainings: z.array(ShownTraining),
  trainingCount: z.number().int(),
  knownBy: KnownBy.nullable(),
  /** The supervisor, or who has decided it. */
  by: ShownPerson.nullable(),
  /** What was confirmed, signed for or given as a reason. */
  words: z.string(),
  /** What a supervisor took photos of, each once. */
  photos: z.array(ShownPhoto),
  /** By the learner's clock, where it was done without a connection. */
  offlineAt: z.string().nullable(),
  /** What it took to reach every step; null for other records, and while the organization does not show it. */
  effort: z.object({ seconds: z.number().int(), attempts: z.number().int() }).nullable(),
  /** Number of the record that it corrects. */
  corrects: z.number().int().nullable(),
  /** Number of the record that corrects it. */
  correctedBy: z.number().int().nullable(),
})
export type ShownRecord = z.infer<typeof ShownRecord>

const Place = z.object({ seq: z.number().int(), hash: z.string() })

/** Answer of `GET /api/records`. */
export const RecordsAnswer = Success.extend({
  /** The newest first. */
  records: z.array(ShownRecord),
  /** For `before` of the next page; null on the last. */
  next: z.number().int().nullable(),
  /** The last record; its number is 0 before the first. */
  head: Place,
  /** Number of the first record that is kept. */
  fromSeq: z.number().int(),
  /** The newest checkpoint; null before the first. */
  checkpoint: Place.extend({ day: z.string() }).nullable(),
  keeping: RecordKeeping,
})
export type RecordsAnswer = z.infer<typeof RecordsAnswer>

/** Who does it, as the sign-in has the name. */
const By = z.string().trim().min(1).max(PERSON_NAME_MAX_CHARS)

/** Body of `POST /api/records/{seq}/correction`. */
export const CorrectionRequest = z.object({
  reason: z.string().trim().min(1).max(RECORD_WORDS_MAX_CHARS),
  name: By,
})

/** Body of `DELETE /api/records/people/{person}`. */
export const ErasureRequest = z.object({ name: By })

/** Body of `PUT /api/records/keeping`. */
export const KeepingRequest = z.object({ ...RecordKeeping.shape, name: By })
