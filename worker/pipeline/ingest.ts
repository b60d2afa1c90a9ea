import type { AudioChunk } from '#media/audio-chunk.ts'
import type { SliceEnd } from '#media/cut-audio.ts'
import type { MediaFacts } from '#media/read-facts.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import type { R2Window } from '#worker/domain/media/r2-window.ts'
import { cutSourceSlice, readSourceFacts } from '#worker/domain/media/read-source.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { countChunksBefore, insertChunks, type NewChunk } from '#worker/domain/run/chunk-store.ts'
import { findCurrentRun } from '#worker/domain/run/current-run.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import { chunkKey } from '#worker/domain/run/remove-run-objects.ts'
import { reportRun } from '#worker/domain/run/run-status-store.ts'
import { awaitsVideo, moveCursor, type RunRow } from '#worker/domain/run/run-store.ts'
import { settleTask, type Task } from '#worker/domain/run/task-store.ts'
import { AppError } from '#worker/errors.ts'
import { advanceRun, planCaptions } from './form-sections.ts'
import type { Attempt, TaskDeps } from './tasks.ts'
import { countMinutes, openSource, verifyAudio } from './verify-audio.ts'

/**
 * Cutting leaves no gap by itself, and other work in the isolate would wait for the whole slice: there is a short rest
 * after each of the first chunks, which hold up the first step, and after every tenth later one.
 */
const REST_MS = 1
const RESTED_CHUNKS = 10

/** Cuts the next ten minutes of a source's audio into chunks, each with the task of transcribing it. */
export async function ingest(task: Task, deps: TaskDeps, attempt: Attempt): Promise<void> {
  const current = await findCurrentRun(deps, task)
  if (current === null) return
  if (awaitsVideo(current.run)) return verifyAudio(task, deps, current)
  const { module, run } = current
  if (run.sectionCount === null && run.chunkCount === null) await readSource({ task, deps, attempt, module, run })
  // What was cut by an earlier run, or is captioned, has nothing to be read.
  else await settleTask(deps.db, task)
  await advanceRun(deps, task)
  await publishModule(deps, task.moduleId)
}

interface Reading {
  task: Task
  deps: TaskDeps
  attempt: Attempt
  module: ModuleRow
  run: RunRow
}

async function readSource(at: Reading): Promise<void> {
  const { task, deps, module, run } = at
  const source = openSource(deps, module)
  // What another run's source was said to last may be what a browser said.
  const knownMs = run.cursorMs === null ? null : module.durationMs
  const facts = await readSourceFacts(source, knownMs)
  await countMinutes(deps, module, facts.durationMs)
  const report = { durationMs: facts.durationMs, message: 'Preparing the audio' }
  // Of a module that was deleted at this moment nothing is cut before its length is known: it may be restored.
  if (!(await reportRun(deps.db, { ...task, nowMs: deps.nowMs() }, report))) return
  if (module.transcriptSource !== 'captions') return cutSlice({ ...at, source, facts })
  await planCaptions(deps, task)
  await settleTask(deps.db, task)
}

interface Cutting extends Reading {
  source: R2Window
  facts: MediaFacts
}

async function cutSlice(at: Cutting): Promise<void> {
  const { task, deps, source, facts, run } = at
  if (facts.unsupportedAudio !== null) throw unsupportedCodec(facts.unsupportedAudio)
  if (facts.audio === null) throw new AppError('module_failed', NO_AUDIO, { failure: 'no_audio' })
  const fromMs = run.cursorMs ?? 0
  const feed = openChunkFeed(deps, task)
  const end = await cutSourceSlice({
    source,
    facts,
    fromMs,
    firstChunk: await countChunksBefore(deps.db, task, fromMs),
    saveChunk: async (chunk) => {
      feed.add(await storeChunk(at, chunk))
      if (fromMs === 0 || chunk.chunk % RESTED_CHUNKS === 0) await scheduler.wait(REST_MS)
    },
  })
  await feed.end()
  await settleSlice(at, end)
}

async function storeChunk({ task, deps, attempt }: Cutting, cut: AudioChunk): Promise<NewChunk> {
  attempt.signal.throwIfAborted()
  const { moduleId, run } = task
  const { chunk, audioStartMs, audioDurationMs, startMs, endMs, contentType, bytes } = cut
  const key = chunkKey({ moduleId, run, chunk })
  const sizeBytes = bytes.byteLength
  // Its address may have been handed out to a browser before the video arrived.
  const { etag } = await deps.bucket.put(key, bytes, { httpMetadata: { contentType } })
  return { moduleId, run, chunk, key, contentType, sizeBytes, etag, audioStartMs, audioDurationMs, startMs, endMs }
}

async function settleSlice({ task, deps, run }: Cutting, end: SliceEnd): Promise<void> {
  const at = { fromMs: run.cursorMs, nowMs: deps.nowMs() }
  if (end.nextMs === null && end.nextChunk === 0) throw new AppError('module_failed', NO_AUDIO, { failure: 'no_audio' })
  const to =
    end.nextMs === null ? { cursorMs: null, chunkCount: end.nextChunk } : { cursorMs: end.nextMs, chunkCount: null }
  const isMoved = await moveCursor(deps.db, task, { ...at, ...to })
  if (isMoved && end.nextMs !== null) await ring(deps, 'ingest')
}

/** The first chunks of a slice are written down one by one, so that their transcription begins at once. */
const AT_ONCE = 3
/** Later ones wait this long for each other: one row and one message at a time would cost more than the cutting. */
const GATHER_MS = 100

/** Writes down chunks that lie in the bucket, with their tasks, while more are being cut. */
export function openChunkFeed(deps: Pick<TaskDeps, 'd1' | 'queues' | 'nowMs'>, id: Pick<Task, 'moduleId' | 'run'>) {
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
      await insertChunks(deps.d1, id, { chunks, nowMs: deps.nowMs() })
      await ring(deps, 'transcribe')
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
    /** Waits until all that was added is written down. */
    async end(): Promise<void> {
      await writing
      check()
    },
  }
}

const NO_AUDIO =
  'This video has no audio, so there is no narration to make steps from. Add a caption file (.vtt or .srt) with what to do, or add the steps by hand.'

function unsupportedCodec(name: string): AppError {
  return new AppError(
    'module_failed',
    `The audio of this video is in ${name}, which Adapt cannot read. Export it with AAC or Opus audio, or add a caption file (.vtt or .srt).`,
    { failure: 'unsupported_codec' },
  )
}
