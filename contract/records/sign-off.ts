import { z } from 'zod'
import { PERSON_NAME_MAX_CHARS } from '../limits.ts'
import { Success } from '../problem.ts'
import { Step } from '../step.ts'
import { VersionHash } from '../version.ts'
import { PersonTraining } from './person-training.ts'
import { DoneRule, RECORD_WORDS_MAX_CHARS } from './training-record.ts'

/** Photos of one signature: each of them is looked up before it is recorded. */
export const SIGNED_PHOTOS_MAX = 50

/** Steps of one version at most, as a training has them. */
const JUDGED_MAX = 600

/** A day: what is older was signed in for another shift. */
const PASSWORD_MINUTES_MAX = 1_440

/** Body of `PUT /api/sign-off/settings`. */
export const SignOffSettings = z.strictObject({
  /** Minutes after which a supervisor's sign-in is too old to sign without the password; null for never. */
  passwordMinutes: z.number().int().min(1).max(PASSWORD_MINUTES_MAX).nullable(),
})
export type SignOffSettings = z.infer<typeof SignOffSettings>

/** Answer of `GET` and `PUT /api/sign-off/settings`. */
export const SignOffSettingsAnswer = Success.extend(SignOffSettings.shape)
export type SignOffSettingsAnswer = z.infer<typeof SignOffSettingsAnswer>

/** Answer of `GET /api/sign-off/{person}/{training}`: what a supervisor has to see, and what is known so far. */
export const SignOffAnswer = Success.extend({
  person: z.object({ id: z.string(), name: z.string(), number: z.string().nullable() }),
  title: z.string(),
  /** The version that is signed: the one that this person has reached, unless a newer one asks for something. */
  version: z.object({ hash: VersionHash, number: z.number().int() }),
  /** Number of the last record that changed what is to be judged; 0 before the first. */
  seq: z.number().int(),
  /** Of that version. */
  steps: z.array(Step),
  /** Ids of the steps that have to be shown. */
  asked: z.array(z.string()),
  rule: DoneRule,
  known: PersonTraining.pick({ reached: true, confirmed: true, signedOff: true, refusedSteps: true }),
  /** What was said of the refused steps, by their ids. */
  notes: z.record(z.string(), z.string()),
  /** Whether the caller is this person, who needs somebody else to sign. */
  isMe: z.boolean(),
})
export type SignOffAnswer = z.infer<typeof SignOffAnswer>

/** What a supervisor says of one step. */
const Judgement = z.strictObject({
  step: z.string().min(1).max(64),
  isShown: z.boolean(),
  note: z.string().trim().max(RECORD_WORDS_MAX_CHARS),
  /** Hash of a photo that was sent before; left out for none. */
  photo: VersionHash.optional(),
})

/** Body of `POST /api/sign-off/{person}/{training}`. It is refused as a whole where one step is. */
export const SignOff = z.strictObject({
  /** Hash of the version that the supervisor saw. */
  version: VersionHash,
  /** `seq` of the answer that the supervisor saw. */
  seq: z.number().int().min(0),
  steps: z
    .array(Judgement)
    .max(JUDGED_MAX)
    .refine(
      (steps) => steps.filter(({ photo }) => photo !== undefined).length <= SIGNED_PHOTOS_MAX,
      `may have at most ${SIGNED_PHOTOS_MAX} photos`,
    ),
  /** As typed: the name that the organization has of the supervisor. */
  name: z.string().trim().min(1).max(PERSON_NAME_MAX_CHARS),
  /** What the signature means, in words. */
  meaning: z.string().trim().min(1).max(RECORD_WORDS_MAX_CHARS),
})
export type SignOff = z.infer<typeof SignOff>

/** Answer of `POST /api/sign-off/{person}/{training}/photos`: what a signature names the photo by, for a day. */
export const SignOffPhotoAnswer = Success.extend({ hash: VersionHash })
export type SignOffPhotoAnswer = z.infer<typeof SignOffPhotoAnswer>
