import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '../read-facts.ts'
import { BlobWindow, WINDOW_BYTES } from './byte-window.ts'

const SIZE_BYTES = 2 * WINDOW_BYTES + 1000

function numbered(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(SIZE_BYTES)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 7919) >> 5
  return bytes
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && one.every((byte, i) => byte === other[i])
}

/** A file of which only plain reading is known, as in browsers whose blobs have no stream of bytes. */
function withoutByteStream(blob: Blob): Blob {
  return new Proxy(blob, {
    get: (target, name) => {
      if (name === 'slice') return (...span: [number, number]) => withoutByteStream(target.slice(...span))
      if (name === 'stream') return () => new ReadableStream()
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

describe('BlobWindow', () => {
  it.each([
    ['of bytes', (blob: Blob) => blob],
    ['of none', withoutByteStream],
  ])('gives exactly the bytes asked for from a file with a stream %s', async (_, open) => {
    const bytes = numbered()
    const source = new BlobWindow(open(new Blob([bytes])))
    const spans = [
      [0, 100],
      [WINDOW_BYTES - 50, WINDOW_BYTES + 50],
      [SIZE_BYTES - 10, SIZE_BYTES],
      [5, SIZE_BYTES],
    ] as const
    for (const [start, end] of spans) {
      expect(isSame(await source.read(start, end), bytes.subarray(start, end)), `${start}–${end}`).toBe(true)
    }
  })

  it('reads two places that go through a file side by side without refilling for each', async () => {
    const bytes = numbered()
    const source = new BlobWindow(new Blob([bytes]), 2)
    const [step, apart] = [64 * 1024, 1024 * 1024]
    for (let at = 0; at + apart + step <= SIZE_BYTES; at += step) {
      for (const start of [at + apart, at]) {
        expect(isSame(await source.read(start, start + step), bytes.subarray(start, start + step)), `${start}`).toBe(
          true,
        )
      }
    }
    expect(source.fetchedBytes).toBeLessThan(3 * SIZE_BYTES)
  })

  it('never takes a file that cannot be read any more for a broken one', async () => {
    const blob = new Blob([numbered()])
    const lost = new DOMException('The file was moved', 'NotReadableError')
    const stream = () => new ReadableStream({ type: 'bytes', pull: (controller) => controller.error(lost) })
    blob.slice = () => Object.assign(new Blob(), { stream })
    await expect(readMediaFacts(new BlobWindow(blob))).rejects.toBe(lost)
  })
})
