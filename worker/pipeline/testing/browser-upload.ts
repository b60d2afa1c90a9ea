import { env } from 'cloudflare:workers'
import type { ClientAudioChunk } from '#contract/upload.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { cutAll, pickMedia } from '#media/testing/cut-all.ts'
import { type MadeContainer, type MadePicture, makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { cancelUpload } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { chunkKey } from '#worker/domain/run/chunk-store.ts'
import { completeUpload } from '#worker/domain/upload/complete-upload.ts'
import { partBytesOf, planParts, presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { receiveAudio } from '#worker/domain/upload/receive-audio.ts'
import { recordPart } from '#worker/domain/upload/upload-parts.ts'
import type { Caller } from '#worker/ports/identity.ts'
import type { Driver } from './drive.ts'

/** A file, and its audio as a browser cuts it: with the very code that the server has. */
export interface PickedFile {
  bytes: Uint8Array
  durationMs: number
  chunks: (ClientAudioChunk & { bytes: Uint8Array })[]
}

const picked = new Map<string, Promise<PickedFile>>()

/** @param sizeBytes filled up with a box of nothing at the end, so that the upload has more than one part */
export function pickFile(
  audioMs: number,
  sizeBytes = 0,
  picture?: MadePicture,
  container: MadeContainer = 'mp4',
): Promise<PickedFile> {
  const key = `${audioMs}/${sizeBytes}/${picture}/${container}`
  const make = async () => {
    const media = await makeMedia(container, steadyPackets(Math.round(audioMs / 64)), picture)
    return cutFile(fillUp(media, sizeBytes))
  }
  const file = picked.get(key) ?? make()
  picked.set(key, file)
  return file
}

/** A file that is made already. */
export async function cutFile(bytes: Uint8Array): Promise<PickedFile> {
  const open = pickMedia(bytes)
  const facts = await readMediaFacts(open())
  const { chunks } = await cutAll({ open, facts })
  return {
    bytes,
    durationMs: facts.durationMs,
    chunks: chunks.map((each) => ({ ...each, sizeBytes: each.bytes.byteLength })),
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
  /** Puts the audio chunks `from` to before `to` and reports them; the last call says how many there are. */
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
  const { moduleId, key } = await presignUpload(deps, caller, {
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
    const audio = file.chunks.slice(from, to)
    await Promise.all(audio.map(({ chunk, bytes }) => env.MEDIA.put(chunkKey({ moduleId, run: 1, chunk }), bytes)))
    const chunks = audio.map(({ bytes: _bytes, ...chunk }) => chunk)
    const chunkCount = to >= file.chunks.length ? file.chunks.length : null
    await receiveAudio(deps, caller, { moduleId, durationMs: file.durationMs, chunks, chunkCount, ...patch })
  }

  async function complete(): Promise<void> {
    await completeUpload(deps, caller, { moduleId, key })
  }

  async function sendVideo(): Promise<void> {
    for (let part = 1; part <= partCount; part++) await sendPart(part)
    await complete()
  }

  const sendAllAudio = () => sendAudio(0, file.chunks.length)
  const cancel = () => cancelUpload(deps, caller, moduleId)
  return { moduleId, key, caller, file, partCount, sendPart, sendAudio, sendAllAudio, complete, sendVideo, cancel }
}
