import { CAPTIONS_MAX_BYTES, MULTIPART_FROM_BYTES } from '#contract/limits.ts'
import { CaptionsAnswer, type CaptionsQuery } from '#contract/transcript.ts'
import {
  CompleteAnswer,
  type PartPlan,
  PresignAnswer,
  type PresignRequest,
  type Upload,
  UploadAnswer,
  type UploadPatch,
} from '#contract/upload.ts'
import * as m from '#messages'
import type { CallApi } from '#web/lib/api.ts'
import { ApiError } from '#web/lib/api-error.ts'
import { captionsPath } from '#web/lib/captions/caption-check.ts'
import { captionTypeOf } from '#web/lib/files.ts'
import { callWithRetry, type Timing, timing } from './call-with-retry.ts'
import { videoTypeOf } from './choose-files.ts'
import { readFingerprint } from './fingerprint.ts'
import type { PauseSwitch } from './pause-switch.ts'
import { isStored, type PutFile, putFile } from './put-file.ts'
import type { ArrivedPart, SendParts } from './send-parts.ts'
import { inStage, storageError, UploadError } from './upload-error.ts'

/** An upload that the server knows. */
export interface Attempt {
  moduleId: string
  key: string
  /** Where the whole file goes; null once it can only go in parts. */
  uploadUrl: string | null
  /** Of the file that the server expects. */
  sizeBytes: number
  /** Null when the file goes in one piece. */
  plan: PartPlan | null
  arrived: readonly ArrivedPart[]
}

export interface UploadRequest {
  video: File
  captions: File | null
  /** How these are read; what is left out is found out. */
  captionChoices?: CaptionsQuery
  /** Resumes this one instead of asking for a new module. */
  attempt?: Attempt
  /** Whether anyone with the link can view it from the first byte on. Left out: they can. */
  isShared?: boolean
  /** The training of which it is a new recording. */
  replaces?: string | null
  /** Makes the file that is sent in place of the video; what is known of the video's audio goes meanwhile. */
  convert?: () => Promise<File>
  /** Null when the browser cannot read it. */
  durationMs: number | null
  /** The type that its first bytes show, for a file whose name shows none; null where they are not known. */
  container?: string | null
  pause: PauseSwitch
  /**
   * Called when the server has created a module; also after an abort, so that the module can be removed. The bytes of
   * the video wait for what it returns.
   */
  onStarted: (attempt: Attempt) => Promise<void> | void
  /** Bytes of the video that have left so far. */
  onSent: (sentBytes: number) => void
  /** All bytes have been sent; `complete` takes a moment and can no longer be cancelled. */
  onStored: () => void
  signal: AbortSignal
}

export interface UploadDeps {
  callApi: CallApi
  putFile: PutFile
  sendParts: SendParts
  readFingerprint: (file: File) => Promise<string>
  timing: Timing
}

/** `complete` is idempotent, so it is retried and a lost answer does not lose the upload. */
const COMPLETE_RETRIES = 2
/** A small file begins again from its first byte, so it is not worth more. */
const PUT_RETRIES = 4

/**
 * Sends a video the way of specification §4: presign → captions → bytes → complete. Captions go before the bytes, so
 * that an unreadable file is reported within a second. Large files go in parts.
 * @returns the module's id.
 * @throws {UploadError} with the stage that failed; the caller's own abort keeps its `AbortError`.
 */
export async function uploadVideo(request: UploadRequest, deps: UploadDeps): Promise<string> {
  const { video, captions, signal } = request
  const contentType = request.convert ? CONVERTED_TYPE : (videoTypeOf(video) ?? request.container)
  if (!contentType) throw new UploadError(m.only_video_files(), m.choose_video_file_type())
  if (captions && captions.size > CAPTIONS_MAX_BYTES) {
    throw new UploadError(m.captions_failed(), m.captions_too_large({ name: captions.name }))
  }
  const attempt = request.attempt ?? (await presign(contentType, request, deps))
  const canStartVideo = request.onStarted(attempt)
  signal.throwIfAborted()
  if (captions) await sendCaptions(attempt.moduleId, captions, request, deps)
  await canStartVideo
  signal.throwIfAborted()
  const file = request.convert ? await request.convert() : video
  const isExpected = attempt.plan === null || attempt.sizeBytes === file.size
  const expected = isExpected ? attempt : await declareFile(attempt, file, request, deps)
  await sendBytes(expected, { file, contentType }, request, deps)
  request.onStored()
  await completeUpload(attempt, deps)
  return attempt.moduleId
}

const PRESIGN_PATH = '/api/presigned-upload/presigned-url'

/** Not aborted with the rest, because a module that was created after the abort has to be removed. */
async function presign(contentType: string, request: UploadRequest, deps: UploadDeps): Promise<Attempt> {
  const { video, durationMs } = request
  // How large a converted file becomes is known at its end, and parts can be planned again.
  const isInParts = video.size > MULTIPART_FROM_BYTES || request.convert !== undefined
  const inParts = isInParts ? { multipart: true, fingerprint: await deps.readFingerprint(video) } : {}
  const body: PresignRequest = { filename: video.name, contentType, sizeBytes: video.size, durationMs, ...inParts }
  const shared = request.isShared === false ? { shared: false } : {}
  const chosen = { ...body, ...shared, ...(request.replaces && { replaces: request.replaces }) }
  const call = { path: PRESIGN_PATH, method: 'POST', body: chosen, schema: PresignAnswer } as const
  const { moduleId, key, uploadUrl, multipart } = await inStage('presign', () => deps.callApi(call))
  return { moduleId, key, uploadUrl, sizeBytes: video.size, plan: multipart ?? null, arrived: [] }
}

/** Finds what the server still has of an upload. Null: nothing, so it starts from the beginning. */
export async function findAttempt(moduleId: string, signal: AbortSignal, callApi: CallApi): Promise<Attempt | null> {
  const call = { path: `/api/upload/${encodeURIComponent(moduleId)}`, schema: UploadAnswer, signal }
  const answer = await inStage('resume', () => callApi(call).catch(ifMissing))
  return answer && readAttempt(answer.upload)
}

function ifMissing(error: unknown): null {
  if (error instanceof ApiError && error.status === 404) return null
  throw error
}

export function readAttempt({ moduleId, key, sizeBytes, plan, parts }: Upload): Attempt {
  return { moduleId, key, sizeBytes, plan, arrived: parts, uploadUrl: null }
}

async function sendCaptions(moduleId: string, captions: File, request: UploadRequest, { callApi }: UploadDeps) {
  const { captionChoices = {}, signal } = request
  const contentType = captionTypeOf(captions)
  if (!contentType) throw new UploadError(m.captions_failed(), m.choose_a_caption_file())
  const path = captionsPath(moduleId, captionChoices)
  const file = { content: captions, contentType }
  await inStage('captions', () => callApi({ path, method: 'PUT', file, schema: CaptionsAnswer, signal }))
}

const CONVERTED_TYPE = 'video/mp4'

/** Declares to the server that another file comes than the one that it expects. */
async function declareFile(
  { moduleId }: Attempt,
  file: File,
  { signal }: UploadRequest,
  { callApi, readFingerprint, timing }: UploadDeps,
): Promise<Attempt> {
  const body: UploadPatch = { sizeBytes: file.size, fingerprint: await readFingerprint(file) }
  const path = `/api/upload/${encodeURIComponent(moduleId)}`
  const declare = () => callApi({ path, method: 'PATCH', body, schema: UploadAnswer, signal })
  const { upload } = await inStage('resume', () => callWithRetry(declare, { ...timing, signal }))
  return readAttempt(upload)
}

interface SentFile {
  file: File
  contentType: string
}

async function sendBytes(attempt: Attempt, sent: SentFile, request: UploadRequest, deps: UploadDeps) {
  const { file, contentType } = sent
  const { pause, onSent, signal } = request
  const { moduleId, key, plan, arrived, uploadUrl: url } = attempt
  if (plan) return deps.sendParts({ file, moduleId, key, plan, arrived, pause, onSent, signal }, deps)
  if (!url) throw new UploadError(m.presign_missing_fields(), m.server_gave_no_address())
  const putWhole = async (tries: number) => {
    const answer = await deps.putFile({ url, contentType, file, ifNoneMatch: '*', onProgress: onSent, signal })
    const hasArrivedBefore = tries > 1 && answer.status === 412
    if (!isStored(answer) && !hasArrivedBefore) throw storageError(answer.status)
  }
  await callWithRetry(putWhole, { ...deps.timing, retries: PUT_RETRIES, signal })
}

/** Harmless to repeat: the server answers the same. */
export async function completeUpload(
  { moduleId, key }: Pick<Attempt, 'moduleId' | 'key'>,
  { callApi, timing }: Pick<UploadDeps, 'callApi' | 'timing'>,
): Promise<void> {
  const body = { moduleId, key }
  const complete = () => callApi({ path: '/api/upload/complete', method: 'POST', body, schema: CompleteAnswer })
  await inStage('complete', () => callWithRetry(complete, { ...timing, retries: COMPLETE_RETRIES }))
}

/** Most visits send nothing, so the upload library comes with the first large file. */
const sendParts: SendParts = async (transfer, deps) => {
  const library = await import('./send-parts.ts')
  return library.sendParts(transfer, deps)
}

export function openUploadDeps(callApi: CallApi): UploadDeps {
  return { callApi, putFile, sendParts, readFingerprint, timing }
}
