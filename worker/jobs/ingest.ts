import { announceModule } from '#worker/domain/live/announce.ts'
import type { AudioPart } from '#worker/domain/media/audio-part.ts'
import { cutAudioSlice, type SliceEnd } from '#worker/domain/media/cut-audio.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'
import { type MediaFacts, readMediaFacts } from '#worker/domain/media/read-facts.ts'
import { type ModuleRow, reportRun } from '#worker/domain/module/module-store.ts'
import { countPartsBefore, insertPart, listParts } from '#worker/domain/run/part-store.ts'
import { moveCursor, type RunRow } from '#worker/domain/run/run-store.ts'
import { AppError } from '#worker/errors.ts'
import { findCurrentRun } from './current-run.ts'
import { askForSteps } from './finish-speech.ts'
import type { JobDeps, JobOf } from './job.ts'

/** Cuts the next ten minutes of a source's sound into parts and sends each to be heard. */
export async function ingest(job: JobOf<'ingest'>, deps: JobDeps): Promise<void> {
  const current = await findCurrentRun(deps, job)
  if (current === null || current.run.partCount !== null) return
  const source = openSource(deps, current.module)
  const facts = await readMediaFacts(source, current.module.durationMs)
  const at = { moduleId: job.moduleId, run: job.run, nowMs: deps.nowMs() }
  await reportRun(deps.db, at, { durationMs: facts.durationMs, message: 'Preparing the sound' })
  if (current.module.transcriptSource === 'captions') {
    // In this order: once the source counts as cut, a repeated message finds nothing more to do.
    await askForSteps(deps, job)
    await moveCursor(deps.db, job, current.run.cursorMs, { cursorMs: null, partCount: 0 })
  } else {
    await cutSlice({ job, deps, source, facts, run: current.run })
  }
  await announceModule({ db: deps.db, rooms: deps.env.MODULE_ROOM }, job.moduleId)
}

function openSource(deps: JobDeps, module: ModuleRow): R2Window {
  if (module.sourceEtag === null || module.sourceSizeBytes === null) {
    throw new AppError('module_failed', 'The video never arrived. Please upload it again.', {
      failure: 'source_missing',
    })
  }
  const { sourceKey: key, sourceEtag: etag, sourceSizeBytes: sizeBytes } = module
  return new R2Window({ bucket: deps.env.MEDIA, key, etag, sizeBytes })
}

async function cutSlice(at: {
  job: JobOf<'ingest'>
  deps: JobDeps
  source: R2Window
  facts: MediaFacts
  run: RunRow
}): Promise<void> {
  const { job, deps, source, facts, run } = at
  if (facts.unsupportedAudio !== null) throw unsupportedCodec(facts.unsupportedAudio)
  if (facts.audio === null) throw new AppError('module_failed', NO_SOUND, { failure: 'no_audio' })
  const fromMs = run.cursorMs ?? 0
  const end = await cutAudioSlice({
    source,
    facts,
    fromMs,
    firstPart: await countPartsBefore(deps.db, job, fromMs),
    savePart: (part) => savePart({ job, deps, part }),
  })
  await settleSlice({ job, deps, fromMs: run.cursorMs, end })
}

async function savePart({ job, deps, part }: { job: JobOf<'ingest'>; deps: JobDeps; part: AudioPart }): Promise<void> {
  const key = `parts/${job.moduleId}/${job.run}/${part.part}`
  await deps.env.MEDIA.put(key, part.bytes, { httpMetadata: { contentType: part.contentType } })
  const { audioStartMs, audioDurationMs, startMs, endMs, contentType } = part
  const { moduleId, run } = job
  const times = { audioStartMs, audioDurationMs, startMs, endMs }
  await insertPart(deps.db, { moduleId, run, part: part.part, key, contentType, ...times })
  await deps.env.SPEECH_QUEUE.send({ kind: 'speech', moduleId, run, part: part.part })
}

async function settleSlice(at: {
  job: JobOf<'ingest'>
  deps: JobDeps
  fromMs: number | null
  end: SliceEnd
}): Promise<void> {
  const { job, deps, fromMs, end } = at
  const { moduleId, run } = job
  if (end.nextMs !== null) {
    if (!(await moveCursor(deps.db, job, fromMs, { cursorMs: end.nextMs, partCount: null }))) return
    await deps.env.INGEST_QUEUE.send({ kind: 'ingest', moduleId, run })
    return
  }
  if (end.nextPart === 0) throw new AppError('module_failed', NO_SOUND, { failure: 'no_audio' })
  if (!(await moveCursor(deps.db, job, fromMs, { cursorMs: null, partCount: end.nextPart }))) return
  // Every part may have been heard before their number was known; then nobody else will notice.
  const parts = await listParts(deps.db, job)
  if (parts.every((part) => part.status === 'heard')) {
    await deps.env.SPEECH_QUEUE.send({ kind: 'speech', moduleId, run, part: end.nextPart - 1 })
  }
}

const NO_SOUND =
  'This video has no sound, so there is no narration to make steps from. Add a caption file (.vtt or .srt) with what to do.'

function unsupportedCodec(name: string): AppError {
  return new AppError(
    'module_failed',
    `The sound of this video is in ${name}, which Adapt cannot read. Export it with AAC or Opus sound, or add a caption file (.vtt or .srt).`,
    { failure: 'unsupported_codec' },
  )
}
