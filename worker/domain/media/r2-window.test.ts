import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { R2Window } from './r2-window.ts'
import { putObject, storeMedia } from './testing/store-media.ts'

const MIB = 1024 * 1024

function numbered(sizeBytes: number): Uint8Array {
  const bytes = new Uint8Array(sizeBytes)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at + 4 <= sizeBytes; at += 4) view.setUint32(at, at)
  return bytes
}

describe('R2Window', () => {
  it('gives exactly the bytes asked for, wherever they lie and in whatever order', async () => {
    const bytes = numbered(11 * MIB + 3)
    const open = await storeMedia(env.MEDIA, bytes)
    const span = fc.tuple(fc.nat(bytes.byteLength - 1), fc.oneof(fc.integer({ min: 1, max: 4096 }), fc.nat(6 * MIB)))
    await fc.assert(
      fc.asyncProperty(fc.array(span, { minLength: 1, maxLength: 6 }), async (spans) => {
        const source = open()
        for (const [start, length] of spans) {
          const end = Math.min(bytes.byteLength, start + Math.max(1, length))
          const read = await source.read(start, end)
          expect(read.byteLength).toBe(end - start)
          expect(indexOfDifference(read, bytes.subarray(start, end))).toBe(-1)
        }
      }),
      { numRuns: 12 },
    )
  })

  it('keeps reads apart that are asked for at the same time', async () => {
    const bytes = numbered(9 * MIB)
    const source = (await storeMedia(env.MEDIA, bytes))()
    const starts = [8 * MIB, 0, 4 * MIB - 2, 5 * MIB, 1]
    const reads = await Promise.all(starts.map(async (start) => source.read(start, start + 1000)))
    for (const [i, start] of starts.entries()) {
      expect(indexOfDifference(reads[i] ?? new Uint8Array(), bytes.subarray(start, start + 1000))).toBe(-1)
    }
  })

  it('reads a file from end to end in windows of 4 MiB', async () => {
    const source = (await storeMedia(env.MEDIA, numbered(20 * MIB)))()
    for (let at = 0; at < 20 * MIB; at += 10_000) await source.read(at, Math.min(at + 10_000, 20 * MIB))
    expect(source.reads).toBeLessThanOrEqual(6)
    expect(source.fetchedBytes).toBe(20 * MIB)
  })

  it('fetches little after a jump', async () => {
    const source = (await storeMedia(env.MEDIA, numbered(20 * MIB)))()
    await source.read(0, 100)
    await source.read(15 * MIB, 15 * MIB + 100)
    expect(source.fetchedBytes).toBe(4 * MIB + MIB / 4)
  })

  it('asks once for what it reads on through, also where its reader skips some, and gives the answer back', async () => {
    const bytes = numbered(20 * MIB)
    const etag = await putObject(env.MEDIA, 'media-test/streamed', bytes)
    const { bucket, ranges, openBodies } = watchBodies()
    const source = new R2Window({ bucket, key: 'media-test/streamed', etag, sizeBytes: bytes.byteLength })
    for (let at = 0; at < 14 * MIB; at += 700_000) {
      expect(indexOfDifference(await source.read(at, at + 9000), bytes.subarray(at, at + 9000))).toBe(-1)
    }
    expect(ranges).toEqual([
      { offset: 0, length: 4 * MIB },
      { offset: 4 * MIB, length: 16 * MIB },
    ])
    expect(openBodies()).toBe(1)
    await source.read(100, 200)
    expect(ranges.at(-1)).toEqual({ offset: 100, length: MIB / 4 })
    expect(openBodies()).toBe(0)
    await source.read(MIB / 4, MIB / 2)
    expect(openBodies()).toBe(1)
    source.release()
    expect(openBodies()).toBe(0)
  })

  it('asks again at once where an answer that was kept open breaks off or ends early, and once only', async () => {
    const bytes = numbered(20 * MIB)
    const etag = await putObject(env.MEDIA, 'media-test/broken-off', bytes)
    const { bucket, ranges, breakOff } = watchBodies()
    const source = new R2Window({ bucket, key: 'media-test/broken-off', etag, sizeBytes: bytes.byteLength })
    const readFrom = async (at: number) =>
      indexOfDifference(await source.read(at, at + 10), bytes.subarray(at, at + 10))
    for (const at of [0, 4 * MIB]) await readFrom(at)
    breakOff('fails')
    expect(await readFrom(8 * MIB)).toBe(-1)
    breakOff('ends')
    expect(await readFrom(12 * MIB)).toBe(-1)
    expect(ranges.slice(1)).toEqual([4, 8, 12].map((at) => ({ offset: at * MIB, length: (20 - at) * MIB })))
    breakOff('fails', 2)
    await expect(readFrom(16 * MIB)).rejects.toThrow('Network connection lost')
    expect(await readFrom(16 * MIB)).toBe(-1)
  })

  it('fails as source_missing when the object is gone', { tags: 'fault-38' }, async () => {
    const source = new R2Window({ bucket: env.MEDIA, key: 'media-test/none', etag: 'abc', sizeBytes: 10 })
    await expect(source.read(0, 10)).rejects.toMatchObject({ code: 'module_failed', failure: 'source_missing' })
  })

  it('fails as source_changed when the object was replaced', { tags: ['guarantee-G1', 'fault-5'] }, async () => {
    const etag = await putObject(env.MEDIA, 'media-test/replaced', 'the first bytes')
    await env.MEDIA.put('media-test/replaced', 'other bytes')
    const source = new R2Window({ bucket: env.MEDIA, key: 'media-test/replaced', etag, sizeBytes: 11 })
    await expect(source.read(0, 5)).rejects.toMatchObject({ code: 'module_failed', failure: 'source_changed' })
  })

  it('passes a fault of R2 on as it is, and reads again after it', { tags: 'fault-38' }, async () => {
    const etag = await putObject(env.MEDIA, 'media-test/flaky', 'some bytes')
    let calls = 0
    const bucket = new Proxy(env.MEDIA, {
      get: (target, name) =>
        name === 'get' && calls++ === 0
          ? () => Promise.reject(new Error('Network connection lost'))
          : Reflect.get(target, name).bind(target),
    })
    const source = new R2Window({ bucket, key: 'media-test/flaky', etag, sizeBytes: 10 })
    await expect(source.read(0, 4)).rejects.toThrow('Network connection lost')
    expect(new TextDecoder().decode(await source.read(0, 4))).toBe('some')
  })
})

/** The real bucket, whose answers are watched: what was asked for, and how many answers are still open. */
function watchBodies() {
  const ranges: unknown[] = []
  let open = 0
  let broken: { how: 'fails' | 'ends'; reads: number } = { how: 'fails', reads: 0 }
  const watch = (reader: ReadableStreamBYOBReader) =>
    new Proxy(reader, {
      get: (target, name) => {
        if (name === 'cancel') open--
        if (name === 'readAtLeast' && broken.reads > 0) {
          broken.reads--
          return broken.how === 'fails'
            ? () => Promise.reject(new Error('Network connection lost'))
            : (_least: number, into: Uint8Array) => Promise.resolve({ value: into.subarray(0, 1), done: false })
        }
        const member: unknown = Reflect.get(target, name)
        return typeof member === 'function' ? member.bind(target) : member
      },
    })
  const bucket = new Proxy(env.MEDIA, {
    get: (target, name) => {
      if (name !== 'get') return Reflect.get(target, name).bind(target)
      return async (key: string, options: R2GetOptions & { onlyIf: R2Conditional }) => {
        const object = await target.get(key, options)
        ranges.push(options.range)
        open++
        const { body } = object as R2ObjectBody
        return { body: { getReader: () => watch(body.getReader({ mode: 'byob' })) } }
      }
    },
  })
  const breakOff = (how: typeof broken.how, reads = 1) => void (broken = { how, reads })
  return { bucket, ranges, openBodies: () => open, breakOff }
}

/** A plain loop: megabytes go through here. */
function indexOfDifference(a: Uint8Array, b: Uint8Array): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i
  return -1
}
