import { z } from 'zod'
import { CutRanges } from './cuts.ts'
import { GLOSSARY_MAX_CHARS } from './limits.ts'
import { Language, Module } from './module.ts'
import { Success } from './problem.ts'
import { Step } from './step.ts'
import { TranscriptSegment } from './transcript.ts'
import { TranslationState } from './translation.ts'
import { Version } from './version.ts'

/** What is typed before an account's data is erased. */
export const ERASE_WORD = 'erase'

/** Body of `DELETE /api/account`. */
export const EraseRequest = z.strictObject({ confirm: z.literal(ERASE_WORD) })
export type EraseRequest = z.infer<typeof EraseRequest>

/** Answer of `DELETE /api/account`. Afterwards none of the account's data can be reached. */
export const EraseAnswer = Success.extend({
  /** False when there was no time for all of it: for some minutes, some of it can still be seen. */
  isDone: z.boolean(),
  /** Modules whose files are still to be removed from storage. */
  modulesLeft: z.number().int(),
  /** When they will be, if nothing fails; ISO 8601, UTC. */
  removedBy: z.string(),
})
export type EraseAnswer = z.infer<typeof EraseAnswer>

/** Body of `PUT /api/account/glossary`: the glossary of the active organization, which all of its modules have. */
export const GlossaryEdit = z.object({ words: z.string().trim().max(GLOSSARY_MAX_CHARS) })

/** Answer of `GET /api/account/glossary`. */
export const GlossaryAnswer = Success.extend({
  words: z.string(),
  /** Whether the caller may change it: those who manage the organization's modules. */
  mayChange: z.boolean(),
})
export type GlossaryAnswer = z.infer<typeof GlossaryAnswer>

/**
 * Body of `PUT /api/account/screen`: whether the screens of the active organization's modules are read, where a module has
 * no switch of its own. Off, what was read of them is removed.
 */
export const ScreenSwitch = z.object({ readsScreen: z.boolean() })

/** Times are ISO 8601, UTC; lengths and places in a video are seconds. */
const time = z.string().nullable()

/** A module in {@link AccountExport}. */
const ExportedModule = Module.pick({ id: true, title: true, totalDuration: true, shared: true }).extend({
  filename: z.string(),
  status: z.string(),
  createdAt: time,
  /** Null unless it was deleted and can still be restored. */
  deletedAt: time,
  language: z.string().nullable(),
  glossary: z.string().nullable(),
  /** Organization that it belongs to as well; null for none. */
  organizationId: z.string().nullable(),
  /** Where the video can be downloaded, until `videoUrlsGoodUntil`; null while there is none. */
  videoUrl: z.string().nullable(),
  /** What of the video is left out, seconds. */
  cuts: CutRanges.default([]),
  steps: z.array(Step),
  transcript: z.array(TranscriptSegment),
  /** Its parts in other languages. `writer` is `person`, or the name of the engine. */
  translations: z.array(
    z.object({
      language: Language,
      item: z.string(),
      texts: z.array(z.string()),
      writer: z.string(),
      state: TranslationState,
      writtenAt: z.string(),
    }),
  ),
  /** Its published versions; the hash names the content of one. */
  versions: z
    .array(Version.pick({ number: true, hash: true, note: true, retraining: true, publishedAt: true }))
    .default([]),
})

/** Answer of `GET /api/account/export`: what is kept of one person, as one document. */
export const AccountExport = z.object({
  format: z.literal('adapt-account-1'),
  exportedAt: z.string(),
  userId: z.string(),
  videoUrlsGoodUntil: z.string(),
  /** All that the person uploaded. */
  modules: z.array(ExportedModule),
  /** Collections that the person made. */
  collections: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      moduleIds: z.array(z.string()),
      shared: z.boolean(),
      /** Organization that it belongs to; null for none. */
      organizationId: z.string().nullable(),
      createdAt: time,
      updatedAt: time,
    }),
  ),
  /** What the person said of modules, their own and others'. */
  feedback: z.array(
    z.object({
      moduleId: z.string().nullable(),
      type: z.string(),
      action: z.string().nullable(),
      context: z.string().nullable(),
      userMessage: z.string().nullable(),
      aiResponse: z.string().nullable(),
      timestamp: time,
    }),
  ),
  /** What the person asked tutors, and what was answered. */
  questions: z.array(
    z.object({
      moduleId: z.string(),
      question: z.string(),
      answer: z.string(),
      videoTime: z.number().nullable(),
      timestamp: time,
    }),
  ),
  /** What the person watched, signed in. */
  learning: z.array(
    z.object({
      moduleId: z.string(),
      /** Pieces that were seen. */
      seen: z.array(z.array(z.number())),
      position: z.number(),
      completedAt: time,
      firstAt: time,
      lastAt: time,
    }),
  ),
  /** Each page that the person opened to watch, signed in. */
  learningSessions: z.array(
    z.object({
      moduleId: z.string(),
      /** What was played, as it is kept: `0[.]12[,]14[.]21`. */
      played: z.string(),
      position: z.number(),
      startedAt: time,
      lastAt: time,
    }),
  ),
  /** What was counted towards the person's limits of a day: videos, minutes, US dollars, or a count. */
  quotaUses: z.array(
    z.object({
      kind: z.string(),
      /** Null for what is counted by the person alone. */
      moduleId: z.string().nullable(),
      /** `2026-11-21`, UTC. */
      day: z.string(),
      amount: z.number(),
    }),
  ),
  /** Trainings of others that the person opened, signed in. */
  openedModules: z.array(z.object({ moduleId: z.string(), openedAt: time })),
  /** Trainings of others that the person was invited to edit, and how their browser named them then. */
  editedModules: z.array(z.object({ moduleId: z.string(), name: z.string(), acceptedAt: time })),
  /** What the person reported from steps, signed in. Photos are kept for 180 days, for the owner of the training. */
  stepReports: z.array(
    z.object({
      moduleId: z.string(),
      /** Null for a step that was gone. */
      stepId: z.string().nullable(),
      kind: z.string(),
      text: z.string(),
      hasPhoto: z.boolean(),
      timestamp: time,
    }),
  ),
  /** What the person said of steps in reviews. */
  reviewComments: z.array(
    z.object({
      moduleId: z.string(),
      /** Null while it is of the draft. */
      version: z.number().int().nullable(),
      stepId: z.string(),
      name: z.string(),
      text: z.string(),
      timestamp: time,
    }),
  ),
  /** Published versions that the person has looked at again, with the name that they wrote. */
  versionChecks: z.array(
    z.object({ moduleId: z.string(), version: z.number().int(), name: z.string(), timestamp: time }),
  ),
  /** The last field: what lacks it has broken off. */
  isComplete: z.literal(true),
})
export type AccountExport = z.infer<typeof AccountExport>
