import { RUN_MESSAGES } from '#contract/module.ts'
import type { Context, ServedContext } from '#worker/core/context.ts'
import { AppError, isRetryable } from '#worker/core/errors.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { reportRun } from '#worker/domain/run/run-store.ts'
import { RUN_SUBJECT, type RunTask, toRunTask } from '#worker/domain/run/run-subject.ts'
import { failRun, type RunFailure } from '#worker/domain/run/start-run.ts'
import { TASKS_PER_INVOCATION } from '#worker/tasks/drain.ts'
import type { Task, TaskHandler } from '#worker/tasks/task.ts'
import { ingest } from './ingest.ts'
import { openRunAttempt, type RunAttempt } from './run-attempt.ts'
import { transcribe } from './transcribe.ts'
import { writeSteps } from './write-steps.ts'

const GAVE_UP: RunFailure = {
  code: 'gave_up',
  reason:
    'Processing was tried several times without success. Nothing of your video is lost: please try again in a few minutes.',
}

/** The sweep resumes such a run (`resumeModule`). */
const BUSY_TOO_LONG: RunFailure = {
  code: 'ai_busy',
  reason:
    'The speech service has been busy for three hours. Nothing of your video is lost, and Adapt goes on by itself once the service answers.',
}

/** Names the failure of a task that is not retried. */
export function failureOf(error: unknown): RunFailure {
  if (error instanceof AppError && error.code === 'ai_busy') return BUSY_TOO_LONG
  if (!(error instanceof AppError) || isRetryable(error)) return GAVE_UP
  const { code, failure, message: reason } = error
  if (failure !== null) return { code: failure, reason }
  return { code: code === 'ai_quota' || code === 'no_recogniser' ? code : 'ai_unavailable', reason }
}

/** Fails the whole run, because it needs every one of its tasks. */
async function onGiveUp(task: Task, context: Context, error: unknown): Promise<void> {
  await failRun(context, toRunTask(task), failureOf(error), task)
}

/**
 * Notifies watchers that the run waits. The engine calls it from a model's second refusal on, since a single one is
 * over too soon to be read, and when our own pacing delays a call.
 */
async function onWait(task: Task, context: Context, error: unknown): Promise<void> {
  const { preparesSpeech, waitsForSpeech, waitsForModel } = RUN_MESSAGES
  const isPreparing = error instanceof AppError && error.isPreparing
  const speech = isPreparing ? preparesSpeech : waitsForSpeech
  const report = { message: task.kind === 'write_steps' ? waitsForModel : speech }
  const { moduleId, run } = toRunTask(task)
  if (await reportRun(context.db, { moduleId, run, nowMs: context.nowMs() }, report))
    await publishModule(context, moduleId)
}

/** Does the task of a stage. */
type Stage = (task: RunTask, context: ServedContext, attempt: RunAttempt) => Promise<void>

function handlerOf(stage: Stage, unit?: 'chunk' | 'section'): TaskHandler {
  return {
    subject: RUN_SUBJECT,
    perInvocation: TASKS_PER_INVOCATION,
    isWatched: true,
    wakesBusy: false,
    run: (task, context, attempt) => {
      const runTask = toRunTask(task)
      return stage(runTask, context, openRunAttempt(context, runTask, attempt))
    },
    onGiveUp,
    onWait,
    traceOf: (task) => {
      const { moduleId, run } = toRunTask(task)
      return { moduleId, run, ...(unit !== undefined && { [unit]: task.index }) }
    },
  }
}

/** The tasks of a run. Its room's alarm is their watchdog (`recover`). */
export const RUN_HANDLERS = {
  // A slice of a video holds tens of megabytes, and takes a third of a second.
  ingest: { ...handlerOf(ingest), inFlightMax: 1 },
  transcribe: { ...handlerOf(transcribe, 'chunk'), wakesBusy: true },
  // Steps do not wait for long: the extractive engine writes them.
  write_steps: handlerOf(writeSteps, 'section'),
} as const
