import { sql } from 'drizzle-orm'
import {
  index,
  integer,
  primaryKey,
  real,
  type SQLiteColumn,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import type { ImageName } from '#contract/image.ts'
import type { LanguageTag } from '#contract/languages.ts'
import { COMPLETION_PERCENT } from '#contract/learning.ts'
import type { FailureCode, ModuleStatus, RunMessage } from '#contract/module.ts'
import type { ScreenArea } from '#contract/screen.ts'
import type { Callout, ProposedCallout, ScreenedTexts, StepCommand, StepFocus, StepImage } from '#contract/step.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { AudioTrack } from '#media/audio-tracks.ts'
import type { EarlyIndex } from '#media/iso/early-index.ts'

/** What was said between two moments of a video, before it has its place in a transcript. Times are milliseconds. */
export interface FormedSegment {
  startMs: number
  endMs: number
  text: string
  /** Who says it, where captions name a speaker. */
  speaker?: string
  /** Mean of its words, 0 to 1; null when the recogniser returns none, and for captions. */
  confidence: number | null
  /** Which of its words the recogniser is not sure of, counted from 0; left out where it is sure of all. */
  unsure?: readonly number[]
  /** Which of these it only guessed, where it is unsure of many; left out where it is unsure of few, all of them guesses. */
  guessed?: readonly number[]
  /** What captions in two languages have in the other one at this time. */
  translated?: { language: string; text: string }
}

/** Epoch milliseconds everywhere; the wire has ISO 8601. */
export function epochMs(name: string) {
  return integer(name)
}

/** What lists show. SQLite uses a partial index only for a query that says the same. */
export const IS_LISTED = sql`received_at IS NOT NULL`
/** What lists show as being processed, or as being made again. */
export const IS_AT_WORK = sql`run_status = 'PROCESSING' AND received_at IS NOT NULL`

/** What the search index does not hold as it is now. */
export const IS_TO_INDEX = sql`status = 'READY' AND indexed_version <> steps_version`

/** The plus keeps SQLite from finding them by their status, after which all of them would have to be sorted. */
export const IS_FAILED = sql`+run_status = 'FAILED'`

/**
 * Ready trainings for which a small copy is to be made: of 10 MB at least and 500 kbit/s at least
 * (`contract/small-copy.ts`).
 */
export const LACKS_SMALL_COPY = sql.raw(
  `small_copy IS NULL AND status = 'READY' AND source_size_bytes >= 10000000 AND source_size_bytes * 8 >= duration_ms * 500`,
)

/** What is to be looked at again at some time. */
export const HAS_REVIEW_DATE = sql`review_due_at IS NOT NULL`

/** All that finding a page needs. `received_at` is set in every entry, but SQLite asks for it again. */
function listColumns(t: Record<'createdAt' | 'id' | 'titleFolded' | 'receivedAt', SQLiteColumn>) {
  return [t.createdAt, t.id, t.titleFolded, t.receivedAt] as const
}

/** Of a module, wherever its row lies: `modules`, or `deleted_modules` after it was deleted. */
export const moduleColumns = {
  id: text('id').primaryKey(),
  userId: text('user_id').notNull(),
  /** Organization that was active at upload; its members own the module too. */
  orgId: text('org_id'),
  title: text('title').notNull(),
  /** The title as a search compares it; SQLite's own `lower` knows ASCII only. */
  titleFolded: text('title_folded').notNull().default(''),
  filename: text('filename').notNull(),
  status: text('status').$type<ModuleStatus>().notNull(),
  /**
   * Status of the newest run, to which progress, message and failure belong. It is another one than that of the module
   * only while a READY module is made again, and after that has failed.
   */
  runStatus: text('run_status').$type<ModuleStatus>().notNull().default('PROCESSING'),
  progress: integer('progress').notNull().default(0),
  message: text('message').$type<RunMessage>().notNull(),
  /** Why the newest run failed; `ai_busy` of a READY module: why some of its steps were written without the model. */
  failureCode: text('failure_code').$type<FailureCode>(),
  lastError: text('last_error'),
  shared: integer('shared', { mode: 'boolean' }).notNull().default(true),
  sourceKey: text('source_key').notNull(),
  /** Type that the upload was signed for. */
  declaredType: text('declared_type').notNull(),
  /** What the client said the file is; null when it said nothing. */
  declaredSizeBytes: integer('declared_size_bytes'),
  declaredDurationMs: integer('declared_duration_ms'),
  /** Identifies the file when its upload is resumed; null when the client gave none. */
  fingerprint: text('fingerprint'),
  /** R2's id of the upload in parts; null for a plain PUT, and once the parts were put together. */
  uploadId: text('upload_id'),
  /** Sum of the parts that have arrived. */
  uploadedBytes: integer('uploaded_bytes').notNull().default(0),
  /** Null until `complete` has checked the object; from then on only these very bytes are read or served. */
  sourceEtag: text('source_etag'),
  sourceSizeBytes: integer('source_size_bytes'),
  /** Type that the first bytes show. */
  sourceType: text('source_type'),
  durationMs: integer('duration_ms'),
  /** How the index of the video is served before its media; null: it is in front already, or is not looked for yet. */
  earlyIndex: text('early_index', { mode: 'json' }).$type<EarlyIndex>(),
  /** What is served on slow lines and to phones; null until an owner's browser has made one, or found that it saves little. */
  smallCopy: text('small_copy', { mode: 'json' }).$type<StoredSmallCopy>(),
  /** Codec string of the picture, by which browsers know whether they show it; null until the video is read. */
  videoCodec: text('video_codec'),
  /** The tracks of audio that people choose from; null where there are fewer than two, or the video is not read yet. */
  audioTracks: text('audio_tracks', { mode: 'json' }).$type<readonly StoredTrack[]>(),
  /** The one that its owner has chosen; null where Adapt chooses. */
  audioTrack: integer('audio_track'),
  /** The one that Adapt has chosen; null with `audioTracks`. */
  takenTrack: integer('taken_track'),
  /** Share of the seconds that make it completed, percent. */
  completionPercent: integer('completion_percent').notNull().default(COMPLETION_PERCENT),
  /** In the address of its link in place of its id, since its owner made a new link; null for the first link. */
  linkCode: text('link_code'),
  /** When its link ends; null where it does not. */
  linkEndsAt: epochMs('link_ends_at'),
  /** Hash of the password of its link, as `hashPassword` makes it; null where it needs none. */
  linkPassword: text('link_password'),
  /** Wrong passwords of its link within a day of `linkMissedAt`. */
  linkMisses: integer('link_misses').notNull().default(0),
  /** When the first of them was tried; null where there was none. */
  linkMissedAt: epochMs('link_missed_at'),
  /** Answers a day that a model may write for people with the link; null where they cannot ask. */
  linkAnswersPerDay: integer('link_answers_per_day'),
  /** Whether learners report from its steps; null where its owner has not said: those of organizations do. */
  takesReports: integer('takes_reports', { mode: 'boolean' }),
  /** Whether an image of it is kept that stands for the whole video. */
  hasPoster: integer('has_poster', { mode: 'boolean' }).notNull().default(false),
  language: text('language'),
  glossary: text('glossary'),
  /** Into which languages it is translated. */
  languages: text('languages', { mode: 'json' }).$type<LanguageTag[]>().notNull().default(sql`'[]'`),
  /**
   * The object with the captions that every later run writes the steps from; null while the audio is transcribed. It is
   * another one than `transcriptKey` only while captions of a READY module wait for the end of their run.
   */
  captionsKey: text('captions_key'),
  /** Whose segments are the transcript: the run that transcribed them, 0 for captions, null while there is none. */
  transcriptRun: integer('transcript_run'),
  /** The object that holds these segments; null while they lie in the sections of `transcriptRun`, which has not ended well. */
  transcriptKey: text('transcript_key'),
  /** How many segments the transcript has so far. */
  segmentCount: integer('segment_count').notNull().default(0),
  /** The object with what was read from its screen; null where nothing was. */
  screenKey: text('screen_key'),
  /** Whether its owner wants its screen read. */
  readsScreen: integer('reads_screen', { mode: 'boolean' }).notNull().default(true),
  /** Whether its owner has decided so, whatever its organization wants. */
  readsScreenAnyway: integer('reads_screen_anyway', { mode: 'boolean' }).notNull().default(false),
  /** What of the video is left out. A change is a new version of the steps. */
  cuts: text('cuts', { mode: 'json' }).$type<Cuts>().notNull().default(sql`'[]'`),
  /** The part of the picture whose text is left out; null for none. */
  ignoredArea: text('ignored_area', { mode: 'json' }).$type<ScreenArea>(),
  stepsVersion: integer('steps_version').notNull().default(0),
  /** `stepsVersion` of the last change by a person; a save that is based on an older one is refused. */
  editedVersion: integer('edited_version').notNull().default(0),
  /** `stepsVersion` with which a run last replaced all steps. Where `editedVersion` is newer, a person has changed them since. */
  madeVersion: integer('made_version').notNull().default(0),
  /** Who last changed what a version is made of, in an organization; null where that is not known. */
  editedBy: text('edited_by'),
  /** Number of the version that learners see; 0 before the first, as only owners see it; null while they see the draft. */
  publishedVersion: integer('published_version'),
  /** How often its version is to be looked at again; null: never. */
  reviewMonths: integer('review_months'),
  /** When it is next; null where learners see no version, or none is to be looked at again. */
  reviewDueAt: epochMs('review_due_at'),
  /** The video of that version, where the draft has another one by now. */
  learnerSource: text('learner_source', { mode: 'json' }).$type<LearnerSource>(),
  /** The module whose video this new recording is to replace. */
  replacesId: text('replaces_id'),
  /** `stepsVersion` as the search index holds it; another one while the module is to be indexed, -1 whatever its version is. */
  indexedVersion: integer('indexed_version').notNull().default(-1),
  /** Number of the current run; commits of an older one are refused. 0 before the first. */
  run: integer('run').notNull().default(0),
  /** How often in a row the watchdog found no progress. */
  redrives: integer('redrives').notNull().default(0),
  createdAt: epochMs('created_at').notNull(),
  /** When the first bytes were seen; a module without is listed nowhere. */
  receivedAt: epochMs('received_at'),
  /** When `complete` had checked the video; null before. */
  uploadedAt: epochMs('uploaded_at'),
  /** Last heartbeat. */
  updatedAt: epochMs('updated_at').notNull(),
}

/** An object with the same times as the source, all of it but for `cuts`; `none` where it would save too little. */
export type StoredSmallCopy =
  | { kind: 'made'; key: string; etag: string; sizeBytes: number; codec: string; cuts?: Cuts }
  | { kind: 'none' }

/** What learners see of a video and what their learning is measured by, by the names of the columns. */
export interface LearnerSource {
  sourceKey: string
  sourceEtag: string | null
  sourceSizeBytes: number | null
  sourceType: string | null
  earlyIndex: EarlyIndex | null
  smallCopy: StoredSmallCopy | null
  durationMs: number | null
  cuts: Cuts
  audioTracks: readonly StoredTrack[] | null
}

/** A track of audio with the tracks of other speakers that are transcribed with it; none where it has been taken alone. */
export interface StoredTrack extends AudioTrack {
  speakerIds?: readonly number[]
}

export const modules = sqliteTable('modules', moduleColumns, (t) => [
  index('modules_by_user').on(t.userId, t.createdAt),
  index('modules_by_org').on(t.orgId, t.createdAt),
  index('modules_by_run_status').on(t.runStatus, t.updatedAt),
  // A page of the list, and a search through all titles, read nothing but these.
  index('modules_listed_by_user')
    .on(t.userId, ...listColumns(t))
    .where(IS_LISTED),
  index('modules_listed_by_org')
    .on(t.orgId, ...listColumns(t))
    .where(IS_LISTED),
  index('modules_at_work_by_user').on(t.userId, t.createdAt, t.id).where(IS_AT_WORK),
  index('modules_at_work_by_org').on(t.orgId, t.createdAt, t.id).where(IS_AT_WORK),
  // The list of trainings without a small copy is mostly empty, and asked for with each dashboard.
  index('modules_without_small_by_user').on(t.userId, t.createdAt, t.id).where(LACKS_SMALL_COPY),
  index('modules_without_small_by_org').on(t.orgId, t.createdAt, t.id).where(LACKS_SMALL_COPY),
  // What is due for review is asked for with each dashboard, and mostly is nothing.
  index('modules_review_due_by_user').on(t.userId, t.reviewDueAt, t.id).where(HAS_REVIEW_DATE),
  index('modules_review_due_by_org').on(t.orgId, t.reviewDueAt, t.id).where(HAS_REVIEW_DATE),
  uniqueIndex('modules_by_source').on(t.sourceKey),
  index('modules_by_editor').on(t.editedBy).where(sql`edited_by IS NOT NULL`),
  index('modules_by_link').on(t.linkCode).where(sql`link_code IS NOT NULL`),
  index('modules_by_replaced').on(t.replacesId).where(sql`replaces_id IS NOT NULL`),
  // Each sweep indexes some; mostly there are none.
  index('modules_to_index').on(t.updatedAt).where(IS_TO_INDEX),
  // An operator's list has the newest first.
  index('modules_by_age').on(t.createdAt, t.id),
  // The sweep looks for uploads that are not complete every minute, and mostly there are none.
  index('modules_without_source').on(t.createdAt, t.id).where(sql`source_etag IS NULL`),
  // An operator's list of what has failed reads no more than it shows.
  index('modules_failed').on(t.createdAt, t.id).where(IS_FAILED),
  // Likewise for what a busy model has left undone.
  index('modules_ended_busy').on(t.updatedAt).where(sql`failure_code = 'ai_busy'`),
])

/** One attempt at turning a source into steps. */
export const runs = sqliteTable(
  'runs',
  {
    moduleId: text('module_id').notNull(),
    run: integer('run').notNull(),
    trigger: text('trigger').$type<'upload' | 'captions' | 'reprocess' | 'recut'>().notNull(),
    /** What a person asked for; the same request while it runs is the same run. Null for other triggers. */
    request: text('request'),
    /** Who cuts the audio: a browser does while its upload is on the way, everything else is cut by ingest. */
    audioFrom: text('audio_from').$type<'browser' | 'ingest'>().notNull().default('ingest'),
    /** Whether a browser's audio was found to be that of the video; READY waits for it. */
    isVerified: integer('is_verified', { mode: 'boolean' }).notNull().default(false),
    /** Whether its steps are shown while they are written: only where there were none before. */
    isLive: integer('is_live', { mode: 'boolean' }).notNull().default(true),
    /** When it was its owner's turn; null while others of the same owner are at work. */
    admittedAt: epochMs('admitted_at'),
    /** Where the next ingest slice begins; null before the first. */
    cursorMs: integer('cursor_ms'),
    /** Number of audio chunks; null until the whole source has been cut. */
    chunkCount: integer('chunk_count'),
    /** Which track of several is transcribed; null until the video is read, and for a video with one. */
    audioTrack: integer('audio_track'),
    startedAt: epochMs('started_at').notNull(),
    /** Sums over the transcribed chunks, so that no chunk makes the others be counted again. */
    transcribedCount: integer('transcribed_count').notNull().default(0),
    transcribedMs: integer('transcribed_ms').notNull().default(0),
    /** Written by no code any more; a migration removes no column. */
    spokenMs: integer('spoken_ms').notNull().default(0),
    wordCount: integer('word_count').notNull().default(0),
    /** Sum of the words' confidences; a recogniser that returns none is trusted with 1. */
    confidenceSum: real('confidence_sum').notNull().default(0),
    /** How many sections have their segments; the next one to be formed. */
    formedSections: integer('formed_sections').notNull().default(0),
    /** Words from here on belong to the next section. */
    formedUntilMs: integer('formed_until_ms').notNull().default(0),
    formedSegments: integer('formed_segments').notNull().default(0),
    /** Number of sections; null until the last one has been formed. */
    sectionCount: integer('section_count'),
    writtenSections: integer('written_sections').notNull().default(0),
    /**
     * Which steps begin an entry of the list. Null where no model has written any section; empty text while a model is
     * still to be asked.
     */
    outline: text('outline'),
    endedAt: epochMs('ended_at'),
    outcome: text('outcome').$type<'ready' | 'failed' | 'superseded'>(),
    failureCode: text('failure_code').$type<FailureCode>(),
    /** JSON of what its chunks, sections and tasks counted, which are dropped when a run ends well; null until then. */
    work: text('work'),
    /** Id of the request that led to it, for the log. */
    requestId: text('request_id'),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.run] }),
    // Each claim begins with the runs that are in progress.
    index('runs_by_start').on(t.startedAt),
    index('runs_open').on(t.admittedAt).where(sql`admitted_at IS NOT NULL AND ended_at IS NULL`),
  ],
)

/** A few chunks' worth of narration whose steps are written on their own. Rows are the join of the second fan-out. */
export const sections = sqliteTable(
  'sections',
  {
    moduleId: text('module_id').notNull(),
    run: integer('run').notNull(),
    section: integer('section').notNull(),
    /** Positions of its segments: from the first to before `toPosition`. */
    fromPosition: integer('from_position').notNull(),
    toPosition: integer('to_position').notNull(),
    /** Null where captions are the transcript. */
    segments: text('segments', { mode: 'json' }).$type<FormedSegment[]>(),
    status: text('status').$type<'planned' | 'written'>().notNull().default('planned'),
    /** JSON of SectionStep[]; null until written. */
    steps: text('steps'),
    /** Written by the extractive engine because the language model failed. */
    isDraft: integer('is_draft', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.run, t.section] })],
)

/** Of a step that a run has written, whether it is in the list or offered beside it. */
const writtenStepColumns = {
  moduleId: text('module_id').notNull(),
  id: text('id').notNull(),
  position: integer('position').notNull(),
  title: text('title').notNull(),
  description: text('description').notNull(),
  startMs: integer('start_ms').notNull(),
  endMs: integer('end_ms').notNull(),
  originalText: text('original_text').notNull().default(''),
  segmentIds: text('segment_ids', { mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
  isDraft: integer('is_draft', { mode: 'boolean' }).notNull().default(false),
  /** Title of its chapter; a heading stands where it is another one than that of the step before. */
  chapter: text('chapter'),
  /** Teaching notes, for owners. */
  notes: text('notes').notNull().default(''),
  /** What the run found that a learner is to know before the step; its owner takes or leaves it. */
  proposedCallouts: text('proposed_callouts', { mode: 'json' }).$type<ProposedCallout[]>().notNull().default(sql`'[]'`),
  /** What is typed in it, as its screen shows it or a person wrote it. */
  commands: text('commands', { mode: 'json' }).$type<StepCommand[]>().notNull().default(sql`'[]'`),
}

export const steps = sqliteTable(
  'steps',
  {
    ...writtenStepColumns,
    aliases: text('aliases', { mode: 'json' }).$type<string[]>().notNull().default(sql`'[]'`),
    notesQuotable: integer('notes_quotable', { mode: 'boolean' }).notNull().default(false),
    /** A person has written or changed the notes; no run replaces them. */
    notesEdited: integer('notes_edited', { mode: 'boolean' }).notNull().default(false),
    callouts: text('callouts', { mode: 'json' }).$type<Callout[]>().notNull().default(sql`'[]'`),
    /** What a person has chosen to see in its image, as the wire has it. */
    imageAt: text('image_at', { mode: 'json' }).$type<StepImage>(),
    /** Where a person has said to look, as the wire has it. */
    focus: text('focus', { mode: 'json' }).$type<StepFocus>(),
    /** Lines of the screen that its image shows. */
    imageText: text('image_text').notNull().default(''),
    aiRewrite: text('ai_rewrite'),
    beforeRewrite: text('before_rewrite'),
    /** What it said before its screen was read; null where that has changed nothing, and once a person has changed it. */
    beforeScreen: text('before_screen', { mode: 'json' }).$type<ScreenedTexts>(),
    isManual: integer('is_manual', { mode: 'boolean' }).notNull().default(false),
    /** Run that wrote it; null for a manual step. */
    run: integer('run'),
    /** When a person last changed it; the pipeline never overwrites such a step. */
    editedAt: epochMs('edited_at'),
    /** `stepsVersion` with which it appeared; a save that is based on an older one does not know of it. */
    addedVersion: integer('added_version').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.id] }), index('steps_in_order').on(t.moduleId, t.position)],
)

/** The images of steps that the bucket holds, in both sizes, by their names there. The poster is a column of its module. */
export const stepImages = sqliteTable(
  'step_images',
  {
    moduleId: text('module_id').notNull(),
    name: text('name').$type<ImageName>().notNull(),
    contentType: text('content_type').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    /** Since when no step shows it; null while one does. It is kept for a while, because a change can be taken back. */
    unusedSince: epochMs('unused_since'),
    /** A version shows it, so it is neither removed nor replaced. */
    isPublished: integer('is_published', { mode: 'boolean' }).notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.moduleId, t.name] }),
    index('step_images_unused').on(t.unusedSince).where(sql`unused_since IS NOT NULL`),
  ],
)

/** Steps of the current run that a person removed while it was at work; it does not bring them back. */
export const dismissedSteps = sqliteTable(
  'dismissed_steps',
  { moduleId: text('module_id').notNull(), id: text('id').notNull() },
  (t) => [primaryKey({ columns: [t.moduleId, t.id] })],
)

/** Steps that a new run offers where a person's work is to be protected; each is accepted or rejected. */
export const stepProposals = sqliteTable(
  'step_proposals',
  {
    ...writtenStepColumns,
    run: integer('run').notNull(),
    /** Null while it is offered. Decided ones are kept until the next run, so that a decision can be taken back. */
    decision: text('decision').$type<'accept' | 'reject'>(),
    /** JSON of the steps that it took the place of; null unless accepted. */
    replaced: text('replaced'),
  },
  (t) => [primaryKey({ columns: [t.moduleId, t.id] })],
)
