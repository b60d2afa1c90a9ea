import { type AudioUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import type { AudioFacts } from './cut-audio.ts'

/** Addresses for the parts of a module's audio. */
export interface AudioUrls {
  /** @param sizeBytes signed into the address, so the address is requested after the chunk has been cut */
  get(chunk: number, sizeBytes: number): Promise<string>
  /** The address is no longer valid; the next call requests a new one. */
  forget(chunk: number): void
}

interface UrlsOptions {
  moduleId: string
  facts: AudioFacts
  callApi: CallApi
  signal: AbortSignal
}

/** Requests each address when its chunk is due, and keeps it while the chunk is retried. */
export function openAudioUrls({ moduleId, facts, callApi, signal }: UrlsOptions): AudioUrls {
  const kept = new Map<number, Promise<string>>()
  async function ask(chunk: number, sizeBytes: number): Promise<string> {
    const body = { chunks: [{ chunk, sizeBytes }], contentType: facts.contentType } satisfies AudioUrlsRequest
    const path = `/api/upload/${encodeURIComponent(moduleId)}/audio-urls`
    const { urls } = await callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
    const url = urls.find((each) => each.number === chunk)?.url
    if (url === undefined) throw new Error(`There is no address for chunk ${chunk}`)
    return url
  }
  async function get(chunk: number, sizeBytes: number): Promise<string> {
    const asked = kept.get(chunk) ?? ask(chunk, sizeBytes)
    kept.set(chunk, asked)
    try {
      return await asked
    } catch (error) {
      kept.delete(chunk)
      throw error
    }
  }
  return { get, forget: (chunk) => void kept.delete(chunk) }
}
