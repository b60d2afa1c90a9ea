import { describe, expect, it } from 'vitest'
import type { AudioChunk } from './audio-chunk.ts'
import { readMediaFacts } from './read-facts.ts'
import { cutAll, pickMedia } from './testing/cut-all.ts'
import { readPackets } from './testing/make-chunk.ts'
import { type MadeContainer, type MadePacket, makeMedia, steadyPackets } from './testing/make-media.ts'

const LENGTHS = { chunkMs: 3000, overlapMs: 500 }
const LOUD = 120
const QUIET = 10

/** Cuts a file whose further tracks are speakers; what a packet holds begins with the time of it, see `makeMedia`. */
async function cut(container: MadeContainer, [first = [], ...others]: MadePacket[][], lengths = {}) {
  const open = pickMedia(await makeMedia(container, first, undefined, { others }))
  const facts = await readMediaFacts(open())
  if (facts.audio === null) throw new Error('no audio')
  const speakerIds = others.map((_, at) => (facts.audio?.trackId ?? 0) + at + 1)
  return cutAll({ open, facts: { ...facts, audio: { ...facts.audio, speakerIds } }, ...LENGTHS, ...lengths })
}

/** The files of a chunk, with what each says of itself. */
function split({ bytes, parts, ...first }: AudioChunk) {
  let at = parts.reduce((left, { sizeBytes }) => left - sizeBytes, bytes.byteLength)
  const files = [{ ...first, file: bytes.subarray(0, at) }]
  for (const part of parts) files.push({ ...first, ...part, file: bytes.subarray(at, (at += part.sizeBytes)) })
  return files
}

async function timesOf(file: Uint8Array): Promise<number[]> {
  const packets = await readPackets(file)
  return packets.map((packet) => new DataView(packet.buffer, packet.byteOffset).getFloat64(8))
}

const between = (packets: MadePacket[], fromMs: number, untilMs: number) =>
  packets.filter(({ startMs }) => startMs >= fromMs && startMs < untilMs)

describe('TrackQueues', () => {
  it.each(['mp4', 'fragmented', 'webm', 'mkv'] as const)(
    'cuts a %s into a file for each track at its time, the same whatever the slices',
    async (container) => {
      const tracks = [steadyPackets(200, (i) => i % 150), steadyPackets(190, (i) => (i * 7) % 150)]
      const whole = await cut(container, tracks)
      expect(whole.chunks.length).toBeGreaterThan(3)
      expect((await cut(container, tracks, { sliceMs: 4_000 })).chunks).toEqual(whole.chunks)
      for (const [track, packets] of tracks.entries()) {
        const times = new Set<number>()
        for (const chunk of whole.chunks) {
          const file = split(chunk)[track]
          if (file === undefined) continue
          const ofFile = await timesOf(file.file)
          expect(ofFile[0]).toBe(file.audioStartMs)
          // The last packet of a cluster has no length in the file: its own is 4 ms less.
          expect(Math.abs(file.audioDurationMs - ofFile.length * 64)).toBeLessThan(5)
          for (const time of ofFile) times.add(time)
        }
        expect(packets.filter(({ startMs }) => !times.has(startMs))).toEqual([])
      }
    },
  )

  it('cuts where it is quiet in all tracks', async () => {
    const isPause = (i: number) => i % 40 >= 34
    const first = steadyPackets(700, (i) => (isPause(i) || i % 40 < 20 ? QUIET : LOUD))
    const second = steadyPackets(700, (i) => (isPause(i) || i % 40 >= 20 ? QUIET : LOUD))
    const { chunks } = await cut('mp4', [first, second], { chunkMs: 10_000 })
    expect(chunks.length).toBeGreaterThan(3)
    for (const { endMs } of chunks.slice(0, -1)) expect(isPause(Math.round(endMs / 64))).toBe(true)
  })

  it('has a file for each part of a track that pauses, and cuts no other track there', async () => {
    const steady = steadyPackets(200)
    const pausing = [...between(steady, 500, 1_000), ...between(steady, 1_800, 2_300), ...between(steady, 9_000, 9_500)]
    const { chunks } = await cut('mkv', [steady, pausing])
    const alone = await cut('mkv', [steady])
    expect(chunks.map(({ endMs }) => endMs)).toEqual(alone.chunks.map(({ endMs }) => endMs))
    const files = chunks.flatMap((chunk) => split(chunk).slice(1))
    expect(files.map(({ audioStartMs }) => audioStartMs)).toEqual([512, 1_856, 9_024])
    for (const { file, audioStartMs } of files) expect((await timesOf(file))[0]).toBe(audioStartMs)
  })

  it('begins with the track that begins first, and goes on with the one that is left', async () => {
    const steady = steadyPackets(200)
    const { chunks } = await cut('mkv', [between(steady, 4_000, 20_000), between(steady, 0, 8_000)])
    const files = chunks.flatMap(split)
    expect(chunks[0]).toMatchObject({ startMs: 0, audioStartMs: 0 })
    expect(Math.max(...files.map(({ audioStartMs, audioDurationMs }) => audioStartMs + audioDurationMs))).toBe(12_800)
    expect(chunks.at(-1)?.parts).toEqual([])
  })
})
