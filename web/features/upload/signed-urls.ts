import { PRESIGNED_URL_TTL_S } from '#contract/limits.ts'
import type { UrlsAnswer } from '#contract/upload.ts'
import type { FilePut, PutAnswer, PutFile } from './put-file.ts'

/** Few calls, and few enough addresses that most are used before they expire on a slow connection. */
const URLS_BATCH = 20
/** Room for a clock that is a little off and for the request's own way. */
const MARGIN_S = 60
const EXPIRED = 403

type SignedPut = Omit<FilePut, 'url'>

interface SignedUrlsOptions {
  putFile: PutFile
  load: (numbers: number[], file: Blob) => Promise<UrlsAnswer>
  /** Numbers that are due after this one, so that one call brings addresses for several. */
  listNext?: (number: number) => number[]
  nowMs?: () => number
}

/** Sends the pieces of one upload to signed URLs, which are cached by number until they expire. */
export class SignedUrls {
  private readonly entries = new Map<number, { answer: Promise<UrlsAnswer>; freshUntilMs: number }>()
  private readonly options: Required<SignedUrlsOptions>

  constructor(options: SignedUrlsOptions) {
    this.options = { listNext: () => [], nowMs: Date.now, ...options }
  }

  /** Tries once more with a fresh address, because one that is refused is most likely too old. */
  async put(number: number, put: SignedPut): Promise<PutAnswer> {
    const answer = await this.putOnce(number, put)
    if (answer.status !== EXPIRED) return answer
    this.entries.delete(number)
    return this.putOnce(number, put)
  }

  private async putOnce(number: number, put: SignedPut): Promise<PutAnswer> {
    const url = await this.getUrl(number, put.file)
    put.signal.throwIfAborted()
    return this.options.putFile({ ...put, url })
  }

  private async getUrl(number: number, file: Blob): Promise<string> {
    const { answer } = this.findFresh(number) ?? this.request(number, file)
    const url = (await answer).urls.find((each) => each.number === number)?.url
    if (url !== undefined) return url
    this.entries.delete(number)
    // not-shown: for developers.
    throw new Error(`There is no address for number ${number}`)
  }

  private findFresh(number: number) {
    const entry = this.entries.get(number)
    return entry && entry.freshUntilMs > this.options.nowMs() ? entry : null
  }

  private request(number: number, file: Blob) {
    const { load, listNext, nowMs } = this.options
    const others = listNext(number).filter((other) => this.findFresh(other) === null)
    const numbers = [number, ...others].slice(0, URLS_BATCH)
    const freshUntilMs = nowMs() + (PRESIGNED_URL_TTL_S - MARGIN_S) * 1000
    const requested = { answer: load(numbers, file), freshUntilMs }
    for (const each of numbers) this.entries.set(each, requested)
    requested.answer.catch(() => {
      for (const each of numbers) if (this.entries.get(each) === requested) this.entries.delete(each)
    })
    return requested
  }
}
