import { claimStretch } from '#worker/domain/run/claim-unit.ts'
import type { CurrentRun } from '#worker/domain/run/current-run.ts'
import { finishRun, showStretch } from '#worker/domain/run/finish-run.ts'
import { announceWork } from '#worker/domain/run/report-run.ts'
import { findStretch, type StretchRow, storeWritten } from '#worker/domain/run/stretch-store.ts'
import { writeStretch } from '#worker/domain/step/write-stretch.ts'
import { listSegmentsOf } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import type { StepWindow } from '#worker/ports/step-writer.ts'
import { BUSY_MS } from './heartbeat.ts'
import type { Attempt, JobDeps, JobOf } from './job.ts'

/** Writes the steps of one stretch. What has been written, or somebody else is writing, is not asked for again. */
export async function writeSteps(job: JobOf<'steps'>, deps: JobDeps, attempt: Attempt): Promise<void> {
  const nowMs = deps.nowMs()
  const claimed = await claimStretch(deps, job, { stretch: job.stretch, nowMs, untilMs: nowMs + BUSY_MS })
  // Whoever ended the run may have broken off right after it.
  if (claimed === null) return finishRun(deps, job)
  if (claimed.unit !== null) return write({ deps, attempt, stretch: claimed.unit, current: claimed })
  const known = await findStretch(deps.db, job, job.stretch)
  // Whoever wrote it may have broken off before the run was ended.
  if (known?.status === 'written') await finishRun(deps, job)
}

/**
 * A model that is busy is asked so often; then the extractive engine writes the stretch, since a draft that can be
 * followed now is worth more than a better step in an hour.
 */
const MODEL_TRIES = 4

async function write(at: { deps: JobDeps; attempt: Attempt; stretch: StretchRow; current: CurrentRun }): Promise<void> {
  const { deps, attempt, stretch, current } = at
  const answer = await writeStretch(deps.services.stepWriter, await openWindow(deps, current, stretch), {
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

/** The model would answer later; nonsense, a quota or a wrong key stay what they are. */
function isBusy(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'ai_busy' || error.code === 'ai_timeout')
}

/** What a writer may look back on: granularity and topics do not need more, and it bounds the work per stretch. */
const BEFORE_MS = 30 * 60_000

async function openWindow(deps: JobDeps, { module, run }: CurrentRun, stretch: StretchRow): Promise<StepWindow> {
  const of = { moduleId: module.id, run: module.transcriptSource === 'captions' ? 0 : run.run }
  const { fromPosition, toPosition } = stretch
  const said = await listSegmentsOf(deps.db, of, {
    toPosition,
    within: { position: fromPosition, beforeMs: BEFORE_MS },
  })
  const before = said.filter((segment) => segment.position < fromPosition)
  const segments = said.slice(before.length)
  const { title: moduleTitle, language, glossary, durationMs } = module
  return { moduleTitle, language, glossary, durationMs, before, segments }
}
