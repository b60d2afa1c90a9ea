import { EncodedPacketSink, type InputTrack } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { partsOf, readEarlyIndex } from './early-index.ts'
import { openMedia } from './open-media.ts'
import { bytesOf, pickMedia } from './testing/cut-all.ts'
import { makeMedia, steadyPackets } from './testing/make-media.ts'

/** As ffmpeg writes it; as a `data:` URL. */
const [LATE = ''] = Object.values(
  import.meta.glob('../local/media/fixtures/moov-at-end.mp4', { query: '?inline', import: 'default', eager: true }),
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
