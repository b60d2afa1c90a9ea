import { AUDIO_CHUNK_MAX_BYTES } from '#contract/limits.ts'
import type { Done } from '#contract/module.ts'
import type {
  AudioArrived,
  AudioUrlsRequest,
  ClientAudioChunk,
  CompleteAnswer,
  CompleteRequest,
  UrlsAnswer,
} from '#contract/upload.ts'
import { nameForeignContainer, SNIFF_BYTES, sniffContainer } from '#media/read-facts.ts'
import type { Context } from '#worker/context.ts'
import { publishModule } from '#worker/domain/live/publish.ts'
import { DURATION_TOLERANCE_MS } from '#worker/domain/media/read-source.ts'
import { isSourceKnown, SETTLED_AFTER_MS } from '#worker/domain/module/deleted-store.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { findModule, findModuleOfSource, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { refundReserved, refundUpload } from '#worker/domain/quota/quota-store.ts'
import { addUse, takeBytes, takeMinutes, takeModule } from '#worker/domain/quota/take-quota.ts'
import { chunkKey, listChunksBetween, takeClientAudio } from '#worker/domain/run/chunk-store.ts'
import { awaitsVideo, findRun } from '#worker/domain/run/run-store.ts'
import { admitRuns, startRun } from '#worker/domain/run/start-run.ts'
import { ring } from '#worker/domain/run/task-store.ts'
import { AppError, type AppErrorCode } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { checkSize, signPut } from './presign-upload.ts'
import { assembleParts } from './upload-parts.ts'
import { type ReceivedSource, receiveSource, refuseSource, removeUploadParts } from './upload-store.ts'

/** A browser's audio is used by the first run of a module, or not at all. */
const FIRST_RUN = 1

/**
 * Addresses for parts of a video's audio that the browser cuts while the video is on its way. What they take counts
 * among the bytes of the day.
 * @throws {AppError} not_found, quota_reached, audio_refused when the server is to cut the audio itself
 */
export async function signAudio(
  context: Context,
  caller: Caller,
  { moduleId, chunks, contentType }: AudioUrlsRequest & { moduleId: string },
): Promise<UrlsAnswer> {
  const module = await getOwnModule(context.db, caller, moduleId)
  await checkWanted(context, module)
  await addUse(context, module, { kind: 'bytes', amount: chunks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) })
  const sign = async ({ chunk, sizeBytes }: AudioUrlsRequest['chunks'][number]) => {
    const key = chunkKey({ moduleId, run: FIRST_RUN, chunk })
    return { number: chunk, url: await signPut(context.uploads, { key, contentType, sizeBytes }) }
  }
  return { success: true, urls: await Promise.all(chunks.map(sign)) }
}

/**
 * Accepts chunks of a video's audio before the video is there; the first ones begin the module's first run and list
 * it. Chunks that were taken before stay as they are, in any order and however often they are reported.
 * @throws {AppError} not_found, quota_reached, audio_refused when the server is to cut the audio itself; nothing is taken
 *   then
 */
export async function receiveAudio(
  context: Context,
  caller: Caller,
  arrived: AudioArrived & { moduleId: string },
): Promise<Done> {
  const { moduleId, chunks } = arrived
  const id = { moduleId, run: FIRST_RUN }
  const module = await getOwnModule(context.db, caller, moduleId)
  await checkWanted(context, module)
  const etags = await checkAudio(context, module, arrived)
  const stored = chunks.map((chunk) => ({ ...chunk, etag: etags.get(chunk.chunk) ?? null }))
  const take = () => takeClientAudio(context.d1, id, { ...arrived, chunks: stored, nowMs: context.nowMs() })
  if (module.run === 0) {
    await takeMinutes(context, module, arrived.durationMs)
    let isTaken = false
    const prepare = async () => void (isTaken = await take())
    const begun = await startRun(context, module, { trigger: 'upload', audioFrom: 'browser', prepare })
    // Another call began it at the same moment, or the video has come.
    if (begun === null) return receiveAudio(context, caller, arrived)
    if (!isTaken) throw refused('The video arrived first.')
  } else {
    if (!(await take())) throw refused('The video arrived first.')
    await ring(context, 'transcribe')
  }
  return { success: true }
}

async function checkWanted(context: Context, module: ModuleRow): Promise<void> {
  if (module.sourceEtag !== null) throw refused('The video has arrived.')
  if (module.captionsKey !== null) throw refused('There are captions.')
  if (module.run === 0) return
  const run = await findRun(context.db, { moduleId: module.id, run: module.run })
  const isTranscribed = module.run === FIRST_RUN && run !== null && run.endedAt === null && awaitsVideo(run)
  if (!isTranscribed) throw refused('The audio that came before could not be used.')
}

/** @returns the ETags of those that were not taken before, by chunk */
async function checkAudio(
  { db, bucket }: Context,
  module: ModuleRow,
  arrived: AudioArrived,
): Promise<Map<number, string>> {
  const { chunks, durationMs } = arrived
  if (module.durationMs !== null && module.durationMs !== durationMs) throw refused('The video has another length.')
  if (chunks.length === 0) return new Map()
  const id = { moduleId: module.id, run: FIRST_RUN }
  const numbers = chunks.map(({ chunk }) => chunk)
  const known = await listChunksBetween(db, id, Math.min(...numbers) - 1, Math.max(...numbers) + 1)
  const fault = findAudioFault(arrived, known)
  if (fault !== null) throw refused(`${fault}.`)
  const isKnown = new Set(known.map(({ chunk }) => chunk))
  const fresh = chunks.filter(({ chunk }) => !isKnown.has(chunk))
  const etags = fresh.map(async ({ chunk, sizeBytes }) => {
    const object = await bucket.head(chunkKey({ ...id, chunk }))
    if (object?.size !== sizeBytes) throw refused(`chunk ${chunk} has not arrived.`)
    return [chunk, object.etag] as const
  })
  return new Map(await Promise.all(etags))
}

function refused(why: string): AppError {
  return new AppError('audio_refused', `The server reads the audio from the video itself. ${why}`)
}

/** What our own cutter never reaches: its longest chunk. */
const CHUNK_MAX_MS = 120_000
/** Neighbours share 2.5 s, and a packet may stand over at either end. */
const OVERLAP_MAX_MS = 5_000
/** Each chunk costs a call of the recogniser: no honest cut makes so many of them. */
const CHUNKS_AT_LEAST = 10
const CHUNK_AT_LEAST_MS = 5_000

/** The span that a chunk's words are taken from. */
type Span = Pick<ClientAudioChunk, 'chunk' | 'startMs' | 'endMs'>

/**
 * Finds what is wrong with parts of a browser's audio before they are transcribed; null when nothing is.
 * @param known chunks that were taken before, at least the neighbours of those that have arrived
 */
export function findAudioFault(arrived: AudioArrived, known: readonly Span[]): string | null {
  const spans = new Map([...arrived.chunks, ...known].map((span) => [span.chunk, span]))
  for (const chunk of arrived.chunks) {
    const fault = findChunkFault(chunk, arrived) ?? findBoundaryFault(spans, chunk)
    if (fault !== null) return `chunk ${chunk.chunk} ${fault}`
  }
  return null
}

function findChunkFault(chunk: ClientAudioChunk, { durationMs, chunkCount }: AudioArrived): string | null {
  const { startMs, endMs, audioStartMs, audioDurationMs } = chunk
  const chunksMax = CHUNKS_AT_LEAST + durationMs / CHUNK_AT_LEAST_MS
  if (chunk.chunk >= Math.min(chunksMax, chunkCount ?? chunksMax)) return 'is one too many'
  if (chunk.sizeBytes > AUDIO_CHUNK_MAX_BYTES) return 'is too large'
  if (endMs <= startMs || endMs - startMs > CHUNK_MAX_MS || audioDurationMs > CHUNK_MAX_MS) return 'is too long'
  if (endMs > durationMs + DURATION_TOLERANCE_MS) return 'lies outside of the video'
  const isOutside = audioStartMs < startMs - OVERLAP_MAX_MS || audioStartMs + audioDurationMs > endMs + OVERLAP_MAX_MS
  if (isOutside) return 'has audio from elsewhere'
  const isLast = chunkCount !== null && chunk.chunk === chunkCount - 1
  return isLast && endMs < durationMs - DURATION_TOLERANCE_MS ? 'ends before the video' : null
}

function findBoundaryFault(spans: ReadonlyMap<number, Span>, { chunk, startMs, endMs }: Span): string | null {
  const before = chunk === 0 ? 0 : (spans.get(chunk - 1)?.endMs ?? startMs)
  if (startMs !== before) return 'does not begin where the one before it ends'
  return (spans.get(chunk + 1)?.startMs ?? endMs) === endMs ? null : 'does not end where the next one begins'
}

/**
 * Checks the object that was uploaded, pins the module to its very bytes and starts the first run. Idempotent: a
 * repetition, also at the same moment, answers the same and starts nothing.
 * @throws {AppError} not_found (also for another owner's module or a wrong key), upload_missing,
 *   source_changed, file_empty, payload_too_large, not_a_video, quota_reached
 */
export async function completeUpload(
  context: Context,
  caller: Caller,
  request: CompleteRequest,
): Promise<CompleteAnswer> {
  const module = await getOwnModule(context.db, caller, request.moduleId)
  if (module.sourceKey !== request.key) throw moduleNotFound()
  try {
    await receiveUpload(context, module)
  } catch (error) {
    // A refused file is worth nothing to anybody; the row goes with the sweep.
    if (isRefusal(error)) await context.bucket.delete(module.sourceKey)
    throw error
  }
  return { success: true, moduleId: module.id, trainingUrl: `/training/${module.id}` }
}

/** What an upload that was not received is taken for, by the error; after other failures it may be received yet. */
const NOT_RECEIVED: Partial<Record<AppErrorCode, 'absent' | 'refused' | 'unknown'>> = {
  // Retried later, when the object may have arrived or the day's quota allow it.
  upload_missing: 'absent',
  quota_reached: 'absent',
  file_empty: 'refused',
  payload_too_large: 'refused',
  not_a_video: 'refused',
  // Cancelled at this very moment.
  not_found: 'unknown',
}

/** Whether an upload is no video that we take. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && NOT_RECEIVED[error.code] === 'refused'
}

/**
 * Starts what `complete` would have started, when its call never came: the tab was closed, or the answer got lost.
 * Notifications may come any number of times, late, and for any object.
 * @param key of the object in the bucket
 * @returns `received`, also when it was before; `absent` while there is no object, or its owner's quota of the day is
 *   used up; `refused` for an unsupported video; `unknown` for an object that belongs to no module
 */
export async function noticeUpload(context: Context, key: string) {
  const module = await findModuleOfSource(context.db, key)
  if (module === null) {
    logLine('warn', 'upload_unknown', { key })
    // Sent to an address that was given out before its module was erased: nothing else would ever remove it.
    if (!(await isSourceKnown(context.db, key))) await context.bucket.delete(key)
    return 'unknown'
  }
  try {
    await receiveUpload(context, module)
    return 'received'
  } catch (error) {
    const result = error instanceof AppError ? NOT_RECEIVED[error.code] : undefined
    if (result === undefined) throw error
    // The file stays, so that a call of `complete` can still return the reason.
    if (isRefusal(error)) logLine('warn', 'upload_refused', { moduleId: module.id, code: error.code })
    return result
  }
}

/**
 * Checks the object that was uploaded, pins its module to its very bytes and starts the first run. Every notification of an
 * upload may call it, any number of times and at the same moment: one run begins. Parts are put together first.
 * @throws {AppError} upload_missing, source_changed, file_empty, payload_too_large, not_a_video, quota_reached; not_found
 *   when the upload was cancelled meanwhile
 */
async function receiveUpload(context: Context, module: ModuleRow): Promise<void> {
  if (module.sourceEtag === null) {
    if (module.uploadId !== null) await assembleParts(context, module)
    await receiveSource(context.db, module.id, await takeSource(context, module), context.nowMs())
    await removeUploadParts(context.db, module.id)
  }
  await goOn(context, module.id)
}

/** Separate from receiving, so that the next call completes it after a crash between the two. */
async function goOn(context: Context, moduleId: string): Promise<void> {
  const module = await findModule(context.db, moduleId)
  if (module === null) throw moduleNotFound()
  if (module.run === 0 && (await startRun(context, module, { trigger: 'upload' })) !== null) return
  // The run that its video was awaited for: one that the server is to cut has its turn now.
  await admitRuns(context, module.userId)
  await ring(context, 'ingest')
  await publishModule(context, moduleId)
}

async function takeSource(context: Context, module: ModuleRow): Promise<ReceivedSource> {
  const settledAtMs = context.nowMs() + SETTLED_AFTER_MS
  try {
    const source = await inspectSource(context, module)
    // Refunded when the address held something else before.
    await takeModule(context, module)
    await takeBytes(context, module, source.sizeBytes)
    if (module.declaredSizeBytes === null) {
      // Its address still takes a file as large as was reserved for it.
      const refund = { reserved: context.uploads.maxBytes, arrived: source.sizeBytes, atMs: settledAtMs }
      await refundReserved(context.d1, module.id, refund)
    }
    return source
  } catch (error) {
    if (!isRefusal(error)) throw error
    await refundUpload(context.d1, module.id, settledAtMs)
    if (await refuseSource(context.db, module.id, error.message, context.nowMs())) {
      await publishModule(context, module.id)
      await admitRuns(context, module.userId)
    }
    throw error
  }
}

async function inspectSource(context: Context, module: ModuleRow): Promise<ReceivedSource> {
  const object = await context.bucket.head(module.sourceKey)
  if (object === null) {
    throw new AppError('upload_missing', 'The video has not arrived yet. Please upload it again.')
  }
  checkSize(object.size, context.uploads.maxBytes)
  checkIsWhole(object.size, module.declaredSizeBytes)
  return { etag: object.etag, sizeBytes: object.size, type: await sniffSource(context.bucket, object) }
}

function checkIsWhole(sizeBytes: number, declaredSizeBytes: number | null): void {
  if (declaredSizeBytes === null || declaredSizeBytes === sizeBytes) return
  throw new AppError(
    'upload_missing',
    `${sizeBytes} bytes of the video have arrived instead of ${declaredSizeBytes}. Please upload it again.`,
  )
}

async function sniffSource(bucket: R2Bucket, object: R2Object): Promise<string> {
  const range = { offset: 0, length: Math.min(SNIFF_BYTES, object.size) }
  const first = await bucket.get(object.key, { range, onlyIf: { etagMatches: object.etag } })
  if (first === null || !('body' in first)) {
    throw new AppError('source_changed', 'The file was replaced while it was being checked. Please try again.')
  }
  const bytes = new Uint8Array(await first.arrayBuffer())
  const type = sniffContainer(bytes)
  if (type !== null) return type
  const name = nameForeignContainer(bytes)
  throw new AppError(
    'not_a_video',
    name === null
      ? 'This file is not a video that we can read. Please upload an MP4, MOV or WebM file.'
      : `This file is in the format ${name}, which Adapt cannot read. Please export it as MP4 with H.264 and upload that.`,
  )
}
