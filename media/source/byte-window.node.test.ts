import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { BlobWindow } from './byte-window.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** A file whose storage never answers, and which readers its streams were given. */
function silentBlob(readers: WeakRef<object>[]): Blob {
  const stream = new ReadableStream({ type: 'bytes', pull: () => new Promise(() => {}) })
  const getReader = () => {
    const reader = stream.getReader({ mode: 'byob' })
    readers.push(new WeakRef(reader))
    return reader
  }
  return Object.assign(new Blob(['content']), { slice: () => ({ stream: () => ({ getReader }) }) })
}

/** Begins to read in some way, and keeps nothing of it but whether its reader is still there. */
async function isKept(begin: (blob: Blob) => unknown): Promise<boolean> {
  const readers: WeakRef<object>[] = []
  begin(silentBlob(readers))
  await turn()
  collectGarbage()
  await turn()
  return readers[0]?.deref() !== undefined
}

it('keeps the reader of a read that is awaited, which a browser may collect otherwise', async () => {
  const readPlainly = (blob: Blob) => blob.slice().stream().getReader({ mode: 'byob' }).read(new Uint8Array(7))
  expect(await isKept(readPlainly)).toBe(false)
  expect(await isKept((blob) => new BlobWindow(blob).read(0, 7))).toBe(true)
})
