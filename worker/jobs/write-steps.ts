import { announceModule } from '#worker/domain/live/announce.ts'
import { reportRun } from '#worker/domain/module/module-store.ts'
import { PROGRESS_HEARD, PROGRESS_WRITTEN, progressOfSteps } from '#worker/domain/run/progress.ts'
import { endRun } from '#worker/domain/run/run-store.ts'
import { composeSteps } from '#worker/domain/step/compose-steps.ts'
import { planStretches } from '#worker/domain/step/plan-stretches.ts'
import { commitRunSteps } from '#worker/domain/step/step-store.ts'
import { type StretchAnswer, writeStretch } from '#worker/domain/step/write-stretch.ts'
import { listSegments } from '#worker/domain/transcript/transcript-store.ts'
import { AppError } from '#worker/errors.ts'
import { findCurrentRun } from './current-run.ts'
import type { JobDeps, JobOf } from './job.ts'

/** Turns the transcript into steps and ends the run: READY in one transaction with its steps. */
export async function writeSteps(job: JobOf<'steps'>, deps: JobDeps): Promise<void> {
  const current = await findCurrentRun(deps, job)
  if (current === null) return
  const { module } = current
  const at = { moduleId: job.moduleId, run: job.run }
  const tell = () => announceModule({ db: deps.db, rooms: deps.env.MODULE_ROOM }, job.moduleId)

  const report = async (progress: number) => {
    await reportRun(deps.db, { ...at, nowMs: deps.nowMs() }, { progress, message: 'Writing the steps' })
    await tell()
  }

  await report(PROGRESS_HEARD)
  const segments = await listSegments(deps.db, job.moduleId)
  const { title: moduleTitle, language, glossary, durationMs } = module
  const planned = planStretches(segments)
  const stretches: StretchAnswer[] = []
  for (const [done, stretch] of planned.entries()) {
    // A sign of life too: a run that seems silent is asked for again.
    if (done > 0) await report(progressOfSteps(done, planned.length))
    const before = planned.slice(0, done).flat()
    const window = { moduleTitle, language, glossary, durationMs, before, segments: stretch }
    stretches.push(await writeStretch(deps.services.stepWriter, window, deps.signals.signalOf(job)))
  }
  const steps = composeSteps({ run: job.run, durationMs, stretches, isComplete: true })
  if (steps.length === 0) {
    const reason = module.transcriptSource === 'captions' ? CAPTIONS_ELSEWHERE : NOTHING_SAID
    throw new AppError('module_failed', reason, { failure: 'no_narration' })
  }
  await reportRun(deps.db, { ...at, nowMs: deps.nowMs() }, { progress: PROGRESS_WRITTEN, message: 'Saving the steps' })
  if (await commitRunSteps(deps.env.DB, { ...at, nowMs: deps.nowMs() }, steps)) {
    await endRun(deps.db, at, { outcome: 'ready', failureCode: null, nowMs: deps.nowMs() })
  }
  await tell()
}

const NOTHING_SAID =
  'Nobody seems to speak in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do.'

const CAPTIONS_ELSEWHERE =
  'None of the captions lie inside this video, so the file may belong to another one. Add the right caption file.'
