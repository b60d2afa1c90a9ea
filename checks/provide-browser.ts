// Set-up of the web tests: what every browser has and jsdom, in a context of its own, has not.
import { webcrypto } from 'node:crypto'
import * as streams from 'node:stream/web'

if (crypto.subtle === undefined) Object.defineProperty(globalThis, 'crypto', { value: webcrypto })

for (const [name, value] of Object.entries(streams)) {
  if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

if (typeof Blob.prototype.stream !== 'function')
  Blob.prototype.stream = function stream(this: Blob) {
    const read = this.arrayBuffer()
    return new ReadableStream({
      start: async (controller) => {
        controller.enqueue(new Uint8Array(await read))
        controller.close()
      },
    })
  }
