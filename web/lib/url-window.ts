import pRetry from 'p-retry'
import { ByteWindow, type Fetch } from '#media/source/byte-window.ts'

/** Half a minute: a router that restarts, a machine that has just woken up, a right that its page is about to renew. */
const RETRIES = { retries: 5, minTimeout: 1_000 }

/** A stored video, read from its address in byte ranges. */
export class UrlWindow extends ByteWindow {
  readonly #url: string

  private constructor(url: string, sizeBytes: number, readers: number) {
    super(sizeBytes, readers)
    this.#url = url
  }

  /** @param readers as of {@link ByteWindow} @throws when the address leads to no video */
  static async open(url: string, readers = 1): Promise<UrlWindow> {
    const answer = await fetchRange(url, 0, 1)
    const size = /\/(\d+)$/.exec(answer.headers.get('content-range') ?? '')?.[1]
    // not-shown: for developers.
    if (size === undefined) throw new Error(`The video did not say its size: ${answer.status}`)
    await answer.body?.cancel()
    return new UrlWindow(url, Number(size), readers)
  }

  protected fetch({ start, length }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    // Work of hours reads on from here.
    return pRetry(() => readRange(this.#url, start, length), RETRIES)
  }
}

async function readRange(url: string, start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const answer = await fetchRange(url, start, length)
    return new Uint8Array(await answer.arrayBuffer())
  } catch (error) {
    // Browsers say in words of their own that a line broke within an answer; those it does not know end p-retry.
    throw error instanceof TypeError ? new Error(error.message, { cause: error }) : error
  }
}

async function fetchRange(url: string, start: number, length: number): Promise<Response> {
  const answer = await fetch(url, { headers: { range: `bytes=${start}-${start + length - 1}` } })
  // not-shown: for developers.
  if (answer.status !== 206) throw new Error(`The video could not be read: ${answer.status}`)
  return answer
}
