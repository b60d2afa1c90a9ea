import type { CallApi } from '#web/lib/api-context.tsx'

/** What the browser can tell of a video before a byte is sent; null is "could not tell". */
export interface VideoFacts {
  durationMs: number | null
  hasAudio: boolean | null
  audioCodec: string | null
  videoCodec: string | null
  /** Why this file will not become a training, and what to do about it. */
  problem: { title: string; whatToDo: string } | null
}

export type InspectVideo = (file: File) => Promise<VideoFacts>

/** Sends the video's sound ahead of the video. Never rejects: without it the server cuts the sound itself. */
export type SendSoundFirst = (request: {
  file: File
  moduleId: string
  callApi: CallApi
  signal: AbortSignal
  onState: (state: unknown) => void
}) => Promise<void>

const UNKNOWN: VideoFacts = { durationMs: null, hasAudio: null, audioCodec: null, videoCodec: null, problem: null }

/** Files on network drives can keep a reader waiting; the upload does not wait with it. */
const INSPECTION_LIMIT_MS = 8_000

/** An inspection that fails or takes long knows nothing, and stands in nobody's way. */
export async function inspectInTime(inspectVideo: InspectVideo, file: File): Promise<VideoFacts> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const limit = new Promise<VideoFacts>((resolve) => {
    timer = setTimeout(() => resolve(UNKNOWN), INSPECTION_LIMIT_MS)
  })
  try {
    return await Promise.race([inspectVideo(file), limit])
  } catch (error) {
    console.warn('The video could not be inspected', error)
    return UNKNOWN
  } finally {
    clearTimeout(timer)
  }
}

/** Until the browser can look into videos. */
export const inspectNothing: InspectVideo = async () => UNKNOWN
export const sendNoSound: SendSoundFirst = async () => {}
