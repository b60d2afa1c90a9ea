import { UPLOAD_URLS_MAX } from '#contract/limits.ts'
import { Done } from '#contract/module.ts'
import type { AudioArrived, ClientAudioPart } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'

/** Reports to the server which parts of the sound are in storage. */
export interface PartTeller {
  /** The first part at once, later ones a few at a time. @throws {ApiError} 409 `audio_refused` */
  tell(part: ClientAudioPart): Promise<void>
  /** Reports the remaining parts, always including the last, and the number of all parts. */
  tellRest(partCount: number): Promise<void>
}

/** Two minutes of sound; on a fast line each call brings this much. */
const GROUP = 4
/** On a slow line nothing waits longer than this for its neighbours. */
const GROUP_WITHIN_MS = 1_000

interface TellerOptions {
  moduleId: string
  durationMs: number
  callApi: CallApi
  signal: AbortSignal
  persist: <T>(call: () => Promise<T>) => Promise<T>
}

export function openTeller({ moduleId, durationMs, callApi, signal, persist }: TellerOptions): PartTeller {
  const path = `/api/upload/${encodeURIComponent(moduleId)}/audio`
  const arrived: ClientAudioPart[] = []
  let toldAtMs = Number.NEGATIVE_INFINITY
  let isTelling = false
  let last: ClientAudioPart | null = null
  const isDue = () => arrived.length >= GROUP || performance.now() - toldAtMs >= GROUP_WITHIN_MS
  async function post(partCount: number | null): Promise<void> {
    const body = { durationMs, parts: arrived.splice(0, UPLOAD_URLS_MAX), partCount } satisfies AudioArrived
    await persist(() => callApi({ path, method: 'POST', body, schema: Done, signal }))
    toldAtMs = performance.now()
  }
  async function tell(part: ClientAudioPart): Promise<void> {
    arrived.push(part)
    if (last === null || part.part > last.part) last = part
    if (isTelling || !isDue()) return
    isTelling = true
    try {
      while (arrived.length > 0 && isDue()) await post(null)
    } finally {
      isTelling = false
    }
  }
  async function tellRest(partCount: number): Promise<void> {
    while (arrived.length > UPLOAD_URLS_MAX) await post(null)
    // The last part is reported twice if need be, because it shows whether the sound reaches the end of the video.
    if (last !== null && !arrived.includes(last)) arrived.push(last)
    await post(partCount)
  }
  return { tell, tellRest }
}
