import type { CallApi } from '#web/lib/api-context.tsx'
import { readFingerprint } from './fingerprint.ts'
import { putFile } from './put-file.ts'
import type { SendParts } from './send-parts.ts'
import type { UploadDeps } from './upload-video.ts'
import { timing } from './wait.ts'

/** Most visits send nothing, so the upload library comes with the first large file. */
const sendParts: SendParts = async (transfer, deps) => {
  const library = await import('./send-parts.ts')
  return library.sendParts(transfer, deps)
}

export function openUploadDeps(callApi: CallApi): UploadDeps {
  return { callApi, putFile, sendParts, readFingerprint, timing }
}
