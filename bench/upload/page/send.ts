import { PresignAnswer } from '#contract/upload.ts'
import { inspectVideo } from '#web/features/upload/inspect/inspect-video.ts'
import { PauseSwitch } from '#web/features/upload/pause-switch.ts'
import { type SoundState, sendSoundFirst } from '#web/features/upload/sound/send-sound-first.ts'
import { openUploadDeps } from '#web/features/upload/upload-deps.ts'
import { uploadVideo } from '#web/features/upload/upload-video.ts'
import { callApi } from '#web/lib/api.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import type { SendReport } from '../answers.ts'

const call: CallApi = (asked) => callApi({ ...asked, token: 'any.body.s' })

/** Known while the upload runs. */
export const sending = { moduleId: null as string | null }

/** Sends a video as the upload page does, with its sound ahead of it or without. */
export async function send(file: File, { isSoundFirst }: { isSoundFirst: boolean }): Promise<SendReport> {
  const beganAt = performance.now()
  const report: SendReport = { moduleId: '', storedAtMs: 0, tookMs: 0, sound: null }
  const { durationMs } = await inspectVideo(file)
  const { signal } = new AbortController()
  const sounds: Promise<void>[] = []
  const onState = (state: SoundState) => (report.sound = { ...state, tookMs: performance.now() - beganAt })
  const onStarted = ({ moduleId }: { moduleId: string }) => {
    sending.moduleId = report.moduleId = moduleId
    if (!isSoundFirst) return Promise.resolve()
    return new Promise<void>((resolve) => {
      sounds.push(sendSoundFirst({ file, durationMs, moduleId, callApi: call, signal, onState, onHeadStart: resolve }))
    })
  }
  const onStored = () => {
    report.storedAtMs = Date.now()
    report.tookMs = performance.now() - beganAt
  }
  const request = { video: file, captions: null, durationMs, pause: new PauseSwitch(), signal, onStarted, onStored }
  await uploadVideo({ ...request, onSent: () => {} }, openUploadDeps(call))
  await Promise.all(sounds)
  return report
}

/** Sends so many bytes in one PUT, or as the upload page sends a file of that size. @returns how long it took */
export async function sendBytes({ sizeBytes, isWhole }: { sizeBytes: number; isWhole: boolean }): Promise<number> {
  const file = new File([makeNoise(sizeBytes)], 'noise.mp4', { type: 'video/mp4' })
  const { signal } = new AbortController()
  const beganAt = performance.now()
  if (isWhole) {
    const body = { filename: file.name, contentType: file.type, sizeBytes }
    const path = '/api/presigned-upload/presigned-url'
    const { uploadUrl } = await call({ path, method: 'POST', body, schema: PresignAnswer })
    // Plainly: what the product does about a line that stalls is not to be compared here.
    const { status } = await fetch(uploadUrl, { method: 'PUT', body: file, headers: { 'content-type': file.type } })
    if (status !== 200) throw new Error(`The storage answered ${status}`)
    return performance.now() - beganAt
  }
  let tookMs = Number.NaN
  const onStored = () => {
    tookMs = performance.now() - beganAt
  }
  const request = { video: file, captions: null, durationMs: null, pause: new PauseSwitch(), signal, onStored }
  // Noise is no video, which the server says at the very end.
  await uploadVideo({ ...request, onStarted: () => {}, onSent: () => {} }, openUploadDeps(call)).catch(() => {})
  return tookMs
}

/** Bytes as a video's are, which nothing on the way makes fewer of. */
function makeNoise(sizeBytes: number): Blob {
  const piece = 64 * 1024
  const pieces = Array.from({ length: Math.ceil(sizeBytes / piece) }, (_, i) =>
    crypto.getRandomValues(new Uint8Array(Math.min(piece, sizeBytes - i * piece))),
  )
  return new Blob(pieces)
}
