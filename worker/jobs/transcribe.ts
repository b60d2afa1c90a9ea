import { announceModule } from '#worker/domain/live/announce.ts'
import { type ModuleRow, reportRun } from '#worker/domain/module/module-store.ts'
import { findPart, listParts, type PartRow, readWords, storeHeard } from '#worker/domain/run/part-store.ts'
import { progressOfSpeech } from '#worker/domain/run/progress.ts'
import type { RunRow } from '#worker/domain/run/run-store.ts'
import { judgeHearing } from '#worker/domain/transcript/judge-hearing.ts'
import type { AudioContentType } from '#worker/ports/speech-to-text.ts'
import { findCurrentRun } from './current-run.ts'
import { failRun } from './fail-run.ts'
import { askForSteps, finishSpeech } from './finish-speech.ts'
import type { JobDeps, JobOf } from './job.ts'

/** Hears one part. A part that has been heard is not sent to the recogniser again. */
export async function transcribe(job: JobOf<'speech'>, deps: JobDeps): Promise<void> {
  const current = await findCurrentRun(deps, job)
  if (current === null) return
  if (current.module.transcriptSource === 'captions') return askForSteps(deps, job)
  const part = await findPart(deps.db, job, job.part)
  if (part === null) return
  if (part.status === 'planned' && !(await hear({ job, deps, part, module: current.module }))) return
  // Read again: the last slice may have been cut while this part was being heard.
  const now = await findCurrentRun(deps, job)
  if (now === null) return
  // Captions may have come as well, and they win whatever was heard.
  if (now.module.transcriptSource === 'captions') await askForSteps(deps, job)
  else await weighRun({ job, deps, ...now })
}

/** @returns false when the run was stopped meanwhile */
async function hear(at: { job: JobOf<'speech'>; deps: JobDeps; part: PartRow; module: ModuleRow }): Promise<boolean> {
  const { job, deps, part, module } = at
  const object = await deps.env.MEDIA.get(part.key)
  if (object === null) throw new Error(`audio part ${part.key} is missing`)
  const signal = deps.signals.signalOf(job)
  try {
    const heard = await deps.services.speech.transcribe(
      {
        audio: new Uint8Array(await object.arrayBuffer()),
        contentType: part.contentType as AudioContentType,
        durationMs: part.audioDurationMs,
        language: module.language,
        prompt: module.glossary,
      },
      signal,
    )
    await storeHeard(deps.db, job, job.part, heard, deps.nowMs())
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

/** After each part: is it worth going on, and was it the last one? */
async function weighRun(at: { job: JobOf<'speech'>; deps: JobDeps; module: ModuleRow; run: RunRow }): Promise<void> {
  const { job, deps, module, run } = at
  // A late copy of a message: the steps are being written, and what is told must not go back to listening.
  if (run.stepsAskedAt !== null) return
  const parts = await listParts(deps.db, job)
  const heard = parts.filter((part) => part.status === 'heard')
  const isComplete = run.partCount !== null && heard.length >= run.partCount
  const verdict = judgeHearing(
    heard.map((part) => ({
      words: readWords(part),
      confidence: part.confidence,
      durationMs: part.endMs - part.startMs,
    })),
    { isComplete },
  )
  if (verdict === 'not_understood' || verdict === 'no_narration') {
    await failRun(deps, job, { code: verdict, reason: REASONS[verdict] })
    deps.signals.stop(job)
    return
  }
  await reportHeard({ job, deps, module, run, heardCount: heard.length, plannedCount: parts.length })
  if (isComplete) await finishSpeech(deps, job, parts)
}

async function reportHeard(at: {
  job: JobOf<'speech'>
  deps: JobDeps
  module: ModuleRow
  run: RunRow
  heardCount: number
  plannedCount: number
}): Promise<void> {
  const { job, deps, run, module } = at
  const expected = run.partCount ?? Math.max(at.plannedCount, expectedParts(module.durationMs))
  await reportRun(
    deps.db,
    { moduleId: job.moduleId, run: job.run, nowMs: deps.nowMs() },
    {
      progress: progressOfSpeech(at.heardCount, expected),
      message: `Listening to the narration (${at.heardCount} of ${expected} parts)`,
    },
  )
  await announceModule({ db: deps.db, rooms: deps.env.MODULE_ROOM }, job.moduleId)
}

function expectedParts(durationMs: number | null): number {
  return durationMs === null ? 1 : Math.max(1, Math.round(durationMs / PART_MS))
}

/** What ingest aims at; only an estimate until the whole source has been cut. */
const PART_MS = 30_000

const REASONS = {
  not_understood:
    'The narration could not be understood well enough to make steps from it. Add a caption file (.vtt or .srt) and we will use that instead.',
  no_narration:
    'Nobody seems to speak in this video, so there is nothing to make steps from. Add a caption file (.vtt or .srt) with what to do.',
} as const
