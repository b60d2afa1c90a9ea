// Behaviour: browser and server cut the same audio chunks from the same file.
import { env } from 'cloudflare:workers'
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, MkvOutputFormat, Output } from 'mediabunny'
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '#media/read-facts.ts'
import { BlobWindow, type ByteWindow } from '#media/source/byte-window.ts'
import { bytesOf, cutAll, pickMedia } from '#media/testing/cut-all.ts'
import { makeChunk, packetMsOf } from '#media/testing/make-chunk.ts'
import { type MadeContainer, makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { storeMedia } from '../testing/store-media.ts'

const CONTAINERS: MadeContainer[] = ['mp4', 'fragmented', 'mov', 'webm', 'live', 'mkv']

/** Videos as ffmpeg writes them, by name; as `data:` URLs. */
const FIXTURES = import.meta.glob('../../../../local/media/fixtures/*.{mp4,webm,mov,mkv}', {
  query: '?inline',
  import: 'default',
  eager: true,
})

/** MP3 frames in an MKV. */
async function makeMp3(frames: Uint8Array[]): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new MkvOutputFormat(), target })
  const track = new EncodedAudioPacketSource('mp3')
  output.addAudioTrack(track)
  await output.start()
  const decoderConfig = { codec: 'mp3', sampleRate: 48_000, numberOfChannels: 1 }
  const lengthS = packetMsOf('audio/mpeg') / 1000
  for (const [i, frame] of frames.entries()) {
    await track.add(new EncodedPacket(frame, 'key', i * lengthS, lengthS), { decoderConfig })
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

/** What takes the server several messages is one walk in the browser. */
async function cutBy(open: () => ByteWindow): Promise<string[]> {
  const facts = await readMediaFacts(open())
  const sliceMs = open() instanceof BlobWindow ? Number.POSITIVE_INFINITY : 60_000
  const { chunks } = await cutAll({ open, facts, sliceMs })
  return Promise.all(chunks.map(async ({ bytes, ...facts }) => `${JSON.stringify(facts)} ${await digestOf(bytes)}`))
}

/** Comparing megabytes one by one takes longer than cutting them. */
async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))).join()
}

async function expectSameChunks(bytes: Uint8Array): Promise<string[]> {
  const stored = await cutBy(await storeMedia(env.MEDIA, bytes))
  expect(await cutBy(pickMedia(bytes))).toEqual(stored)
  return stored
}

describe('the chunks that a browser cuts from a picked file', () => {
  it.each(CONTAINERS)(
    'the chunks that a browser cuts from a picked file are byte for byte the ones that the server cuts from the stored %s',
    async (container) => {
      const packets = steadyPackets(4000, (i) => 20 + ((i * 7919) % 97))
      expect((await expectSameChunks(await makeMedia(container, packets))).length).toBeGreaterThan(8)
    },
  )

  it('the chunks that a browser cuts from a picked file are the same for MP3', async () => {
    const { packets } = makeChunk(
      'audio/mpeg',
      Array.from({ length: 8000 }, (_, i) => (i * 37) % 200),
    )
    expect((await expectSameChunks(await makeMp3(packets.map(({ bytes }) => bytes)))).length).toBeGreaterThan(5)
  })

  it.each(Object.entries(FIXTURES))(
    'the chunks that a browser cuts from a picked file are the same for %s',
    async (_, dataUrl) => {
      await expectSameChunks(await bytesOf(dataUrl))
    },
  )
})
