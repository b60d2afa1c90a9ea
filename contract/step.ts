import { z } from 'zod'
import { CutRanges } from './cuts.ts'
import { SCENES_MAX, STEP_HARD_LIMITS, VIDEO_MAX_S } from './limits.ts'
import { Problem, Success } from './problem.ts'

/** What a callout warns of or names, in the order in which a step shows them. */
export const CALLOUT_KINDS = ['warning', 'tool', 'part', 'tip'] as const

/** What a learner is to know before a step: a danger, what it takes, or how it goes more easily. */
export const Callout = z.object({
  kind: z.enum(CALLOUT_KINDS),
  text: z.string().trim().min(1).max(STEP_HARD_LIMITS.calloutMaxChars),
})
export type Callout = z.infer<typeof Callout>

/** A callout that a run offers, with the words of the video that it follows from. */
export const ProposedCallout = Callout.extend({ quote: z.string().trim().min(1).max(1_000) })
export type ProposedCallout = z.infer<typeof ProposedCallout>

/** What a {@link StepCommand} is. */
export const COMMAND_KINDS = ['command', 'code'] as const

/** What is typed in a step, to the character. A learner copies it. */
export const StepCommand = z.object({
  kind: z.enum(COMMAND_KINDS),
  text: z.string().max(STEP_HARD_LIMITS.commandMaxChars).regex(/\S/),
  /** When the video shows it. */
  startMs: z.int().nonnegative(),
})
export type StepCommand = z.infer<typeof StepCommand>

const seconds = z.number().finite().min(0).max(VIDEO_MAX_S)

/** Which moment the image of a step shows, in seconds; null where that is found automatically, `none` for no image. */
export const StepImage = z.union([seconds, z.literal('none')]).nullable()
export type StepImage = z.infer<typeof StepImage>

/** A picture is enlarged five times at most. */
export const FOCUS_MIN_PERCENT = 20
const percent = z.int().min(0).max(100)
const side = z.int().min(FOCUS_MIN_PERCENT).max(100)

/** The part of the picture to look at, in hundredths of the 16:9 frame in which pages show videos and images. */
export const StepFocus = z.object({ x: percent, y: percent, width: side, height: side })
export type StepFocus = z.infer<typeof StepFocus>

/** What of a step may change when the screen of its video has been read. */
export const ScreenedTexts = z.object({
  title: z.string(),
  description: z.string(),
  commands: z.array(StepCommand),
})
export type ScreenedTexts = z.infer<typeof ScreenedTexts>

/** One timestamped learning step. `start` and `end` are seconds from the beginning of the video. */
export const Step = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  start: z.number(),
  end: z.number(),
  /** `end - start`, seconds. */
  duration: z.number(),
  /** Other names under which people look for this step. */
  aliases: z.array(z.string()),
  /** Teaching notes, from which the tutor answers owners; owners only, otherwise empty. */
  notes: z.string(),
  /** Whether the tutor may quote the notes to learners; owners only, otherwise false. */
  notesQuotable: z.boolean().default(false),
  /** Whether a person has written or changed the notes; false for those of a model. Owners only, otherwise false. */
  notesEdited: z.boolean().default(false),
  /** Added by a person rather than found by the pipeline. */
  isManual: z.boolean(),
  /** The transcript of this step; owners only, otherwise empty. */
  originalText: z.string(),
  /** A rewritten description that was kept; owners only, null when there is none. */
  aiRewrite: z.string().nullable(),
  /** What the description was before that rewrite; owners only, null when there is none. */
  beforeRewrite: z.string().nullable().default(null),
  /** Written by the extractive engine because the language model failed. */
  isDraft: z.boolean(),
  /** Title of the chapter that it belongs to; null where it stands in none. A chapter is neighbours with the same title. */
  chapter: z.string().nullable().default(null),
  /** Shown before the step, in this order. */
  callouts: z.array(Callout).default([]),
  /** Callouts that the last run proposes; owners only, otherwise empty. */
  proposedCallouts: z.array(ProposedCallout).default([]),
  /** What is typed in it, in order of time. */
  commands: z.array(StepCommand).default([]),
  /** What it said before its screen was read; owners only, null where that has changed nothing. */
  beforeScreen: ScreenedTexts.nullable().default(null),
  /** What a person has chosen to see in its image. */
  imageAt: StepImage.default(null),
  /** Where a person has said to look; null for the whole picture. */
  focus: StepFocus.nullable().default(null),
  /** Name of the image that is shown with it: `poster` until its own is made, null where there is none. */
  image: z.string().nullable().default(null),
  /** Begins the names of images of its video; owners only, left out for the first video of a training. */
  videoMark: z.string().optional(),
  /** What its image shows, for people who do not see it; empty where that is not known. */
  imageText: z.string().default(''),
})
export type Step = z.infer<typeof Step>

/** Says what a step has that neither a person nor a run has filled in. */
export const BLANK_STEP: Omit<Step, 'id' | 'title' | 'start' | 'end' | 'duration'> = {
  description: '',
  aliases: [],
  notes: '',
  notesQuotable: false,
  notesEdited: false,
  isManual: false,
  originalText: '',
  aiRewrite: null,
  beforeRewrite: null,
  isDraft: false,
  chapter: null,
  callouts: [],
  proposedCallouts: [],
  commands: [],
  beforeScreen: null,
  imageAt: null,
  focus: null,
  image: null,
  imageText: '',
}

/** A step as anyone with the link sees it: no notes, quotes or aliases. `timestamp` is its start. */
export const SharedStep = Step.pick({
  id: true,
  title: true,
  description: true,
  duration: true,
  chapter: true,
  callouts: true,
  commands: true,
  focus: true,
  image: true,
  imageText: true,
}).extend({
  timestamp: z.number(),
  /** Tag of its language, where that is another one than of the page around it. */
  language: z.string().optional(),
})
export type SharedStep = z.infer<typeof SharedStep>

/** Longest id of a step. */
export const STEP_ID_MAX_CHARS = 64
/** Names a step of a module. */
export const StepId = z.string().min(1).max(STEP_ID_MAX_CHARS)

const StepInputFields = z.object({
  id: StepId.optional(),
  title: z.string().trim().min(1).max(STEP_HARD_LIMITS.titleMaxChars),
  description: z.string().max(STEP_HARD_LIMITS.descriptionMaxChars).default(''),
  start: seconds,
  end: seconds,
  aliases: z
    .array(z.string().trim().max(STEP_HARD_LIMITS.aliasMaxChars))
    .transform((aliases) => aliases.filter((alias) => alias !== ''))
    .pipe(z.array(z.string()).max(STEP_HARD_LIMITS.maxAliases))
    .default([]),
  /** Left out keeps them; so does `notesQuotable`. */
  notes: z.string().max(STEP_HARD_LIMITS.notesMaxChars).optional(),
  notesQuotable: z.boolean().optional(),
  isManual: z.boolean().default(false),
  originalText: z.string().max(20_000).optional(),
  /** Null forgets the rewrite, left out keeps it; so does `beforeRewrite`. */
  aiRewrite: z.string().max(5_000).nullable().optional(),
  beforeRewrite: z.string().max(5_000).nullable().optional(),
  /** Left out keeps it. */
  chapter: z.string().trim().min(1).max(STEP_HARD_LIMITS.titleMaxChars).nullable().optional(),
  /** Left out keeps them; so does `proposedCallouts`. */
  callouts: z.array(Callout).max(STEP_HARD_LIMITS.maxCallouts).optional(),
  proposedCallouts: z.array(ProposedCallout).max(STEP_HARD_LIMITS.maxCallouts).optional(),
  /** Left out keeps them. */
  commands: z.array(StepCommand).max(STEP_HARD_LIMITS.maxCommands).optional(),
  /** Left out keeps it; so does `focus`. */
  imageAt: StepImage.optional(),
  focus: StepFocus.refine(({ x, y, width, height }) => x + width <= 100 && y + height <= 100, 'must be in the picture')
    .nullable()
    .optional(),
})

function readTimes(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const raw = value as Record<string, unknown>
  const start = raw['start'] ?? raw['startTime'] ?? raw['timestamp']
  const length = raw['duration']
  const end =
    raw['end'] ??
    raw['endTime'] ??
    (typeof start === 'number' && typeof length === 'number' ? start + length : undefined)
  return { ...raw, start, end }
}

/**
 * A step as a client may send it: `start`/`end`, `startTime`/`endTime` or `timestamp` + `duration`, in seconds.
 * Only the server's hard limits hold here; the editor's own rules are stricter.
 */
export const StepInput = z.preprocess(
  readTimes,
  StepInputFields.refine((step) => step.end >= step.start, {
    message: 'End time must be after start time',
    path: ['end'],
  }),
)
export type StepInput = z.infer<typeof StepInput>

/**
 * Body of `POST /api/steps/{id}`: the whole list, whatever the action. A stale `version` is refused with
 * {@link VersionConflict}. Where `add`, `update` and `delete` name their `stepIndex`, they change that step only: the
 * others say where they stand.
 */
export const SaveSteps = z.strictObject({
  steps: z.array(StepInput).max(STEP_HARD_LIMITS.maxSteps),
  action: z.enum(['add', 'update', 'reorder', 'delete']).optional(),
  stepIndex: z.number().int().min(0).optional(),
  version: z.number().int().optional(),
})
export type SaveSteps = z.infer<typeof SaveSteps>

/** Answer of `GET` and `POST /api/steps/{id}`. */
export const StepsAnswer = Success.extend({
  steps: z.array(Step),
  /** Everything that was said, as plain text; without what is left out, but for owners. */
  transcript: z.string(),
  meta: z.object({
    /** Length of the video in seconds; null until it is known. */
    durationSec: z.number().nullable(),
    version: z.number().int(),
    /** The version that the last person made, or a run that replaced what was there; 0 for a step without edits. */
    editedVersion: z.number().int(),
    transcriptSource: z.enum(['captions', 'speech']).nullable(),
    /** What of the video is left out; owners get all steps nevertheless, since they change them. */
    cuts: CutRanges.default([]),
  }),
})
export type StepsAnswer = z.infer<typeof StepsAnswer>

/** Body of the 409 that a stale save gets: nothing has been saved, and these are the steps to compare with. */
export const VersionConflict = Problem.extend({
  code: z.literal('version_conflict'),
  steps: z.array(Step),
  /** The version to base the next save on. */
  version: z.number().int(),
})
export type VersionConflict = z.infer<typeof VersionConflict>

/**
 * A step that a new run offers, or a scene of a video without speech. A scene was seen, not said: its title is empty, and
 * a step that a person saves under its id gives it a name.
 */
export const Proposal = Step.extend({
  /** Ids of the steps that give way to it once it is accepted; none where it is added. */
  replaces: z.array(z.string()),
  /** What the screen suggests as the title of a scene; left out where it suggests none. */
  suggestedTitle: z.string().optional(),
})
export type Proposal = z.infer<typeof Proposal>

/** Answer of `GET` and `PUT /api/steps/{id}/proposals`: the proposals of the last run. Owners only. */
export const ProposalsAnswer = Success.extend({ proposals: z.array(Proposal) })
export type ProposalsAnswer = z.infer<typeof ProposalsAnswer>

/**
 * Body of `PUT /api/steps/{id}/proposals`: seconds at which the scenes of a video without speech begin, as the browser
 * of an owner sees them; empty where it sees none. Those that came first stay.
 */
export const OfferScenes = z.strictObject({ starts: z.array(seconds).max(SCENES_MAX) })
export type OfferScenes = z.infer<typeof OfferScenes>

/**
 * Body of `POST /api/steps/{id}/proposals/{stepId}`; answered with the steps as they are then. `undo` offers a decided
 * one again, until the next run, and brings back what it took the place of.
 */
export const DecideProposal = z.strictObject({ decision: z.enum(['accept', 'reject', 'undo']) })
export type DecideProposal = z.infer<typeof DecideProposal>

/** Body of `POST /api/steps/{id}/proposals`: the same decision on several, in one go. */
export const DecideProposals = DecideProposal.extend({
  ids: z.array(StepId).min(1).max(STEP_HARD_LIMITS.maxSteps),
})
export type DecideProposals = z.infer<typeof DecideProposals>
