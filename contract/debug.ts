import { z } from 'zod'
import { DEBUG_LIST_DEFAULT, DEBUG_LIST_MAX } from './limits.ts'
import { FailureCode, ModuleStatus } from './module.ts'
import { Quota, Success } from './problem.ts'

/** `orphaned`: an upload without activity for a day; the sweep removes it. */
export const DebugStatus = z.enum([...ModuleStatus.options, 'orphaned'])
export type DebugStatus = z.infer<typeof DebugStatus>

/**
 * Query of `GET /api/debug/modules/debug`. Statuses are taken in either case, and `completed` for READY; a status that
 * does not exist is refused.
 */
export const DebugListRequest = z.strictObject({
  limit: z.coerce.number().int().min(1).max(DEBUG_LIST_MAX).default(DEBUG_LIST_DEFAULT),
  status: z
    .string()
    .transform((status) => (status.toLowerCase() === 'orphaned' ? 'orphaned' : status.toUpperCase()))
    .transform((status) => (status === 'COMPLETED' ? 'READY' : status))
    .pipe(DebugStatus)
    .optional(),
  stuck: z.enum(['true', 'false']).optional(),
})
export type DebugListRequest = z.infer<typeof DebugListRequest>

/** A row of the debug page (specification §3). */
export const DebugModule = z.object({
  id: z.string(),
  title: z.string(),
  userId: z.string(),
  status: DebugStatus,
  /** Status of its newest run; another one than its own while a READY module is made again, and after that has failed. */
  runStatus: ModuleStatus,
  stepsCount: z.number().int(),
  questionsCount: z.number().int(),
  feedbacksCount: z.number().int(),
  /** ISO 8601, UTC; so are all times here. */
  createdAt: z.string(),
  /** Time of the last heartbeat or change. */
  updatedAt: z.string(),
  progress: z.number().int(),
  message: z.string(),
  /** Of its newest run; null unless that failed. */
  lastError: z.string().nullable(),
  /** Its run is active, but silent for longer than any single step of the pipeline takes. */
  isStuck: z.boolean(),
  /** True for a module that failed, or whose new version did, that is stuck or orphaned, or READY without a single step. */
  needsAttention: z.boolean(),
  /** Whether the caller may process it again: its owner, and an operator where it is stuck. */
  mayRetry: z.boolean(),
  trainingUrl: z.string(),
})
export type DebugModule = z.infer<typeof DebugModule>

/** Whose modules a caller sees: their own, their organization's, or those of all people. */
export const DebugScope = z.enum(['own', 'organization', 'all'])
export type DebugScope = z.infer<typeof DebugScope>

/** Answer of `GET /api/debug/modules/debug`, newest first. */
export const DebugListAnswer = Success.extend({ scope: DebugScope, modules: z.array(DebugModule) })
export type DebugListAnswer = z.infer<typeof DebugListAnswer>

/** How far one kind of a run's work is, and how often it was tried. */
export const DebugStage = z.object({
  done: z.number().int(),
  /** Null until the number of tasks is known. */
  total: z.number().int().nullable(),
  tries: z.number().int(),
  /** The most tries of a single piece. */
  mostTries: z.number().int(),
  /** Pieces that a busy model has put off, however often. Left out of runs that ended before it was counted. */
  busy: z.number().int().optional(),
})
export type DebugStage = z.infer<typeof DebugStage>

/** One attempt at turning a video into steps. */
export const DebugRun = z.object({
  run: z.number().int(),
  trigger: z.enum(['upload', 'captions', 'reprocess', 'recut']),
  startedAt: z.string(),
  /** When its run was admitted; null while other runs of the same owner are active. */
  admittedAt: z.string().nullable(),
  /** Null while the run is active. */
  endedAt: z.string().nullable(),
  outcome: z.enum(['ready', 'failed', 'superseded']).nullable(),
  failureCode: FailureCode.nullable(),
  /** Pieces of audio; `lastTranscribedAt` is null before the first. */
  audio: DebugStage.extend({ lastTranscribedAt: z.string().nullable() }),
  /** Sections of narration; `drafts` were written without the language model. */
  steps: DebugStage.extend({ drafts: z.number().int() }),
})
export type DebugRun = z.infer<typeof DebugRun>

/** Answer of `GET /api/debug/modules/{moduleId}`: its runs, newest first. */
export const DebugTimelineAnswer = Success.extend({ module: DebugModule, runs: z.array(DebugRun) })
export type DebugTimelineAnswer = z.infer<typeof DebugTimelineAnswer>

/** What one module used of the models on one day. */
export const AiUse = z.object({
  moduleId: z.string(),
  title: z.string(),
  /** `2026-11-21`, UTC. */
  day: z.string(),
  transcribedMinutes: z.number(),
  writtenSections: z.number().int(),
  modelAnswers: z.number().int(),
  /** By the list prices of Workers AI, whatever model is in use; an estimate. */
  estimatedUsd: z.number(),
})
export type AiUse = z.infer<typeof AiUse>

/**
 * Answer of `GET /api/debug/usage`: the last thirty days, dearest first, at most a hundred rows, and their sum. With the
 * scope `all` the rows are of today and yesterday, and costs are what was paid towards the quotas.
 */
export const AiUseAnswer = Success.extend({
  scope: DebugScope,
  totalUsd: z.number(),
  rows: z.array(AiUse),
  /** The limit of everyone together, for operators, once another answer does not fit under it today; otherwise null. */
  reached: Quota.nullable().default(null),
})
export type AiUseAnswer = z.infer<typeof AiUseAnswer>

/** How far speech recognition is prepared, in what has to be downloaded for it. */
export const SpeechPreparation = z.object({
  doneBytes: z.number().min(0),
  /** 0 as long as it is not known. */
  totalBytes: z.number().min(0),
})
export type SpeechPreparation = z.infer<typeof SpeechPreparation>

/** What `queues` says where the sweep has never run, as minutes after a first deployment. */
export const NO_SWEEP_YET = 'the sweep has not run yet: lost work is not found again'

/**
 * Answer of `GET /api/health`. `postgres`, `s3` and `qstash` keep their names from the specification and report on
 * what does that job here: D1, R2, and Queues with the scheduled sweep. A status text is `ok` or says what is wrong and
 * what that means.
 */
export const Health = z.object({
  success: z.boolean(),
  postgres: z.string(),
  s3: z.string(),
  qstash: z.string(),
  d1: z.string(),
  r2: z.string(),
  queues: z.string(),
  /** From how the models' latest calls ended: asking one costs what a call costs. */
  ai: z.string(),
  durableObjects: z.string(),
  /** Null once speech can be recognised, or where nothing prepares it. */
  speechPreparation: SpeechPreparation.nullable(),
  /** The name that it was deployed under, such as `production`. */
  environment: z.string(),
  /** Seconds since this isolate started. */
  uptime: z.number(),
  /** Of what is deployed: its commit, or Cloudflare's id of the version where it was deployed without one. */
  version: z.string(),
  /** Cloudflare's id of the version: one commit is deployed again where settings have changed. */
  release: z.string(),
})
export type Health = z.infer<typeof Health>

/** Parts of which it is said how they are. */
const JUDGED_PARTS = ['d1', 'r2', 'queues', 'durableObjects', 'ai'] as const satisfies (keyof Health)[]

/** Lists the parts that are not well, each with what is wrong. A model that was not called yet is no failure. */
export function listIll(health: Pick<Health, (typeof JUDGED_PARTS)[number]>): [part: string, status: string][] {
  return JUDGED_PARTS.map((part): [string, string] => [part, health[part]]).filter(
    ([, status]) => status !== 'ok' && status !== 'not called yet',
  )
}
