import { z } from 'zod'
import { CutRanges } from './cuts.ts'
import { LANGUAGE_TAGS } from './languages.ts'
import {
  GLOSSARY_MAX_CHARS,
  LANGUAGE_MAX_CHARS,
  LINK_ANSWERS_MAX,
  LINK_PASSWORD_MAX_CHARS,
  LINK_PASSWORD_MIN_CHARS,
  MODULE_TITLE_MAX_CHARS,
  MODULES_PAGE_MAX,
} from './limits.ts'
import { Success } from './problem.ts'
import { ScreenArea } from './screen.ts'
import { SmallCopy } from './small-copy.ts'
import { Step } from './step.ts'

/** What the server writes. */
export const ModuleStatus = z.enum(['PROCESSING', 'READY', 'FAILED'])
export type ModuleStatus = z.infer<typeof ModuleStatus>

/**
 * Status as readers accept it: the lowercase forms and `COMPLETED` (= READY) of earlier servers are understood.
 * @see specification §4
 */
export const ReadStatus = z.preprocess((value) => {
  const upper = typeof value === 'string' ? value.toUpperCase() : value
  return upper === 'COMPLETED' ? 'READY' : upper
}, ModuleStatus)

/**
 * What recovers a module that ended FAILED, by the cause. Captions replace speech recognition; a new run of the same
 * video ends the same way where the cause is in the video itself.
 */
const RECOVERED_BY = {
  unreadable: [],
  truncated: [],
  encrypted: [],
  no_audio: ['captions'],
  unsupported_codec: ['captions'],
  not_understood: ['captions'],
  no_narration: ['captions'],
  captions_elsewhere: ['captions'],
  unnamed: ['captions'],
  no_recogniser: ['captions', 'newRun'],
  source_missing: ['newRun'],
  source_changed: [],
  ai_quota: ['captions', 'newRun'],
  minutes_quota: ['newRun'],
  ai_unavailable: ['captions', 'newRun'],
  ai_busy: ['captions', 'newRun'],
  gave_up: ['newRun'],
} satisfies Record<string, Way[]>
type Way = 'captions' | 'newRun'

/** Why a module ended FAILED. Each has a plain reason in {@link Module.lastError}. */
export const FailureCode = z.enum(Object.keys(RECOVERED_BY) as (keyof typeof RECOVERED_BY)[])
export type FailureCode = z.infer<typeof FailureCode>

function waysOutOf(code: FailureCode): readonly Way[] {
  return RECOVERED_BY[code]
}

/** Whether nothing is said in a video, so that only what is seen can become steps. */
export function isSilent(code: FailureCode | null): boolean {
  return code === 'no_audio' || code === 'no_narration'
}

/** Whether the failed screen offers to add captions. Null (an unknown cause) does not. */
export function isRecoverableByCaptions(code: FailureCode | null): boolean {
  return code !== null && waysOutOf(code).includes('captions')
}

/** Whether the failed screen offers to process the same video again. Null (an unknown cause) may have passed. */
export function isRecoverableByNewRun(code: FailureCode | null): boolean {
  return code === null || waysOutOf(code).includes('newRun')
}

/** Whether a video was read and only nothing is said in it, so that a person names its steps. */
export function isOnlySilent({
  status,
  failureCode,
}: {
  status: ModuleStatus
  failureCode: FailureCode | null
}): boolean {
  return status === 'FAILED' && (isSilent(failureCode) || failureCode === 'unnamed')
}

/** A tag of {@link LANGUAGES}. */
export const Language = z.enum(LANGUAGE_TAGS)

/** What a run does now, as the API says it; pages say it in their own language. */
export const RUN_MESSAGES = {
  waitsForUpload: 'Waiting for the upload',
  uploads: 'Uploading video',
  waits: 'Waiting for its turn',
  waitsForSpeech: 'Waiting for its turn: the speech service is busy',
  preparesSpeech: 'Waiting until speech recognition is prepared',
  waitsForModel: 'Waiting for its turn: the language model is busy',
  preparesAudio: 'Preparing the audio',
  waitsForVideo: 'Waiting for the rest of the video',
  writesSteps: 'Writing the steps',
  looksForScenes: 'There is no speech. Looking for scene changes',
  savesSteps: 'Saving the steps',
  failed: 'Processing failed',
  ready: 'Ready',
} as const
/** One of {@link RUN_MESSAGES}, or how much of the narration is transcribed. */
export type RunMessage =
  | (typeof RUN_MESSAGES)[keyof typeof RUN_MESSAGES]
  | `Listening to the narration (${number} of ${number} chunks)`

/**
 * What a caller may do with a module. Editors were invited to change its steps and have no other right of an owner. Viewers
 * are signed-in people who have the id but do not own it.
 */
export const ModuleRole = z.enum(['owner', 'editor', 'viewer'])
export type ModuleRole = z.infer<typeof ModuleRole>

/** Whether people of this role change the steps, and so see them as they are before learners do. */
export function seesDraft(role: ModuleRole): boolean {
  return role !== 'viewer'
}

/** The run that makes a READY module again, while it is in progress and after it has failed. */
export const NewVersion = z.object({
  /** Number of the run. */
  run: z.number().int(),
  /** `FAILED`: nothing has changed, and the module is as it was before. */
  status: z.enum(['PROCESSING', 'FAILED']),
  /** 0–100, as that of a module. */
  progress: z.number().int().min(0).max(100),
  /** What is happening now, in plain words. */
  message: z.string(),
  /** Why it failed and what to do; null unless FAILED. */
  lastError: z.string().nullable(),
  /** Null unless FAILED. */
  failureCode: FailureCode.nullable(),
})
export type NewVersion = z.infer<typeof NewVersion>

/** In place of a number, of a training that publishes versions and has not published its first: nobody but owners sees it. */
export const UNPUBLISHED = 0

/** A training module. Fields marked "owner" are null for a viewer. */
export const Module = z.object({
  id: z.string(),
  title: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  status: ReadStatus,
  /** 0–100; the sum of work done, never goes backwards within a run. */
  progress: z.number().int().min(0).max(100),
  /** What is happening now, in plain words. */
  message: z.string(),
  /** Owner. Why processing failed and what to do; null unless FAILED. */
  lastError: z.string().nullable(),
  /**
   * Owner. Null unless FAILED, and while a silent video waits for the scenes that a browser sees in it. `unnamed`: they
   * are there, and a person gives them names.
   */
  failureCode: FailureCode.nullable(),
  /** Owner. Null unless the module is READY and is being made again, or that has failed. */
  newVersion: NewVersion.nullable().default(null),
  /** Length of the video in seconds; null until it is known. */
  totalDuration: z.number().nullable(),
  /** Whether the whole video has arrived, so that it can be played, whatever the status. */
  hasVideo: z.boolean(),
  /** Percent of the video that has arrived, 0–100; 100 with `hasVideo`. */
  uploadPercent: z.number().int().min(0).max(100),
  /** Codec string of its picture, such as `avc1.64001f`; null until the video is read, and for a video without one. */
  videoCodec: z.string().nullable().default(null),
  /** Path of an image that stands for the video, good for some hours; null while there is none. */
  posterUrl: z.string().nullable(),
  /** Owner. */
  userId: z.string().nullable(),
  role: ModuleRole,
  /** Deleting is for the uploader and for those who manage the organization's modules. */
  mayDelete: z.boolean(),
  /** Owner. Whether the organization that owns it is the caller's active one; null without an organization. */
  organization: z.enum(['active', 'other']).nullable(),
  /** Whether anyone with the link can view. */
  shared: z.boolean(),
  /**
   * Owner. How many answers a day a model may write for people with the link; 0: the tutor only quotes the video. Null:
   * people with the link cannot ask.
   */
  linkAnswersPerDay: z.number().int().nullable(),
  /** Owner. When its link ends, ISO 8601, UTC; null where it does not. */
  linkEndsAt: z.string().nullable().default(null),
  /** Owner. Whether its link needs a password. */
  hasLinkPassword: z.boolean().default(false),
  /** Whether learners can report from its steps (`POST /api/step-reports/{id}`). */
  takesReports: z.boolean().default(false),
  /** Null for viewers. Number of the version that learners see; {@link UNPUBLISHED} before the first; null while they see the draft. */
  publishedVersion: z.number().int().nullable().default(null),
  /** Owner. The module whose video this new recording is to replace; null for every other module. */
  replaces: z.string().nullable().default(null),
  /** Path of the training page. */
  trainingUrl: z.string(),
  /** Path of the share page. */
  shareUrl: z.string(),
  /** Where the transcript came from; null while there is none. */
  transcriptSource: z.enum(['captions', 'speech']).nullable(),
  /** Grows by one with every change of the steps; sent back with a save. */
  stepsVersion: z.number().int(),
})
export type Module = z.infer<typeof Module>

/** A track of audio of a video that has several. */
export const AudioTrack = z.object({
  trackId: z.number().int(),
  /** BCP 47 tag; null where the file does not say. */
  language: z.string().nullable(),
  /** As its maker called it; null without. */
  name: z.string().nullable(),
  /** Whether it is what a player plays that lets nobody choose. */
  isPlayed: z.boolean(),
  /** Whether the transcript and the steps are of its words. */
  isTranscribed: z.boolean(),
})
export type AudioTrack = z.infer<typeof AudioTrack>

/** How long a module has been worked on, for people who wait for it. */
export const ModuleWork = z.object({
  /** Seconds since its run was started, or since its video arrived where the run had begun before. */
  seconds: z.number().min(0),
  /** The progress that it had then; null where that is not known, as in a run that continues an earlier one. */
  fromProgress: z.number().nullable(),
  /** What it waits for before anything goes on; null while it is worked on. */
  waiting: z
    .object({
      /** How many videos of the same owner come before it; 0 where a busy model is waited for. */
      before: z.number().int().min(0),
      /** About when its turn or the next call of the model comes; null while that is not known. */
      seconds: z.number().min(0).nullable(),
    })
    .nullable()
    .default(null),
})
export type ModuleWork = z.infer<typeof ModuleWork>

/** Answer of `GET /api/modules/{id}`: the module with the steps that exist so far. */
export const ModuleAnswer = Success.extend({
  module: Module.extend({
    steps: z.array(Step),
    /** Null unless it is PROCESSING and its whole video is there. */
    work: ModuleWork.nullable().default(null),
    /** Owner. BCP 47 tag of the narration in the next transcription; null where the recogniser decides. */
    language: z.string().nullable().default(null),
    /** Owner. Names and product words to expect in it; null for none. */
    glossary: z.string().nullable().default(null),
    /** Empty where there are fewer than two, and until the video is read. */
    audioTracks: z.array(AudioTrack).default([]),
    /** Null while there is none. */
    smallCopy: SmallCopy.nullable().default(null),
    /** 0 for viewers. Seconds of the video that the small copy does not have. */
    smallCopyLacksS: z.number().default(0),
    /** Null for viewers. Of which video images and a small copy are to be made. */
    videoId: z.string().nullable().default(null),
    /** Owner. What a new one may be made without, because nobody is shown it; null where the caller may not send one. */
    smallCopyMayLack: CutRanges.nullable().default(null),
    /** Owner. Whether one is to be made. */
    lacksSmallCopy: z.boolean().default(false),
    /** Owner. Id of the track for the next transcription; null where Adapt chooses. */
    audioTrack: z.number().int().nullable().default(null),
  }),
})
export type ModuleAnswer = z.infer<typeof ModuleAnswer>

/** Answer of `GET /api/modules` without a query (all of the caller's own) and of `GET /api/modules/processing`, newest first. */
export const ModuleListAnswer = Success.extend({ modules: z.array(Module) })
export type ModuleListAnswer = z.infer<typeof ModuleListAnswer>

/** Query of `GET /api/modules`. Without any of it the answer is the whole list; with it, one page. */
export const ModuleListRequest = z.strictObject({
  limit: z.coerce.number().int().min(1).max(MODULES_PAGE_MAX).optional(),
  /** `nextCursor` of the page before. */
  cursor: z.string().min(1).max(200).optional(),
  /** Only titles that contain it, in any case of any script. */
  search: z.string().max(MODULE_TITLE_MAX_CHARS).optional(),
})
export type ModuleListRequest = z.infer<typeof ModuleListRequest>

/** Answer of `GET /api/modules` with a query: one page, newest first. */
export const ModulePageAnswer = ModuleListAnswer.extend({
  /** Asks for what comes next; null at the end. */
  nextCursor: z.string().nullable(),
})
export type ModulePageAnswer = z.infer<typeof ModulePageAnswer>

/** BCP 47 tag of any language, such as that of a video. */
export const AnyLanguage = z
  .string()
  .max(LANGUAGE_MAX_CHARS)
  .refine(isLanguageTag, 'must be a language tag such as "en"')

/** Body of `PATCH /api/modules/{id}`. Language, glossary and audio track apply from the next transcription. */
export const ModulePatch = z
  .strictObject({
    title: z.string().trim().min(1).max(MODULE_TITLE_MAX_CHARS),
    shared: z.boolean(),
    language: AnyLanguage.nullable(),
    glossary: z.string().trim().max(GLOSSARY_MAX_CHARS),
    /** One of `audioTracks`; null: Adapt chooses. Another one than before forgets the language, unless that is given. */
    audioTrack: z.number().int().min(0).nullable(),
    /** What share of the video's seconds makes it completed. Holds at once, also for who has watched before. */
    completionPercent: z.number().int().min(1).max(100),
    linkAnswersPerDay: z.number().int().min(0).max(LINK_ANSWERS_MAX).nullable(),
    /** When its link ends; null: it does not. */
    linkEndsAt: z.iso.datetime().nullable(),
    /** What people with the link have to enter; null: nothing. Another one than before is asked of everyone again. */
    linkPassword: z.string().trim().min(LINK_PASSWORD_MIN_CHARS).max(LINK_PASSWORD_MAX_CHARS).nullable(),
    takesReports: z.boolean(),
    /** All languages that it is translated into; `GET /api/modules/{id}/languages` lists those that there are. */
    languages: z.array(Language).max(LANGUAGE_TAGS.length),
    /** Whether the text on its screen may be read, whatever its organization wants. Without, what was read is removed. */
    readsScreen: z.boolean(),
    /** The part of the picture whose text is left out. What was read there is removed; null has it read again from then on. */
    ignoredArea: ScreenArea.nullable(),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Nothing to change')
export type ModulePatch = z.infer<typeof ModulePatch>

/** Body of `POST /api/modules/{id}/link`, which gives a module another link. */
export const NewLink = z.strictObject({
  /** Whether the link before leads to the new one. Otherwise it says that it was replaced, as all earlier ones do then. */
  forwards: z.boolean(),
})
export type NewLink = z.infer<typeof NewLink>

/** Answer of `POST /api/modules/{id}/link`. */
export const NewLinkAnswer = Success.extend({ shareUrl: z.string() })
export type NewLinkAnswer = z.infer<typeof NewLinkAnswer>

/** Whether it has the shape of a BCP 47 tag. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Answer of `GET /api/video-url/{id}`: where the video can be played from. The address carries a ticket and runs out. */
export const VideoUrlAnswer = Success.extend({ url: z.string() })
export type VideoUrlAnswer = z.infer<typeof VideoUrlAnswer>

/** Plain confirmation of a change that has nothing to report. */
export const Done = Success
export type Done = z.infer<typeof Done>

/**
 * Body of `POST /api/reprocess/{id}`; all of it is optional, and so is the body. The language and glossary of the
 * transcription are the module's own (`ModulePatch`).
 * Repeating the request while its run is active returns the same run.
 */
export const ReprocessRequest = z.strictObject({
  /** `failed`: resume where the last run broke off (default). `start`: transcribe the whole video again. */
  from: z.enum(['failed', 'start']).optional(),
})
export type ReprocessRequest = z.infer<typeof ReprocessRequest>

/** Answer of `POST /api/reprocess/{id}`. */
export const ReprocessAnswer = Success.extend({
  moduleId: z.string(),
  /** Number of the active run. */
  run: z.number().int(),
})
export type ReprocessAnswer = z.infer<typeof ReprocessAnswer>

/** A module that was deleted and can still be restored. */
export const DeletedModule = Module.pick({ id: true, title: true }).extend({
  /** ISO 8601, UTC. */
  deletedAt: z.string(),
  /** Until then; ISO 8601, UTC. */
  restorableUntil: z.string(),
})
export type DeletedModule = z.infer<typeof DeletedModule>

/** Answer of `GET /api/modules/deleted`: the last deleted first, at most a hundred. */
export const DeletedListAnswer = Success.extend({ modules: z.array(DeletedModule) })
export type DeletedListAnswer = z.infer<typeof DeletedListAnswer>

/** A training of another person that the caller has opened. */
export const OpenedModule = Module.pick({
  id: true,
  title: true,
  trainingUrl: true,
  posterUrl: true,
  totalDuration: true,
}).extend({
  /** The last time; ISO 8601, UTC. */
  openedAt: z.string(),
  /** How many different seconds of it the caller has seen, signed in. */
  seenSeconds: z.number().int(),
  /** When the caller completed it; null while that is not so. */
  completedAt: z.string().nullable(),
})
export type OpenedModule = z.infer<typeof OpenedModule>

/** A training of another person that the caller was invited to edit. */
export const EditedModule = Module.pick({
  id: true,
  title: true,
  trainingUrl: true,
  posterUrl: true,
  totalDuration: true,
})
export type EditedModule = z.infer<typeof EditedModule>

/** Answer of `GET /api/opened-modules`: newest first, without those that the caller can no longer open. */
export const OpenedListAnswer = Success.extend({
  modules: z.array(OpenedModule),
  /** What the caller was invited to edit, the latest first. */
  edited: z.array(EditedModule).default([]),
})
export type OpenedListAnswer = z.infer<typeof OpenedListAnswer>
