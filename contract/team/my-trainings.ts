import { z } from 'zod'
import { INTERFACE_LANGUAGES } from '../languages.ts'
import { Success } from '../problem.ts'
import { DoneRule } from '../records/training-record.ts'
import { VersionHash } from '../version.ts'
import { PersonNameText } from './people.ts'

/** What stands behind `#` in the address of a personal link, or of the link of a shared device. */
export const LinkKey = z.string().min(1).max(100)

/** Body of `POST /api/my/open`. */
export const OpenLink = z.strictObject({
  key: LinkKey,
  /** Whether the device becomes theirs also where it is another person's. */
  replaces: z.boolean().optional(),
})

/** Answer of `POST /api/my/open`: whose link it is. */
export const OpenLinkAnswer = Success.extend({
  /** `person`: the device is theirs from now on. `other`: it stays another person's. `group`: it asks for a code. */
  kind: z.enum(['person', 'other', 'group']),
  /** Of the person or the group whose link it is. */
  name: z.string(),
  /** Of the person whose device it stays; left out where it is nobody else's. */
  holder: z.string().optional(),
  /** Id of the person whose device it is from now on; left out where it is nobody's. */
  personId: z.string().optional(),
})
export type OpenLinkAnswer = z.infer<typeof OpenLinkAnswer>

/** Body of `POST /api/my/code`: who stands at the shared device of a group. */
export const EnterCode = z.strictObject({ key: LinkKey, code: z.string().max(20) })

/** Body of `POST /api/my/account`: the caller opens their own page. */
export const OpenAccount = z.strictObject({ name: PersonNameText })

/** Answer of `POST /api/my/account`. */
export const OpenAccountAnswer = Success.extend({
  /** False for a person who works in no organization, to whom nothing is assigned. */
  isOpen: z.boolean(),
})
export type OpenAccountAnswer = z.infer<typeof OpenAccountAnswer>

/** A training that somebody is to be trained on. Times are ISO 8601, UTC. */
export const OwnTraining = z.object({
  moduleId: z.string(),
  /** Hash of the version that is shown. */
  version: VersionHash,
  title: z.string(),
  stepCount: z.number().int(),
  /** Path of its page. */
  path: z.string(),
  rule: DoneRule,
  /** The earliest of its assignments; null for none. */
  dueAt: z.string().nullable(),
  startedAt: z.string().nullable(),
  /** For the version of now; null while it was not. */
  reachedAt: z.string().nullable(),
  confirmedAt: z.string().nullable(),
  doneAt: z.string().nullable(),
  /** When it has to be done again; null for never. */
  expiresAt: z.string().nullable(),
  /** Whether there is anything to do. */
  isOpen: z.boolean(),
  /** Steps that a supervisor wants to see again. */
  refusedSteps: z.number().int(),
  /** Steps that a newer version asks for; null where it asks for all, or for nothing. */
  changedSteps: z.number().int().nullable(),
})
export type OwnTraining = z.infer<typeof OwnTraining>

/** Query of `GET /api/my`. */
export const OwnTrainingsRequest = z.object({ lang: z.enum(INTERFACE_LANGUAGES) })

/** Answer of `GET /api/my`: what there is to do first, by its date, then what is done. */
export const OwnTrainingsAnswer = Success.extend({
  /** Whose trainings these are, so that a page sends nothing for another one. */
  personId: z.string(),
  name: z.string(),
  /** Whether the device is shared: then the next person takes it over. */
  isShared: z.boolean(),
  trainings: z.array(OwnTraining),
  /** What a person confirms, in the language that was asked for. */
  confirmation: z.string(),
})
export type OwnTrainingsAnswer = z.infer<typeof OwnTrainingsAnswer>

/**
 * Body of `POST /api/my/trainings/{id}/confirm`; `version_conflict` where the person is another one by now, or the
 * version is, unless it was confirmed without a network.
 */
export const ConfirmTraining = z.strictObject({
  /** Who confirms, and what, as the page has shown it. */
  personId: z.string().min(1).max(64),
  version: VersionHash,
  /** In which the words were shown. */
  language: z.enum(INTERFACE_LANGUAGES),
  /** When it was confirmed without a network, by the clock of the device, epoch milliseconds; left out with one. */
  offlineAtMs: z.number().int().min(0).max(8.64e15).optional(),
})
export type ConfirmTraining = z.infer<typeof ConfirmTraining>
