import { UPLOAD_URLS_MAX } from '#contract/limits.ts'
import { Done } from '#contract/module.ts'
import type { AudioArrived, ClientAudioChunk } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api.ts'

/** Reports to the server which chunks of the audio are in storage. */
export interface ChunkReporter {
  /** The first chunk at once, later ones a few at a time. @throws {ApiError} 409 `audio_refused` */
  report(chunk: ClientAudioChunk): Promise<void>
  /** Reports the remaining chunks, always including the last, and the number of all chunks. */
  reportRest(chunkCount: number): Promise<void>
}

/** Two minutes of audio; on a fast line each call brings this much. */
const GROUP = 4
/** On a slow line nothing waits longer than this for its neighbours. */
const GROUP_WITHIN_MS = 1_000

interface ChunkReporterOptions {
  moduleId: string
  durationMs: number
  callApi: CallApi
  signal: AbortSignal
  persist: <T>(call: () => Promise<T>) => Promise<T>
}

export function openChunkReporter({
  moduleId,
  durationMs,
  callApi,
  signal,
  persist,
}: ChunkReporterOptions): ChunkReporter {
  const path = `/api/upload/${encodeURIComponent(moduleId)}/audio`
  const arrived: ClientAudioChunk[] = []
  let reportedAtMs = Number.NEGATIVE_INFINITY
  let isReporting = false
  let last: ClientAudioChunk | null = null
  const isDue = () => arrived.length >= GROUP || performance.now() - reportedAtMs >= GROUP_WITHIN_MS
  async function post(chunkCount: number | null): Promise<void> {
    const body = { durationMs, chunks: arrived.splice(0, UPLOAD_URLS_MAX), chunkCount } satisfies AudioArrived
    await persist(() => callApi({ path, method: 'POST', body, schema: Done, signal }))
    reportedAtMs = performance.now()
  }
  async function report(chunk: ClientAudioChunk): Promise<void> {
    arrived.push(chunk)
    if (last === null || chunk.chunk > last.chunk) last = chunk
    if (isReporting || !isDue()) return
    isReporting = true
    try {
      while (arrived.length > 0 && isDue()) await post(null)
    } finally {
      isReporting = false
    }
  }
  async function reportRest(chunkCount: number): Promise<void> {
    while (arrived.length > UPLOAD_URLS_MAX) await post(null)
    // The last chunk is reported twice if need be, because it shows whether the audio reaches the end of the video.
    if (last !== null && !arrived.includes(last)) arrived.push(last)
    await post(chunkCount)
  }
  return { report, reportRest }
}
