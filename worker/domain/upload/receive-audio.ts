import type { Done } from '#contract/module.ts'
import type { AudioArrived, AudioUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import { type ModuleRow } from '#worker/domain/module/module-store.ts'
import { addUse, takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { chunkKey, listChunksBetween, takeClientAudio } from '#worker/domain/run/chunk-store.ts'
import { awaitsVideo, findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { ring } from '#worker/tasks/ring.ts'
import { findAudioFault } from './find-audio-fault.ts'
import { signPut } from './presign-upload.ts'

/** A browser's audio is used by the first run of a module, or not at all. */
const FIRST_RUN = 1
const DONE: Done = { success: true }

/**
 * Addresses for parts of a video's audio that the browser cuts while the video is still uploading. Their bytes count
 * among the bytes of the day. None once the video has arrived.
 * @throws {AppError} not_found, quota_reached, audio_refused when the server is to cut the audio itself
 */
export async function signAudio(
  context: Context,
  caller: Caller,
  { moduleId, chunks, contentType }: AudioUrlsRequest & { moduleId: string },
): Promise<UrlsAnswer> {
  const module = await getOwnModule(context.db, caller, moduleId)
  if (module.sourceEtag !== null) return { success: true, urls: [] }
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
 * it. Chunks that were taken before stay as they are, in any order and however often they are reported. Once the video
 * has arrived nothing is taken: no client can know of that before, so it is no error.
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
  if (module.sourceEtag !== null) return DONE
  await checkWanted(context, module)
  const etags = await checkAudio(context, module, arrived)
  const stored = chunks.map((chunk) => ({ ...chunk, etag: etags.get(chunk.chunk) ?? null }))
  const take = () => takeClientAudio(context.d1, id, { ...arrived, chunks: stored, nowMs: context.nowMs() })
  if (module.run === 0) {
    await takeMinutes(context, module, arrived.durationMs)
    const prepare = async () => void (await take())
    const begun = await startRun(context, module, { trigger: 'upload', audioFrom: 'browser', prepare })
    // Another call began it at the same moment, or the video has come.
    if (begun === null) return receiveAudio(context, caller, arrived)
  } else if (await take()) {
    await ring(context, 'transcribe')
  }
  return DONE
}

async function checkWanted(context: Context, module: ModuleRow): Promise<void> {
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
  const storedChunks = await listChunksBetween(db, id, Math.min(...numbers) - 1, Math.max(...numbers) + 1)
  const fault = findAudioFault(arrived, storedChunks)
  if (fault !== null) throw refused(`${fault}.`)
  const isKnown = new Set(storedChunks.map(({ chunk }) => chunk))
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
