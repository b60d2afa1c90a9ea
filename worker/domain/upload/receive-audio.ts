import type { Done } from '#contract/module.ts'
import type { AudioArrived, AudioUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { addUse, takeMinutes } from '#worker/domain/quota/take-quota.ts'
import { takeClientSound } from '#worker/domain/run/client-sound-store.ts'
import { ring } from '#worker/domain/run/doorbell.ts'
import { listPartsBetween } from '#worker/domain/run/part-store.ts'
import { partKey } from '#worker/domain/run/remove-run-objects.ts'
import { awaitsVideo, findRun } from '#worker/domain/run/run-store.ts'
import { startRun } from '#worker/domain/run/start-run.ts'
import { AppError } from '#worker/errors.ts'
import type { Caller } from '#worker/ports/identity.ts'
import { findAudioFault } from './find-audio-fault.ts'
import type { UploadDeps } from './receive-upload.ts'
import { signPut } from './sign-put.ts'

/** A browser's sound is heard by the first run of a module, or not at all. */
const FIRST_RUN = 1

/**
 * Addresses for parts of a video's sound that the browser cuts while the video is on its way. What they take counts
 * among the bytes of the day.
 * @throws {AppError} not_found, quota_reached, audio_refused when the server is to cut the sound itself
 */
export async function signAudio(
  deps: UploadDeps,
  caller: Caller,
  { moduleId, parts, contentType }: AudioUrlsRequest & { moduleId: string },
): Promise<UrlsAnswer> {
  const module = await getOwnModule(deps.db, caller, moduleId)
  await checkWanted(deps, module)
  await addUse(deps, module, { kind: 'bytes', amount: parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) })
  const sign = async ({ part, sizeBytes }: AudioUrlsRequest['parts'][number]) => {
    const key = partKey({ moduleId, run: FIRST_RUN, part })
    return { part, url: await signPut(deps.config, { key, contentType, sizeBytes }) }
  }
  return { success: true, urls: await Promise.all(parts.map(sign)) }
}

/**
 * Has parts of a video's sound heard before the video is there; the first ones begin the module's first run and list
 * it. Parts that were taken before stay as they are, in whatever order and however often they are told.
 * @throws {AppError} not_found, quota_reached, audio_refused when the server is to cut the sound itself; nothing is taken
 *   then
 */
export async function receiveAudio(
  deps: UploadDeps,
  caller: Caller,
  arrived: AudioArrived & { moduleId: string },
): Promise<Done> {
  const { moduleId, parts } = arrived
  const id = { moduleId, run: FIRST_RUN }
  const module = await getOwnModule(deps.db, caller, moduleId)
  await checkWanted(deps, module)
  const etags = await checkSound(deps, module, arrived)
  const stored = parts.map((part) => ({ ...part, etag: etags.get(part.part) ?? null }))
  const take = () => takeClientSound(deps.d1, id, { ...arrived, parts: stored, nowMs: deps.nowMs() })
  if (module.run === 0) {
    await takeMinutes(deps, module, arrived.durationMs)
    let isTaken = false
    const prepare = async () => void (isTaken = await take())
    const begun = await startRun(deps, module, { trigger: 'upload', soundFrom: 'browser', prepare })
    // Another call began it at the same moment, or the video has come.
    if (begun === null) return receiveAudio(deps, caller, arrived)
    if (!isTaken) throw refused('The video arrived first.')
  } else {
    if (!(await take())) throw refused('The video arrived first.')
    await ring(deps, 'transcribe')
  }
  return { success: true }
}

async function checkWanted(deps: UploadDeps, module: ModuleRow): Promise<void> {
  if (module.sourceEtag !== null) throw refused('The video has arrived.')
  if (module.transcriptSource === 'captions') throw refused('There are captions.')
  if (module.run === 0) return
  const run = await findRun(deps.db, { moduleId: module.id, run: module.run })
  const isHeard = module.run === FIRST_RUN && run !== null && run.endedAt === null && awaitsVideo(run)
  if (!isHeard) throw refused('The sound that came before could not be used.')
}

/** @returns the ETags of those that were not taken before, by part */
async function checkSound(
  { db, bucket }: UploadDeps,
  module: ModuleRow,
  arrived: AudioArrived,
): Promise<Map<number, string>> {
  const { parts, durationMs } = arrived
  if (module.durationMs !== null && module.durationMs !== durationMs) throw refused('The video has another length.')
  if (parts.length === 0) return new Map()
  const id = { moduleId: module.id, run: FIRST_RUN }
  const numbers = parts.map(({ part }) => part)
  const known = await listPartsBetween(db, id, Math.min(...numbers) - 1, Math.max(...numbers) + 1)
  const fault = findAudioFault(arrived, known)
  if (fault !== null) throw refused(`${fault}.`)
  const isKnown = new Set(known.map(({ part }) => part))
  const fresh = parts.filter(({ part }) => !isKnown.has(part))
  const etags = fresh.map(async (part) => [part.part, await checkObject(bucket, module.id, part)] as const)
  return new Map(await Promise.all(etags))
}

async function checkObject(
  bucket: R2Bucket,
  moduleId: string,
  { part, sizeBytes }: AudioArrived['parts'][number],
): Promise<string> {
  const object = await bucket.head(partKey({ moduleId, run: FIRST_RUN, part }))
  if (object?.size !== sizeBytes) throw refused(`part ${part} has not arrived.`)
  return object.etag
}

function refused(why: string): AppError {
  return new AppError('audio_refused', `The server reads the sound from the video itself. ${why}`)
}
