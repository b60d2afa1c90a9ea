import { UPLOAD_URLS_MAX } from '#contract/limits.ts'
import { type AudioUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import type { SoundFacts } from './cut-sound.ts'

/** Addresses for the parts of a module's sound. */
export interface SoundUrls {
  get(part: number): Promise<string>
  /** The address is not good any more; it is asked for anew. */
  forget(part: number): void
}

/** Ten minutes of sound; on a slow line the later addresses would have expired when their turn comes. */
const BATCH = Math.min(20, UPLOAD_URLS_MAX)
/** Where it is quiet decides where parts end, so there may be some more than expected. */
const SPARE = 2

interface UrlsOptions {
  moduleId: string
  facts: SoundFacts
  callApi: CallApi
  signal: AbortSignal
}

/** Asks for addresses in batches, each when its first part is due. */
export function openSoundUrls({ moduleId, facts, callApi, signal }: UrlsOptions): SoundUrls {
  const batches = new Map<number, Promise<Map<number, string>>>()
  async function ask(from: number): Promise<Map<number, string>> {
    const count = Math.min(BATCH, Math.max(1, facts.estimatedParts + SPARE - from))
    const body = { from, count, contentType: facts.contentType } satisfies AudioUrlsRequest
    const path = `/api/upload/${encodeURIComponent(moduleId)}/audio-urls`
    const { urls } = await callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
    return new Map(urls.map(({ part, url }) => [part, url]))
  }
  async function get(part: number): Promise<string> {
    const from = part - (part % BATCH)
    const batch = batches.get(from) ?? ask(from)
    batches.set(from, batch)
    try {
      const url = (await batch).get(part)
      return url ?? (await ask(part)).get(part) ?? missing(part)
    } catch (error) {
      batches.delete(from)
      throw error
    }
  }
  return { get, forget: (part) => void batches.delete(part - (part % BATCH)) }
}

function missing(part: number): never {
  throw new Error(`There is no address for part ${part}`)
}
