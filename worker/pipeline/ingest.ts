import type { AudioChunk } from '#media/audio-chunk.ts'
import type { SliceEnd } from '#media/cut-audio.ts'
import { readEarlyIndex } from '#media/iso/early-index.ts'
import type { MediaFacts } from '#media/read-facts.ts'
import { isIsoMedia } from '#media/sniff-container.ts'
import type { ServedContext } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { compareAudio } from '#worker/domain/media/compare-audio.ts'
import { cutSourceSlice } from '#worker/domain/media/cut-source.ts'
import type { PlannedChunk } from '#worker/domain/media/planned-chunk.ts'
import { R2Window } from '#worker/domain/media/r2-window.ts'
import { readSourceFacts } from '#worker/domain/media/read-source.ts'
import { type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { earlyIndexKey } from '#worker/domain/module/serve-source.ts'
import { takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { chosenTrackOf, storeTracks } from '#worker/domain/run/audio-track-store.ts'
import {
  chunkKey,
  confirmAudio,
  countChunksBefore,
  insertChunks,
  listPlannedChunks,
  moveCursor,
  type NewChunk,
} from '#worker/domain/run/chunk-store.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import {
  awaitsVideo,
  type CurrentRun,
  findCurrentRun,
  type RunRow,
  reportRun,
  updateReport,
} from '#worker/domain/run/run-store.ts'
import type { RunTask } from '#worker/domain/run/run-subject.ts'
import { settleRunTask } from '#worker/domain/run/run-task-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { logLine } from '#worker/log/log.ts'
import { ring } from '#worker/tasks/ring.ts'
import { advanceRun, planCaptions } from './advance-run.ts'
import type { RunAttempt } from './run-attempt.ts'
import { tryTracks } from './try-tracks.ts'

/** Opens the video that a module is pinned to. @throws {AppError} module_failed before it has arrived */
function openSource({ bucket }: Pick<ServedContext, 'bucket'>, module: ModuleRow): R2Window {
  if (module.sourceEtag === null || module.sourceSizeBytes === null) {
    throw new AppError('module_failed', 'The video never arrived. Please upload it again.', {
      failure: 'source_missing',
    })
  }
  const { sourceKey: key, sourceEtag: etag, sourceSizeBytes: sizeBytes } = module
  return new R2Window({ bucket, key, etag, sizeBytes })
}

/**
 * Counts a video's true length, which may be another one than its browser declared; nothing where its words are
 * captions, for nothing is transcribed then.
 * @throws {AppError} module_failed when it is too much for today
 */
async function countMinutes(context: ServedContext, module: ModuleRow, durationMs: number): Promise<void> {
  if (module.captionsKey !== null) return
  try {
    await takeMinutes(context, module, durationMs)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'quota_reached')) throw error
    throw new AppError('module_failed', `${error.message} Your video is kept: process it again then.`, {
      failure: 'minutes_quota',
      cause: error,
    })
  }
}

/**
 * Compares the browser's audio with the video that has arrived. If they match, the run may end and the server cuts only
 * the chunks that the browser did not send; otherwise a new run cuts all of the audio again.
 */
async function verifyAudio(task: RunTask, context: ServedContext, current: CurrentRun): Promise<void> {
  const { module, run } = current
  const source = openSource(context, module)
  const facts = await readSourceFacts(source, { chosenId: chosenTrackOf(module, run) })
  // The chunks to compare are cut from readings of their own.
  source.release()
  await countMinutes(context, module, facts.durationMs)
  const chunks = await listPlannedChunks(context.db, task)
  const fault = module.captionsKey !== null ? null : await compare(context, { current, facts, chunks })
  const { durationMs, videoCodec } = facts
  const isCurrent = await reportRun(context.db, { ...task, nowMs: context.nowMs() }, { durationMs, videoCodec })
  if (!isCurrent) return
  await storeTracks(context.db, current, facts)
  if (fault !== null) {
    logLine('warn', 'audio_refused', { moduleId: module.id, cause: fault })
    await startRun(context, module, { trigger: 'recut' })
    return
  }
  await confirmAudio(context.db, task, { ...placeOf(run, { chunks, facts }), nowMs: context.nowMs() })
  await continueIngest(task, context)
}

function compare(
  context: ServedContext,
  { current: { module, run }, facts, chunks }: { current: CurrentRun; facts: MediaFacts; chunks: PlannedChunk[] },
): Promise<string | null> {
  return compareAudio({
    bucket: context.bucket,
    openSource: () => openSource(context, module),
    facts,
    durationMs: module.durationMs,
    chunks,
    chunkCount: run.chunkCount,
  })
}

/**
 * Finds where the server continues cutting: after the browser's last chunk, or nowhere if that was the last of the
 * video.
 */
function placeOf({ chunkCount }: RunRow, { chunks, facts }: { chunks: PlannedChunk[]; facts: MediaFacts }) {
  const endMs = chunks.at(-1)?.endMs ?? null
  const isWhole = chunkCount !== null || (endMs !== null && endMs >= facts.durationMs)
  return isWhole ? { cursorMs: null, chunkCount: chunkCount ?? chunks.length } : { cursorMs: endMs, chunkCount: null }
}

async function continueIngest(task: RunTask, context: ServedContext): Promise<void> {
  const confirmed = await findCurrentRun(context, task)
  if (confirmed === null || awaitsVideo(confirmed.run)) return
  await updateReport(context.db, confirmed, context.nowMs())
  if (confirmed.run.chunkCount === null) await ring(context, 'ingest')
  await advanceRun(context, task)
  await publishModule(context, task.moduleId)
}

/**
 * Cutting never yields by itself, so other work in the isolate would wait for the whole slice. It pauses after each of
 * the first chunks, because the first step depends on them, and after every tenth later one.
 */
const REST_MS = 1
const RESTED_CHUNKS = 10

/** Cuts the next ten minutes of a source's audio into chunks, each with the task of transcribing it. */
export async function ingest(task: RunTask, context: ServedContext, attempt: RunAttempt): Promise<void> {
  const current = await findCurrentRun(context, task)
  if (current === null) return
  // The index is moved first, because a player that has a READY video open must not see the order of its bytes change.
  await moveIndex(context, current.module)
  await readVideo(current, { task, context, attempt })
}

/**
 * Stores a copy of the video's index that is served before the media, so that a player gets it with its first request.
 * If that fails, the video is served unchanged.
 */
async function moveIndex(context: ServedContext, module: ModuleRow): Promise<void> {
  const { id, sourceKey, sourceType, earlyIndex } = module
  if (earlyIndex !== null || !isIsoMedia(sourceType)) return
  try {
    const source = openSource(context, module)
    const found = await readEarlyIndex(source)
    // The video is read once more to be cut.
    source.release()
    if (found === null) return
    await context.bucket.put(earlyIndexKey(sourceKey), found.first)
    await updateModule(context.db, id, { earlyIndex: found.move })
  } catch (error) {
    logLine('warn', 'index_not_moved', { moduleId: id, ...faultOf(error) })
  }
}

async function readVideo(
  { module, run }: CurrentRun,
  { task, context, attempt }: Pick<Reading, 'task' | 'context' | 'attempt'>,
): Promise<void> {
  if (awaitsVideo(run)) return verifyAudio(task, context, { module, run })
  if (run.sectionCount === null && run.chunkCount === null) await readSource({ task, context, attempt, module, run })
  // Audio that an earlier run has cut, and captioned videos, need no reading.
  else await settleRunTask(context.db, task)
  await advanceRun(context, task)
  await publishModule(context, task.moduleId)
}

interface Reading {
  task: RunTask
  context: ServedContext
  attempt: RunAttempt
  module: ModuleRow
  run: RunRow
}

async function readSource(reading: Reading): Promise<void> {
  const { task, context, module, run } = reading
  const source = openSource(context, module)
  // A length from another run is not used, because a browser may have declared it.
  const knownMs = run.cursorMs === null ? null : module.durationMs
  const facts = await readSourceFacts(source, { knownDurationMs: knownMs, chosenId: chosenTrackOf(module, run) })
  await countMinutes(context, module, facts.durationMs)
  const { durationMs, videoCodec } = facts
  const report = { durationMs, videoCodec, message: 'Preparing the audio' } as const
  // The report fails for a module that was just deleted. Then nothing is cut before its length is stored, because it
  // may be restored.
  if (!(await reportRun(context.db, { ...task, nowMs: context.nowMs() }, report))) return
  const isHeard = module.captionsKey === null
  const { signal } = reading.attempt
  const openAgain = () => openSource(context, module)
  const decided = isHeard ? await tryTracks({ context, module, facts, openSource: openAgain, signal }) : facts
  await storeTracks(context.db, { module, run }, decided)
  if (isHeard) return cutSlice({ ...reading, source, facts: decided })
  await planCaptions(context, task)
  await settleRunTask(context.db, task)
}

interface Cutting extends Reading {
  source: R2Window
  facts: MediaFacts
}

async function cutSlice(cutting: Cutting): Promise<void> {
  const { task, context, source, facts, run } = cutting
  if (facts.unsupportedAudio !== null) throw unsupportedCodec(facts.unsupportedAudio)
  if (facts.audio === null) return settleSlice(cutting, { nextMs: null, nextChunk: 0 })
  const fromMs = run.cursorMs ?? 0
  const feed = openChunkFeed(context, task)
  const end = await cutSourceSlice({
    source,
    facts,
    fromMs,
    firstChunk: await countChunksBefore(context.db, task, fromMs),
    saveChunk: async (chunk) => {
      feed.add(await storeChunk(cutting, chunk))
      if (fromMs === 0 || chunk.chunk % RESTED_CHUNKS === 0) await scheduler.wait(REST_MS)
    },
  })
  await feed.end()
  await settleSlice(cutting, end)
}

async function storeChunk({ task, context, attempt }: Cutting, cut: AudioChunk): Promise<NewChunk> {
  attempt.signal.throwIfAborted()
  const { moduleId, run } = task
  const { contentType, bytes, ...place } = cut
  const key = chunkKey({ moduleId, run, chunk: cut.chunk })
  const sizeBytes = bytes.byteLength
  // A browser may hold a signed URL for this key and overwrite the object; the ETag shows that.
  const { etag } = await context.bucket.put(key, bytes, { httpMetadata: { contentType } })
  return { ...place, moduleId, run, key, contentType, sizeBytes, etag }
}

async function settleSlice({ task, context, run }: Cutting, end: SliceEnd): Promise<void> {
  const from = { fromMs: run.cursorMs, nowMs: context.nowMs() }
  const to =
    end.nextMs === null ? { cursorMs: null, chunkCount: end.nextChunk } : { cursorMs: end.nextMs, chunkCount: null }
  const isMoved = await moveCursor(context.db, task, { ...from, ...to })
  if (isMoved && end.nextMs !== null) await ring(context, 'ingest')
}

/** The first chunks of a slice are recorded one by one, so that their transcription begins at once. */
const AT_ONCE = 3
/** Later chunks are gathered for this long, because a row and a message for each would cost more than cutting. */
const GATHER_MS = 100

/** Records chunks that are stored in the bucket, with their tasks, while more are being cut. */
export function openChunkFeed(context: Pick<ServedContext, 'd1' | 'queues' | 'nowMs'>, id: RunId) {
  let gathered: NewChunk[] = []
  let written = 0
  let writing: Promise<void> | null = null
  let fault: { error: unknown } | null = null

  async function write(): Promise<void> {
    while (gathered.length > 0) {
      if (written >= AT_ONCE) await scheduler.wait(GATHER_MS)
      const chunks = gathered
      gathered = []
      written += chunks.length
      await insertChunks(context.d1, id, { chunks, nowMs: context.nowMs() })
      await ring(context, 'transcribe')
    }
  }

  function begin(): Promise<void> {
    return write()
      .catch((error: unknown) => void (fault = { error }))
      .finally(() => void (writing = null))
  }

  function check(): void {
    if (fault !== null) throw fault.error
  }

  return {
    /** @throws what went wrong with earlier chunks */
    add(chunk: NewChunk): void {
      check()
      gathered.push(chunk)
      writing ??= begin()
    },
    /** Waits until all added chunks are recorded. */
    async end(): Promise<void> {
      await writing
      check()
    },
  }
}

function unsupportedCodec(name: string): AppError {
  return new AppError(
    'module_failed',
    `The audio of this video is in ${name}, which Adapt cannot read. Export it with AAC or Opus audio, or add a caption file.`,
    { failure: 'unsupported_codec' },
  )
}
