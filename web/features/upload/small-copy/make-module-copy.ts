import { VIDEO_RENEW_MS } from '#contract/limits.ts'
import { type AudioTrack, Done, ModuleAnswer, VideoUrlAnswer } from '#contract/module.ts'
import { type SmallCopyArrived, SmallCopyUrlAnswer } from '#contract/small-copy.ts'
import type { Cuts } from '#contract/time/visible-time.ts'
import type { CallApi } from '#web/lib/api.ts'
import { callWithRetry, type Timing, timing } from '../call-with-retry.ts'
import { hasRoomFor, nameFolder, removeConversionsOf, storageIsFull } from '../convert/converted-files.ts'
import { isStored, type PutFile, putFile } from '../put-file.ts'
import { SignedUrls } from '../signed-urls.ts'
import type { CopyOrder, MadeCopy } from './copy-messages.ts'
import { forgetTries, noteTry, watchTry } from './copy-tries.ts'
import { type CopyEvents, runCopyWorker } from './run-copy-worker.ts'
import { BITS_PER_S } from './size-copy.ts'

export interface CopyRequest extends Pick<CopyEvents, 'findWait' | 'onWait' | 'signal'> {
  moduleId: string
  /** The picked file, where it is at hand; null: the stored video is read. */
  file: Blob | null
  /** What it is to be made without, because a person has asked for it; null: one is made if the training lacks it. */
  cuts: Cuts | null
  callApi: CallApi
  onProgress?: (percent: number) => void
}

export interface CopyDeps {
  runWorker: (order: CopyOrder, events: CopyEvents) => Promise<MadeCopy>
  putFile: PutFile
  hasRoomFor: (sizeBytes: number) => Promise<boolean>
  removeCopies: () => Promise<void>
  timing: Timing
}

const KIND = 'small-copy'
const DEPS: CopyDeps = {
  runWorker: runCopyWorker,
  putFile,
  hasRoomFor,
  removeCopies: () => removeConversionsOf(KIND),
  timing,
}
const NAME = 'small.mp4'
/** An hour of a screen has some 200 MB. */
const ROOM_MIN_BYTES = 300_000_000
/** What each second of a video takes at most, with audio that is copied. */
const ROOM_BYTES_PER_S = (BITS_PER_S.camera + 128_000) / 8
const PUT_RETRIES = 3
/** A lock that is free is granted sooner: after this long another tab holds it. */
const LOCK_HELD_AFTER_MS = 1_000

/** Whether a training has what it needs now. */
export type CopyOutcome = 'made' | 'not needed' | 'given up'

/**
 * Makes the small copy of a training, if that is asked for, or if it lacks one and this browser has not failed at it too
 * often. One at a time in this browser.
 * @throws where it fails; the signal's reason when it aborts
 */
export async function makeModuleCopy(request: CopyRequest, deps: CopyDeps = DEPS): Promise<CopyOutcome> {
  const make = () => makeIfLacking(request, deps)
  // Absent where the page is not served securely.
  if (navigator.locks === undefined) return make()
  const { signal, onWait } = request
  const heldTimer = setTimeout(() => onWait('tab'), LOCK_HELD_AFTER_MS)
  try {
    return await navigator.locks.request('adapt-small-copy', { signal }, () => {
      clearTimeout(heldTimer)
      onWait(null)
      return make()
    })
  } finally {
    clearTimeout(heldTimer)
  }
}

async function makeIfLacking(request: CopyRequest, deps: CopyDeps): Promise<CopyOutcome> {
  const { moduleId, cuts, callApi, signal } = request
  // A page that was closed meanwhile has left its own, which may be gigabytes.
  await deps.removeCopies()
  const path = `/api/modules/${encodeURIComponent(moduleId)}`
  const { module } = await callApi({ path, schema: ModuleAnswer, signal })
  if (cuts === null && !module.lacksSmallCopy) return 'not needed'
  if (cuts === null && !noteTry(moduleId)) return 'given up'
  const endWatch = cuts === null ? watchTry(moduleId, signal) : undefined
  let made: MadeCopy
  try {
    const roomBytes = Math.max(ROOM_MIN_BYTES, (module.totalDuration ?? 0) * ROOM_BYTES_PER_S)
    if (!(await deps.hasRoomFor(roomBytes))) throw storageIsFull()
    const stepStartsMs = module.steps.map(({ start }) => Math.round(start * 1_000))
    made = await make(request, deps, {
      stepStartsMs,
      cuts: cuts ?? [],
      audioTrackId: findCopied(module.audioTracks),
      folder: nameFolder(Date.now(), KIND),
      name: NAME,
    })
    // A picked file is of the video that it was uploaded as, even where the training has another one by now.
    const videoId = request.file === null ? (module.videoId ?? moduleId) : moduleId
    const body: SmallCopyArrived =
      made === null ? { videoId, savesTooLittle: true } : await send(request, deps, { ...made, videoId })
    // What took hours to make is not lost to a line that breaks, or to a machine that has just woken up.
    const report = () => callApi({ path: `${path}/small-copy`, method: 'PUT', body, schema: Done, signal })
    await callWithRetry(report, { ...deps.timing, signal })
  } finally {
    endWatch?.()
    await deps.removeCopies()
  }
  // One that lacks what is shown again stays where the whole would save too little: not to be tried for ever.
  if (made !== null) forgetTries(moduleId)
  return 'made'
}

/** The one that the steps are of; of several speakers' the one that the original plays, if it is one of them. */
function findCopied(tracks: readonly AudioTrack[]): number | null {
  const transcribed = tracks.filter(({ isTranscribed }) => isTranscribed)
  return (transcribed.find(({ isPlayed }) => isPlayed) ?? transcribed[0])?.trackId ?? null
}

async function make(
  { moduleId, file, callApi, signal, findWait, onWait, onProgress = () => {} }: CopyRequest,
  { runWorker }: CopyDeps,
  order: Omit<CopyOrder, 'video'>,
): Promise<MadeCopy> {
  const events = { onProgress, findWait, onWait, signal }
  if (file !== null) return runWorker({ ...order, video: file }, events)
  const call = { path: `/api/video-url/module/${encodeURIComponent(moduleId)}`, schema: VideoUrlAnswer, signal }
  const { url } = await callApi(call)
  // The right to read is renewed as for a player: the browser keeps it beside the address.
  const renewal = setInterval(() => void callApi(call).catch(() => undefined), VIDEO_RENEW_MS)
  try {
    return await runWorker({ ...order, video: url }, events)
  } finally {
    clearInterval(renewal)
  }
}

async function send(
  { moduleId, cuts, callApi, signal }: CopyRequest,
  { putFile: put, timing }: CopyDeps,
  { file, codec, videoId }: NonNullable<MadeCopy> & { videoId: string },
): Promise<SmallCopyArrived> {
  const path = `/api/modules/${encodeURIComponent(moduleId)}/small-copy`
  const body = { videoId, sizeBytes: file.size }
  let key = ''
  const urls = new SignedUrls({
    putFile: put,
    // Hours of video take longer to send than an address is good for, and one that breaks off is sent anew.
    async load([number = 0]) {
      const signed = await callApi({ path, method: 'POST', body, schema: SmallCopyUrlAnswer, signal })
      key = signed.key
      return { success: true, urls: [{ number, url: signed.url }] }
    },
  })
  const sendOnce = async () => {
    const answer = await urls.put(0, { file, contentType: 'video/mp4', onProgress: () => {}, signal })
    // not-shown: for developers.
    if (!isStored(answer)) throw new Error(`The small copy was not stored: ${answer.status}`)
  }
  await callWithRetry(sendOnce, { ...timing, retries: PUT_RETRIES, signal })
  return { videoId, key, codec, ...(cuts && { cuts }) }
}
