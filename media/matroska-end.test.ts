import { describe, expect, it } from 'vitest'
import { joinBytes } from './audio-chunk.ts'
import { findMatroskaEnd } from './matroska-end.ts'
import { readMediaFacts } from './read-facts.ts'
import { cutAll, pickMedia } from './testing/cut-all.ts'
import { type MadeContainer, makeMedia, steadyPackets } from './testing/make-media.ts'

const ascii = (text: string) => new TextEncoder().encode(text)

/** What has been seen behind the last element of recordings. */
const TRAILERS: [string, Uint8Array][] = [
  ['zeros', new Uint8Array(4096)],
  ['text', ascii('https://example.org/device/info?id=0000&serial=none')],
  ['a box of an MP4', Uint8Array.from([0xff, 0xff, 0xff, 0xff, ...ascii('free'), 1, 2, 3])],
  ['an element of unknown size', Uint8Array.from([0xec, 0xff, ...ascii('padding')])],
  ['one byte', Uint8Array.from([0x1f])],
]

describe.each(['webm', 'mkv', 'live'] satisfies MadeContainer[])('findMatroskaEnd of %s', (container) => {
  it('is the end of a file that has nothing behind it', async () => {
    const bytes = await makeMedia(container, steadyPackets(300))
    expect(await findMatroskaEnd(pickMedia(bytes)())).toEqual({ end: bytes.byteLength, patch: null })
  })

  it('is the end of what arrived of a file that breaks off', async () => {
    const bytes = (await makeMedia(container, steadyPackets(300))).slice(0, -10)
    expect(await findMatroskaEnd(pickMedia(bytes)())).toEqual({ end: bytes.byteLength, patch: null })
  })

  it.each(TRAILERS)('is before %s, and the file is read as without it', async (_, trailer) => {
    const bytes = await makeMedia(container, steadyPackets(300))
    const open = pickMedia(joinBytes([bytes, trailer]))
    const facts = await readMediaFacts(open())
    expect(facts).toEqual(await readMediaFacts(pickMedia(bytes)()))
    const { chunks } = await cutAll({ open, facts, chunkMs: 2_000 })
    expect(chunks).toEqual((await cutAll({ open: pickMedia(bytes), facts, chunkMs: 2_000 })).chunks)
  })

  it('hides nothing that goes on behind damage', async () => {
    const bytes = await makeMedia(container, steadyPackets(300))
    const goesOn = joinBytes([bytes, new Uint8Array(5_000), Uint8Array.from([0x1f, 0x43, 0xb6, 0x75]), ascii('rest')])
    expect((await findMatroskaEnd(pickMedia(goesOn)())).end).toBe(goesOn.byteLength)
  })
})

it('finds the end of a long recording without reading it through', async () => {
  const bytes = await makeMedia('live', steadyPackets(20_000), undefined, { paddingBytes: 2_000 })
  const source = pickMedia(joinBytes([bytes, new Uint8Array(100)]))()
  expect((await findMatroskaEnd(source)).end).toBe(bytes.byteLength)
  expect(source.fetchedBytes).toBeLessThan(bytes.byteLength / 8)
})

it('takes no picture that holds the name of a cluster for one', async () => {
  const bytes = await makeMedia('live', steadyPackets(300))
  const name = Uint8Array.from([0x1f, 0x43, 0xb6, 0x75, 0x81, 0x00])
  const block = joinBytes([Uint8Array.from([0xa3, 0x80 + 4 + name.byteLength, 0x81, 0, 0, 0]), name])
  const open = pickMedia(joinBytes([bytes, block, new Uint8Array(100)]))
  expect((await findMatroskaEnd(open())).end).toBe(bytes.byteLength + block.byteLength)
})

it('has the audio of the last cluster of a recording that breaks off in it', async () => {
  const bytes = await makeMedia('mkv', steadyPackets(300))
  // Recorders name the size of each cluster, but not that of the segment before they have ended.
  const sizeAt = 4 + Buffer.from(bytes).indexOf(Uint8Array.from([0x18, 0x53, 0x80, 0x67]))
  bytes.set([0x07, 0xff, 0xff, 0xff, 0xff, 0xff], sizeAt)
  const lastCluster = Buffer.from(bytes).lastIndexOf(Uint8Array.from([0x1f, 0x43, 0xb6, 0x75]))
  const open = pickMedia(bytes.slice(0, lastCluster - 20))
  const facts = await readMediaFacts(open())
  // The last cluster would begin 64 ms later, of which a packet is missing in the one before.
  const { chunks } = await cutAll({ open, facts, chunkMs: 2_000 })
  expect(Math.max(...chunks.map(({ audioStartMs, audioDurationMs }) => audioStartMs + audioDurationMs))).toBe(18_368)
})
