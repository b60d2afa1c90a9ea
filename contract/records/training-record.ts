import { z } from 'zod'
import { LANGUAGE_MAX_CHARS } from '../limits.ts'
import { Retraining, VersionHash } from '../version.ts'

/** SHA-256 or HMAC-SHA-256 in hexadecimal digits. */
const Digest = VersionHash
/** ISO 8601, UTC. */
const Time = z.iso.datetime()
const Id = z.string().min(1).max(64)

/** What stands in the place of the hash before the first record of an organization. */
export const NO_RECORD = '0'.repeat(64)

/** People × trainings of one `assigned` record. */
export const ASSIGNED_MAX = 1_000
/** What a person says in a record: a paragraph. */
export const RECORD_WORDS_MAX_CHARS = 1_000

/** A year is the least that an auditor asks for; what is to be kept for 50 years and more is kept for ever. */
const [KEPT_MONTHS_MIN, KEPT_MONTHS_MAX] = [12, 600]

/** How it was known who somebody is. */
export const KnownBy = z.enum(['signed_in', 'personal_link', 'code', 'supervisor'])
export type KnownBy = z.infer<typeof KnownBy>

/**
 * A person without a name. `commitment` is the HMAC-SHA-256 of name and number, whose key is kept beside the name and
 * dies with it (`records/commit-person.ts`).
 */
export const RecordedPerson = z.strictObject({ id: Id, commitment: Digest })
export type RecordedPerson = z.infer<typeof RecordedPerson>

/** The version of a training. */
const RecordedTraining = z.strictObject({ id: Id, version: Digest, number: z.number().int().min(1) })

/** What has to be met for a training to be done; at least one part of it. */
export const DoneRule = z
  .strictObject({
    /** Every step was reached, as its played seconds say. */
    reached: z.boolean(),
    /** The learner has confirmed it. */
    confirmed: z.boolean(),
    /** A supervisor has signed it off. */
    signedOff: z.boolean(),
  })
  .refine((rule) => rule.reached || rule.confirmed || rule.signedOff, 'must ask for something')
export type DoneRule = z.infer<typeof DoneRule>

/** What a learner or supervisor did, and when their device says so. */
const Act = {
  person: RecordedPerson,
  knownBy: KnownBy,
  training: RecordedTraining,
  /** By the clock of the device; null where it sent none. */
  deviceTime: Time.nullable(),
  wasOffline: z.boolean(),
}

/** For how long an organization keeps its records, and what of them it shows. */
export const RecordKeeping = z.strictObject({
  /** Months after which records are removed; null for never. */
  months: z.number().int().min(KEPT_MONTHS_MIN).max(KEPT_MONTHS_MAX).nullable(),
  /** Why nothing is removed or erased meanwhile; null without a legal hold. */
  hold: z.string().trim().min(1).max(RECORD_WORDS_MAX_CHARS).nullable(),
  /** Whether seconds and attempts of its people are shown. */
  showsEffort: z.boolean().default(false),
})
export type RecordKeeping = z.infer<typeof RecordKeeping>

const StepId = Id
/** What a supervisor says of a step. */
const JudgedStep = z.strictObject({
  id: StepId,
  note: z.string().max(RECORD_WORDS_MAX_CHARS),
  /** Hash of a photo, which is kept beside the records; left out without one, and null in those of earlier releases. */
  photo: Digest.nullable().optional(),
})
/** Their name was typed, and is the one that they are committed to: a record holds none. */
const Supervisor = {
  supervisor: RecordedPerson,
  /** What the signature means. */
  meaning: z.string().min(1).max(RECORD_WORDS_MAX_CHARS),
}

const Assigned = z.strictObject({
  kind: z.literal('assigned'),
  assignment: Id,
  /** Ids of trainings. */
  trainings: z.array(Id).min(1),
  people: z.array(RecordedPerson).min(1),
  rule: DoneRule,
  /** When it is to be done; null for no date. */
  dueAt: Time.nullable(),
  /** After how many months it is to be done again; null for never. */
  everyMonths: z.number().int().min(1).max(120).nullable(),
  /** From when on what is done counts for it; left out where all does that was ever done. */
  since: Time.optional(),
  /** Who assigned it. */
  by: RecordedPerson,
})

/** An assignment was taken back, or people left its group. */
const Unassigned = z.strictObject({
  kind: z.literal('unassigned'),
  assignment: Id,
  trainings: z.array(Id).min(1),
  people: z.array(RecordedPerson).min(1),
  by: RecordedPerson,
})

/** A person opened the training. */
const Started = z.strictObject({ kind: z.literal('started'), ...Act })

/** A person has reached every step that was asked for. */
const Reached = z.strictObject({
  kind: z.literal('reached'),
  ...Act,
  /** Played seconds of each step. */
  seconds: z.array(z.strictObject({ step: StepId, seconds: z.number().int().min(0) })),
  /** Openings of the page up to then. */
  attempts: z.number().int().min(1),
})

const Confirmed = z.strictObject({
  kind: z.literal('confirmed'),
  ...Act,
  words: z.string().min(1).max(RECORD_WORDS_MAX_CHARS),
  language: z.string().max(LANGUAGE_MAX_CHARS),
})

const SignedOff = z.strictObject({ kind: z.literal('signed_off'), ...Act, ...Supervisor, steps: z.array(JudgedStep) })

/** A supervisor wants these steps shown again. */
const Refused = z.strictObject({
  kind: z.literal('refused'),
  ...Act,
  ...Supervisor,
  steps: z.array(JudgedStep).min(1),
  /** The other steps that were looked at, and need not be shown again; left out without any, and in earlier releases. */
  shown: z.array(JudgedStep).optional(),
})

/** A version was published, after which people are to be trained again. */
const Retrain = z.strictObject({
  kind: z.literal('retraining'),
  training: RecordedTraining,
  retraining: Retraining,
  /** The steps that are asked for, with `changed`; empty otherwise. */
  steps: z.array(StepId),
  people: z.array(RecordedPerson).min(1),
})

/** An earlier record was wrong. What it says holds no longer, of all whom it is about. */
const Corrected = z.strictObject({
  kind: z.literal('corrected'),
  /** The record, by its number and hash. */
  of: z.strictObject({ seq: z.number().int().min(1), hash: Digest }),
  reason: z.string().min(1).max(RECORD_WORDS_MAX_CHARS),
  by: RecordedPerson,
})

/** Name and salt of a person were deleted. */
const Erased = z.strictObject({
  kind: z.literal('erased'),
  personId: Id,
  /** Null for an account that was erased. */
  by: RecordedPerson.nullable(),
})

/** For how long records are kept was changed, that nothing is removed, or what is shown. Who changes it is on record. */
const Kept = z.strictObject({ kind: z.literal('kept'), ...RecordKeeping.shape, by: RecordedPerson })

/** What a record says, by its kind. */
export const RecordBody = z.discriminatedUnion('kind', [
  Assigned,
  Unassigned,
  Started,
  Reached,
  Confirmed,
  SignedOff,
  Refused,
  Retrain,
  Corrected,
  Erased,
  Kept,
])
export type RecordBody = z.infer<typeof RecordBody>
/** What kind of act or decision a record is about. */
export type RecordKind = RecordBody['kind']

/** Not corrected: whoever has corrected something wrongly records anew what holds, and names are not given back. */
export const FIXED_KINDS: readonly RecordKind[] = ['corrected', 'erased', 'kept']

/**
 * One line of the append-only list of an organization, in canonical JSON (RFC 8785). Its hash is the SHA-256 of that
 * text and stands in the next record.
 */
export const TrainingRecord = z.strictObject({
  format: z.literal('adapt-record-1'),
  organization: Id,
  /** 1, 2, … in each organization, without a gap. */
  seq: z.number().int().min(1),
  /** Hash of the record before; {@link NO_RECORD} in the first. */
  previous: Digest,
  /** By the server's clock. */
  time: Time,
  body: RecordBody,
})
export type TrainingRecord = z.infer<typeof TrainingRecord>
