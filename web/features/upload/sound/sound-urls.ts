import { type AudioUrlsRequest, UrlsAnswer } from '#contract/upload.ts'
import type { CallApi } from '#web/lib/api-context.tsx'
import type { SoundFacts } from './cut-sound.ts'

/** Addresses for the parts of a module's sound. */
export interface SoundUrls {
  /** @param sizeBytes signed into the address, so the address is requested after the part has been cut */
  get(part: number, sizeBytes: number): Promise<string>
  /** The address is no longer valid; the next call requests a new one. */
  forget(part: number): void
}

interface UrlsOptions {
  moduleId: string
  facts: SoundFacts
  callApi: CallApi
  signal: AbortSignal
}

/** Requests each address when its part is due, and keeps it while the part is retried. */
export function openSoundUrls({ moduleId, facts, callApi, signal }: UrlsOptions): SoundUrls {
  const kept = new Map<number, Promise<string>>()
  async function ask(part: number, sizeBytes: number): Promise<string> {
    const body = { parts: [{ part, sizeBytes }], contentType: facts.contentType } satisfies AudioUrlsRequest
    const path = `/api/upload/${encodeURIComponent(moduleId)}/audio-urls`
    const { urls } = await callApi({ path, method: 'POST', body, schema: UrlsAnswer, signal })
    const url = urls.find((each) => each.part === part)?.url
    if (url === undefined) throw new Error(`There is no address for part ${part}`)
    return url
  }
  async function get(part: number, sizeBytes: number): Promise<string> {
    const asked = kept.get(part) ?? ask(part, sizeBytes)
    kept.set(part, asked)
    try {
      return await asked
    } catch (error) {
      kept.delete(part)
      throw error
    }
  }
  return { get, forget: (part) => void kept.delete(part) }
}
