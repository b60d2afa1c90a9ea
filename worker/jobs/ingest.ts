import type { AudioPart } from '#media/audio-part.ts'
import type { SliceEnd } from '#media/cut-audio.ts'
import type { MediaFacts } from '#media/read-facts.ts'
import { announceModule } from '#worker/domain/live/announce.ts'
import type { R2Window } from '#worker/domain/media/r2-window.ts'
import { cutSourceSlice, readSourceFacts } from '#worker/domain/media/read-source.ts'
import { reportRun } from '#worker/domain/module/run-status-store.ts'
import { advanceRun } from '#worker/domain/run/advance-run.ts'
import { findCurrentRun } from '#worker/domain/run/current-run.ts'
import { countPartsBefore, type NewPart } from '#worker/domain/run/part-store.ts'
import { planCaptions } from '#worker/domain/run/plan-captions.ts'
import { partKey } from '#worker/domain/run/remove-run-objects.ts'
import { awaitsVideo, moveCursor, type RunRow } from '#worker/domain/run/run-store.ts'
import { settleRun } from '#worker/domain/run/settle-run.ts'
import { AppError } from '#worker/errors.ts'
import { countMinutes } from './count-minutes.ts'
import type { Attempt, JobDeps, JobOf } from './job.ts'
import { openPartFeed } from './part-feed.ts'
import { openSource, verifySound } from './verify-sound.ts'

/**
 * Cutting leaves no gap by itself, and whoever shares the isolate would wait for the whole slice: there is a short rest
 * after each of the first parts, which hold up the first step, and after every tenth later one.
 */
const REST_MS = 1
const RESTED_PARTS = 10

/** Cuts the next ten minutes of a source's sound into parts and sends each to be heard. */
export async function ingest(job: JobOf<'ingest'>, deps: JobDeps, attempt: Attempt): Promise<void> {
  const current = await findCurrentRun(deps, job)
  // Whoever ended the run may have broken off right after it.
  if (current === null) return attempt.number > 1 ? settleRun(deps, job) : undefined
  if (awaitsVideo(current.run)) return verifySound(job, deps, current)
  if (current.run.stretchCount !== null) return
  // Whoever cut it may have broken off before the parts that were heard meanwhile were seen to.
  if (current.run.partCount !== null) return void (await advanceRun(deps, job))
  const source = openSource(deps, current.module)
  // What another run's source was said to last may be what a browser said.
  const knownMs = current.run.cursorMs === null ? null : current.module.durationMs
  const facts = await readSourceFacts(source, knownMs)
  await countMinutes(deps, current.module, facts.durationMs)
  const at = { moduleId: job.moduleId, run: job.run, nowMs: deps.nowMs() }
  // Of a module that was deleted at this moment nothing is cut before its length is known: it may be restored.
  if (!(await reportRun(deps.db, at, { durationMs: facts.durationMs, message: 'Preparing the sound' }))) return
  if (current.module.transcriptSource === 'captions') await planCaptions(deps, job)
  else await cutSlice({ job, deps, attempt, source, facts, run: current.run })
  await announceModule(deps, job.moduleId)
}

interface Cutting {
  job: JobOf<'ingest'>
  deps: JobDeps
  attempt: Attempt
  source: R2Window
  facts: MediaFacts
  run: RunRow
}

async function cutSlice(at: Cutting): Promise<void> {
  const { job, deps, source, facts, run } = at
  if (facts.unsupportedAudio !== null) throw unsupportedCodec(facts.unsupportedAudio)
  if (facts.audio === null) throw new AppError('module_failed', NO_SOUND, { failure: 'no_audio' })
  const fromMs = run.cursorMs ?? 0
  const feed = openPartFeed(deps)
  const end = await cutSourceSlice({
    source,
    facts,
    fromMs,
    firstPart: await countPartsBefore(deps.db, job, fromMs),
    savePart: async (part) => {
      feed.add(await storePart(at, part))
      if (fromMs === 0 || part.part % RESTED_PARTS === 0) await scheduler.wait(REST_MS)
    },
  })
  await feed.end()
  await settleSlice(at, end)
}

async function storePart({ job, deps, attempt }: Cutting, part: AudioPart): Promise<NewPart> {
  attempt.signal.throwIfAborted()
  const { moduleId, run } = job
  const { audioStartMs, audioDurationMs, startMs, endMs, contentType, bytes } = part
  const key = partKey({ moduleId, run, part: part.part })
  const sizeBytes = bytes.byteLength
  // Its address may have been handed out to a browser before the video arrived.
  const { etag } = await deps.bucket.put(key, bytes, { httpMetadata: { contentType } })
  const times = { audioStartMs, audioDurationMs, startMs, endMs }
  return { moduleId, run, part: part.part, key, contentType, sizeBytes, etag, ...times }
}

async function settleSlice({ job, deps, run }: Cutting, end: SliceEnd): Promise<void> {
  const { moduleId } = job
  if (end.nextMs !== null) {
    if (!(await moveCursor(deps.db, job, run.cursorMs, { cursorMs: end.nextMs, partCount: null }))) return
    // Behind the videos of others, so that a long one does not hold them up.
    await deps.queues.ingest.send({ kind: 'ingest', moduleId, run: job.run })
    return
  }
  if (end.nextPart === 0) throw new AppError('module_failed', NO_SOUND, { failure: 'no_audio' })
  await moveCursor(deps.db, job, run.cursorMs, { cursorMs: null, partCount: end.nextPart })
  // Every part may have been heard before their number was known; then nobody else will notice.
  await advanceRun(deps, job)
}

const NO_SOUND =
  'This video has no sound, so there is no narration to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.'

function unsupportedCodec(name: string): AppError {
  return new AppError(
    'module_failed',
    `The sound of this video is in ${name}, which Adapt cannot read. Export it with AAC or Opus sound, or add a caption file (.vtt or .srt).`,
    { failure: 'unsupported_codec' },
  )
}
