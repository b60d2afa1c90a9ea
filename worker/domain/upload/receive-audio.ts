import { AUDIO_CHUNK_MAX_BYTES } from '#contract/limits.ts'
import type { Done } from '#contract/module.ts'
import type { AudioArrived, AudioUrlsRequest, ClientAudioChunk, UrlsAnswer } from '#contract/upload.ts'
import type { Context } from '#worker/context.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addUse, takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { chunkKey, listChunksBetween, takeClientAudio } from '#worker/domain/run/chunk-store.ts'
import { DURATION_TOLERANCE_MS } from '#worker/domain/media/read-source.ts'
import { ring } from '#worker/domain/run/task-store.ts'
import { awaitsVideo, findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { signPut } from './presign-upload.ts'

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
  if (module.transcriptSource === 'captions') throw refused('There are captions.')
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
