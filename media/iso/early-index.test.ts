import { EncodedPacketSink, type InputTrack } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { openMedia } from '../open-media.ts'
import { ByteWindow, type Fetch } from '../source/byte-window.ts'
import { bytesOf, pickMedia } from '../testing/cut-all.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'
import { partsOf, readEarlyIndex } from './early-index.ts'

/** As ffmpeg writes it; as a `data:` URL. */
const [LATE = ''] = Object.values(
  import.meta.glob('../../local/media/fixtures/moov-at-end.mp4', { query: '?inline', import: 'default', eager: true }),
)

function indexOf(bytes: Uint8Array) {
  return readEarlyIndex(pickMedia(bytes)())
}

/** The bytes of a range, as they are served. */
async function serve(bytes: Uint8Array, range = { offset: 0, length: bytes.byteLength }): Promise<Uint8Array> {
  const found = await indexOf(bytes)
  if (found === null) throw new Error('The index was not found')
  const parts = partsOf(found.move, range).map(({ of, offset, length }) =>
    (of === 'first' ? found.first : bytes).subarray(offset, offset + length),
  )
  return new Uint8Array(await new Blob(parts.map((part) => part.slice())).arrayBuffer())
}

const textAt = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

async function packetsOf(track: InputTrack) {
  const packets = []
  for await (const packet of new EncodedPacketSink(track).packets()) {
    packets.push({ type: packet.type, at: packet.timestamp, bytes: packet.data.join(' ') })
  }
  return packets
}

async function tracksOf(bytes: Uint8Array) {
  const tracks = await openMedia(pickMedia(bytes)()).getTracks()
  return Promise.all(tracks.map(packetsOf))
}

describe('readEarlyIndex', () => {
  it.each([
    ['of ffmpeg', () => bytesOf(LATE)],
    ['of a browser', () => makeMedia('late', steadyPackets(100), 'avc')],
  ])('serves a file %s with its index first and every packet of every track', async (_, make) => {
    const bytes = await make()
    const served = await serve(bytes)
    expect(served.byteLength).toBe(bytes.byteLength)
    const formatBytes = new DataView(bytes.buffer).getUint32(0)
    expect([textAt(served, 4), textAt(served, formatBytes + 4)]).toEqual(['ftyp', 'moov'])
    const packets = await tracksOf(bytes)
    expect(packets.every((track) => track.length > 0)).toBe(true)
    expect(await tracksOf(served)).toEqual(packets)
  })

  it.each(['mp4', 'fragmented', 'mov', 'webm', 'mkv'] as const)('leaves %s as it is', async (container) => {
    expect(await indexOf(await makeMedia(container, steadyPackets(100)))).toBeNull()
  })

  it.each([
    ['compressed', 'trak', 'cmov'],
    ['with places of encrypted samples', 'stsz', 'saio'],
    ['without places', 'stco', 'free'],
  ])('leaves a file as it is whose index is %s', async (_, box, other) => {
    const bytes = await makeMedia('late', steadyPackets(100))
    bytes.set(new TextEncoder().encode(other), findBox(bytes, box))
    expect(await indexOf(bytes)).toBeNull()
  })

  it.each([
    ['ends before its places do', 4, 0xffff_ffff],
    ['names places that no file has', 8, 1],
  ])('leaves nothing half changed where an index %s', async (_, behindName, value) => {
    const bytes = await makeMedia('late', steadyPackets(100))
    const at = findBox(bytes, 'stco') + 4
    new DataView(bytes.buffer).setUint32(at + behindName, value)
    const found = await indexOf(bytes)
    if (behindName === 4) return expect(found).toBeNull()
    // A place before the media is no sample's, and stays.
    const insertedAt = at - (found?.move.indexAt ?? 0) + (found?.move.insertAt ?? 0)
    expect(new DataView(found?.first.buffer ?? new ArrayBuffer(0)).getUint32(insertedAt + behindName)).toBe(value)
  })
})

/** A file whose media is empty up to its index, with one chunk at a place, in a table of 32 bits. */
class SparseFile extends ByteWindow {
  readonly #indexAt: number
  readonly #head = new Uint8Array(8 + 16)
  readonly #index = new Uint8Array(NESTED.length * 8 + 12)

  constructor(indexAt: number, place: number) {
    super(indexAt + NESTED.length * 8 + 12)
    this.#indexAt = indexAt
    const head = new DataView(this.#head.buffer)
    writeBox(this.#head, 0, 8, 'ftyp')
    writeBox(this.#head, 8, 1, 'mdat')
    head.setBigUint64(16, BigInt(indexAt - 8))
    for (const [depth, name] of NESTED.entries())
      writeBox(this.#index, depth * 8, this.#index.byteLength - depth * 8, name)
    new DataView(this.#index.buffer).setUint32(NESTED.length * 8 + 4, 1)
    new DataView(this.#index.buffer).setUint32(NESTED.length * 8 + 8, place)
  }

  protected async fetch({ start, length }: Fetch) {
    const bytes = new Uint8Array(length)
    for (const [from, part] of [
      [0, this.#head],
      [this.#indexAt, this.#index],
    ] as const)
      for (const [at, byte] of part.entries())
        if (from + at >= start && from + at < start + length) bytes[from + at - start] = byte
    return bytes
  }
}

const NESTED = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stco']

function writeBox(bytes: Uint8Array, at: number, sizeBytes: number, name: string): void {
  new DataView(bytes.buffer).setUint32(at, sizeBytes)
  bytes.set(new TextEncoder().encode(name), at + 4)
}

describe('a file of more than 4 GB whose places have 32 bits', () => {
  const INDEX_BYTES = NESTED.length * 8 + 12
  it.each([
    ['is served with its index first where the last place still fits', 2 ** 32 - 1 - INDEX_BYTES, 2 ** 32 - 1],
    ['is left as it is where the last place no longer fits', 2 ** 32 - INDEX_BYTES, null],
  ])('a file of more than 4 GB whose places have 32 bits: %s', async (_, place, moved) => {
    const found = await readEarlyIndex(new SparseFile(2 ** 33, place))
    expect(found && new DataView(found.first.buffer).getUint32(found.first.byteLength - 4)).toBe(moved)
  })
})

describe('partsOf', () => {
  it('gives every range the bytes that the whole has there', async () => {
    const bytes = await makeMedia('late', steadyPackets(100), 'avc')
    const found = await indexOf(bytes)
    const { insertAt = 0, indexAt = 0, indexBytes = 0 } = found?.move ?? {}
    const whole = await serve(bytes)
    const seams = [0, insertAt, insertAt + indexBytes, indexAt, indexAt + indexBytes, bytes.byteLength]
    for (const from of seams.flatMap((at) => [at - 1, at, at + 1])) {
      for (const to of seams.flatMap((at) => [at - 1, at, at + 1])) {
        if (from < 0 || to <= from || to > bytes.byteLength) continue
        expect(await serve(bytes, { offset: from, length: to - from })).toEqual(whole.slice(from, to))
      }
    }
  })
})

/** Where the name of the last box of that name stands. */
function findBox(bytes: Uint8Array, name: string): number {
  for (let at = bytes.byteLength - 4; at >= 0; at -= 1) if (textAt(bytes, at) === name) return at
  throw new Error(`There is no ${name}`)
}
