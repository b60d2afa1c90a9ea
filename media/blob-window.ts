import { ByteWindow, type Fetch } from './byte-window.ts'

/** Random access over a file that a person has picked. */
export class BlobWindow extends ByteWindow {
  readonly #blob: Blob

  constructor(blob: Blob) {
    super(blob.size)
    this.#blob = blob
  }

  /** Fails when the file has been changed, moved or locked since it was picked. */
  protected async fetch({ start, length, spare }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    // A blob brings its own buffer; without this there would be two of them until somebody collects.
    spare?.transfer(0)
    return new Uint8Array(await this.#blob.slice(start, start + length).arrayBuffer())
  }
}
