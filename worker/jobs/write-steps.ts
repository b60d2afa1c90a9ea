import { paidStepWriter } from '#worker/domain/quota/spend-ai.ts'
import { claimStretch } from '#worker/domain/run/claim-unit.ts'
import { type CurrentRun, needsCaptionPlan } from '#worker/domain/run/current-run.ts'
import { finishRun, showStretch } from '#worker/domain/run/finish-run.ts'
import { planCaptions } from '#worker/domain/run/plan-captions.ts'
import { announceWork } from '#worker/domain/run/report-run.ts'
import { findStretch, type StretchRow, storeWritten } from '#worker/domain/run/stretch-store.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { WINDOW_AFTER_SEGMENTS, WINDOW_BEFORE_MS } from '#worker/domain/step/step-window.ts'
import { writeStretch } from '#worker/domain/step/write-stretch.ts'
import { listSegmentsOf } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWindow, StepWriter } from '#worker/ports/step-writer.ts'
import { BUSY_MS } from './heartbeat.ts'
import type { Attempt, JobDeps, JobOf } from './job.ts'
import { checkTries } from './max-tries.ts'

/** Writes the steps of one stretch. What has been written, or somebody else is writing, is not asked for again. */
export async function writeSteps(job: JobOf<'steps'>, deps: JobDeps, attempt: Attempt): Promise<void> {
  const nowMs = deps.nowMs()
  const claimed = await claimStretch(deps, job, { stretch: job.stretch, nowMs, untilMs: nowMs + BUSY_MS })
  // Whoever ended the run may have broken off right after it.
  if (claimed === null) return finishRun(deps, job)
  if (needsCaptionPlan(claimed)) return planCaptions(deps, job)
  if (claimed.unit !== null) return write({ deps, attempt, stretch: claimed.unit, current: claimed })
  const known = await findStretch(deps.db, job, job.stretch)
  // Whoever wrote it, or found nothing to write, may have broken off before the run was ended.
  if (known?.status !== 'planned') await finishRun(deps, job)
}

/**
 * A model that is busy is asked so often; then the extractive engine writes the stretch, since a draft that can be
 * followed now is worth more than a better step in an hour.
 */
const MODEL_TRIES = 4

async function write(at: { deps: JobDeps; attempt: Attempt; stretch: StretchRow; current: CurrentRun }): Promise<void> {
  const { deps, attempt, stretch, current } = at
  checkTries(stretch)
  const answer = await writeStretch(openWriter(deps, current), await openWindow(deps, current, stretch), {
    signal: attempt.signal,
    isWorthWaiting: (error) => stretch.tries < MODEL_TRIES && isBusy(error),
  })
  const written = await storeWritten(deps.db, current, { stretch, answer, nowMs: deps.nowMs() })
  if (written === null) return
  const { run } = written
  if (run.stretchCount !== null && run.writtenStretches >= run.stretchCount) return finishRun(deps, run)
  const module = (await showStretch(deps, written, stretch.stretch)) ?? written.module
  await announceWork(deps, { run, module })
}

/** The extractive engine costs nothing. */
function openWriter(deps: JobDeps, { module }: CurrentRun): StepWriter {
  const { stepWriter } = deps.services
  return stepWriter === extractiveStepWriter ? stepWriter : paidStepWriter(deps, module, stepWriter)
}

/** The model would answer later; nonsense, a quota or a wrong key stay what they are. */
function isBusy(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'ai_busy' || error.code === 'ai_timeout')
}

async function openWindow(deps: JobDeps, { module, run }: CurrentRun, stretch: StretchRow): Promise<StepWindow> {
  const isCaptioned = module.transcriptSource === 'captions'
  const { fromPosition, toPosition } = stretch
  const known = await listSegmentsOf(
    deps.db,
    { moduleId: module.id, run: isCaptioned ? 0 : run.run },
    {
      // What follows in sound may be heard or not by now, and what is written must not depend on that.
      toPosition: isCaptioned ? toPosition + WINDOW_AFTER_SEGMENTS : toPosition,
      within: { position: fromPosition, beforeMs: WINDOW_BEFORE_MS },
    },
  )
  const before = known.filter((segment) => segment.position < fromPosition)
  const segments = known.filter(({ position }) => position >= fromPosition && position < toPosition)
  const after = known.filter((segment) => segment.position >= toPosition)
  const { title: moduleTitle, language, glossary, durationMs } = module
  const window = { moduleTitle, language, glossary, durationMs, before, segments }
  return isCaptioned ? { ...window, after } : window
}
