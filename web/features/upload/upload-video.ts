import { CAPTIONS_MAX_BYTES } from '#contract/limits.ts'
import { CaptionsAnswer } from '#contract/transcript.ts'
import { CompleteAnswer, type CompleteRequest, PresignAnswer, type PresignRequest } from '#contract/upload.ts'
import { ApiError } from '#web/lib/api.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import { canPass } from '#web/lib/query-client.ts'
import { captionTypeOf, videoTypeOf } from './choose-files.ts'
import type { PutFile } from './put-file.ts'
import { stageError, storageError, UploadError } from './upload-error.ts'

export interface UploadRequest {
  video: File
  captions: File | null
  /** Bytes of the video that have left so far. */
  onSent: (sentBytes: number) => void
  /** All bytes have left; what follows takes a moment and can no longer be cancelled. */
  onStored: () => void
  signal: AbortSignal
}

export interface UploadDeps {
  callApi: CallApi
  putFile: PutFile
  /** Waits before `complete` is asked again, in milliseconds. */
  wait: (delayMs: number) => Promise<void>
}

/** `complete` may be asked again at will, so a lost answer does not lose the upload. */
const COMPLETE_ATTEMPTS = 3
const COMPLETE_BACKOFF_MS = 1_000

/**
 * Sends a video the way of specification §4: presign → captions → PUT → complete. Captions go before the bytes, so
 * that a file that cannot be read is told within a second.
 * @returns the module's id.
 * @throws {UploadError} with the stage that failed; the caller's own abort keeps its `AbortError`.
 */
export async function uploadVideo(request: UploadRequest, deps: UploadDeps): Promise<string> {
  const { video, captions, signal } = request
  const contentType = videoTypeOf(video)
  if (!contentType) throw new UploadError('Only video files are allowed', 'Choose an MP4, WebM, MOV or MKV file.')
  if (captions && captions.size > CAPTIONS_MAX_BYTES) {
    throw new UploadError('captions failed', `${captions.name} is larger than 2 MB. Choose a smaller caption file.`)
  }
  const { uploadUrl, key, moduleId } = await presign(
    { filename: video.name, contentType, sizeBytes: video.size },
    request,
    deps,
  )
  if (captions) await sendCaptions(moduleId, captions, request, deps)
  const status = await deps.putFile({ url: uploadUrl, file: video, contentType, onProgress: request.onSent, signal })
  if (status < 200 || status > 299) throw storageError(status)
  request.onStored()
  await complete({ moduleId, key }, deps)
  return moduleId
}

async function presign(
  body: PresignRequest,
  { signal }: UploadRequest,
  { callApi }: UploadDeps,
): Promise<PresignAnswer> {
  try {
    return await callApi({
      path: '/api/presigned-upload/presigned-url',
      method: 'POST',
      body,
      schema: PresignAnswer,
      signal,
    })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'bad_answer') {
      throw new UploadError('presign missing fields', error.message)
    }
    throw stageError('presign', error)
  }
}

async function sendCaptions(moduleId: string, captions: File, { signal }: UploadRequest, { callApi }: UploadDeps) {
  const contentType = captionTypeOf(captions)
  if (!contentType) throw new UploadError('captions failed', 'Captions are .vtt or .srt files.')
  try {
    await callApi({
      path: `/api/captions/${encodeURIComponent(moduleId)}`,
      method: 'PUT',
      file: { content: captions, contentType },
      schema: CaptionsAnswer,
      signal,
    })
  } catch (error) {
    throw stageError('captions', error)
  }
}

async function complete(body: CompleteRequest, { callApi, wait }: UploadDeps): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await callApi({ path: '/api/upload/complete', method: 'POST', body, schema: CompleteAnswer })
      return
    } catch (error) {
      const isFinal = attempt === COMPLETE_ATTEMPTS || !(error instanceof ApiError) || !canPass(error)
      if (isFinal) throw stageError('complete', error)
      await wait(COMPLETE_BACKOFF_MS * attempt)
    }
  }
}
