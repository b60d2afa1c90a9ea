// Behaviour: fragments are read through once, however often their tracks are looked at.
import { expect, it } from 'vitest'
import { cutAudioSlice } from '../cut-audio.ts'
import { readMediaFacts } from '../read-facts.ts'
import { pickMedia } from '../testing/cut-all.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'

/** Ten minutes of two tracks in fragments of a second: 124 MB, which is as much as a video of them has. */
const PACKETS = 9_375
const PADDING_BYTES = 6_570

it('reads fragments through once to choose one of two tracks, and once to cut it', async () => {
  const packets = steadyPackets(PACKETS, (index) => index % 200)
  const bytes = await makeMedia('fragmented', packets, undefined, { tracks: 2, paddingBytes: PADDING_BYTES })
  const open = pickMedia(bytes)
  const source = open()
  const facts = await readMediaFacts(source)
  expect(source.fetchedBytes).toBeLessThan(1.3 * bytes.byteLength)
  let fetchedBytes = 0
  let slices = 0
  for (let fromMs: number | null = 0, firstChunk = 0; fromMs !== null; slices++) {
    const slice = open()
    const end = await cutAudioSlice({ source: slice, facts, fromMs, firstChunk, saveChunk: async () => {} })
    fetchedBytes += slice.fetchedBytes
    fromMs = end.nextMs
    firstChunk = end.nextChunk
  }
  expect(slices).toBe(2)
  // The second slice passes the first minute again, and each begins with a window that the index fills only in part.
  expect(fetchedBytes).toBeLessThan(1.25 * bytes.byteLength)
})
