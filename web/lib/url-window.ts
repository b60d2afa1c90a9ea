import { ByteWindow, type Fetch } from '#media/source/byte-window.ts'

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

  protected async fetch({ start, length }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await (await fetchRange(this.#url, start, length)).arrayBuffer())
  }
}

async function fetchRange(url: string, start: number, length: number): Promise<Response> {
  const answer = await fetch(url, { headers: { range: `bytes=${start}-${start + length - 1}` } })
  // not-shown: for developers.
  if (answer.status !== 206) throw new Error(`The video could not be read: ${answer.status}`)
  return answer
}
