import { env } from 'cloudflare:workers'
import type { ClientAudioPart } from '#contract/upload.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { cutAll, pickMedia } from '#media/testing/cut-all.ts'
import { makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { cancelUpload } from '#worker/domain/lifecycle/cancel-upload.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { partKey } from '#worker/domain/run/remove-run-objects.ts'
import { completeUpload } from '#worker/domain/upload/complete-upload.ts'
import { partBytesOf, planParts } from '#worker/domain/upload/part-plan.ts'
import { presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { receiveAudio } from '#worker/domain/upload/receive-audio.ts'
import { recordPart } from '#worker/domain/upload/send-parts.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { Driver } from './drive.ts'

/** A file, and its sound as a browser cuts it: with the very code that the server has. */
export interface PickedFile {
  bytes: Uint8Array
  durationMs: number
  parts: (ClientAudioPart & { bytes: Uint8Array })[]
}

const picked = new Map<string, Promise<PickedFile>>()

/** @param sizeBytes filled up with a box of nothing at the end, so that the upload has more than one part */
export function pickFile(soundMs: number, sizeBytes = 0): Promise<PickedFile> {
  const key = `${soundMs}/${sizeBytes}`
  const file = picked.get(key) ?? makeFile(soundMs, sizeBytes)
  picked.set(key, file)
  return file
}

async function makeFile(soundMs: number, sizeBytes: number): Promise<PickedFile> {
  const bytes = fillUp(await makeMedia('mp4', steadyPackets(Math.round(soundMs / 64))), sizeBytes)
  const open = pickMedia(bytes)
  const facts = await readMediaFacts(open())
  const { parts } = await cutAll({ open, facts })
  return {
    bytes,
    durationMs: facts.durationMs,
    parts: parts.map((each) => ({ ...each, sizeBytes: each.bytes.byteLength })),
  }
}

function fillUp(media: Uint8Array, sizeBytes: number): Uint8Array {
  if (sizeBytes <= media.byteLength + 8) return media
  const whole = new Uint8Array(sizeBytes)
  whole.set(media)
  const view = new DataView(whole.buffer)
  view.setUint32(media.byteLength, sizeBytes - media.byteLength)
  whole.set(new TextEncoder().encode('free'), media.byteLength + 4)
  return whole
}

/** An upload as a browser makes it, step by step. */
export interface BrowserUpload {
  moduleId: string
  key: string
  caller: Caller
  file: PickedFile
  partCount: number
  sendPart(part: number): Promise<void>
  /** Puts parts `from` to before `to` of the sound and tells of them; the last call says how many there are. */
  sendAudio(from: number, to: number, patch?: Partial<Parameters<typeof receiveAudio>[2]>): Promise<void>
  sendAllAudio(): Promise<void>
  complete(): Promise<void>
  /** All parts of the video, and complete. */
  sendVideo(): Promise<void>
  cancel(): Promise<void>
}

export async function beginUpload(
  driver: Driver,
  file: PickedFile,
  userId = `user_${crypto.randomUUID()}`,
): Promise<BrowserUpload> {
  const { deps } = driver
  const caller: Caller = { userId, orgId: null, orgRole: null, orgPermissions: [] }
  const { moduleId, key } = await presignUpload({ ...deps, nowMs: deps.nowMs() }, caller, {
    filename: 'how-to.mp4',
    contentType: 'video/mp4',
    sizeBytes: file.bytes.byteLength,
    durationMs: file.durationMs,
    multipart: true,
  })
  const uploadId = (await findModule(deps.db, moduleId))?.uploadId ?? ''
  const { partBytes, partCount } = planParts(file.bytes.byteLength)

  async function sendPart(part: number): Promise<void> {
    const sizeBytes = partBytesOf(file.bytes.byteLength, part)
    const bytes = file.bytes.subarray((part - 1) * partBytes, (part - 1) * partBytes + sizeBytes)
    const { etag } = await env.MEDIA.resumeMultipartUpload(key, uploadId).uploadPart(part, bytes)
    await recordPart(deps, caller, { moduleId, part, etag, sizeBytes })
  }

  async function sendAudio(from: number, to: number, patch: Partial<Parameters<typeof receiveAudio>[2]> = {}) {
    const sound = file.parts.slice(from, to)
    await Promise.all(sound.map(({ part, bytes }) => env.MEDIA.put(partKey({ moduleId, run: 1, part }), bytes)))
    const parts = sound.map(({ bytes: _bytes, ...part }) => part)
    const partCount = to >= file.parts.length ? file.parts.length : null
    await receiveAudio(deps, caller, { moduleId, durationMs: file.durationMs, parts, partCount, ...patch })
  }

  async function complete(): Promise<void> {
    await completeUpload(deps, caller, { moduleId, key })
  }

  async function sendVideo(): Promise<void> {
    for (let part = 1; part <= partCount; part++) await sendPart(part)
    await complete()
  }

  const sendAllAudio = () => sendAudio(0, file.parts.length)
  const cancel = async () => void (await cancelUpload(deps, caller, moduleId))
  return { moduleId, key, caller, file, partCount, sendPart, sendAudio, sendAllAudio, complete, sendVideo, cancel }
}
