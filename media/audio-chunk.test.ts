import { expect, it } from 'vitest'
import { chunkMsAt, estimateChunkCount, findAudioFormat, joinBytes, readAudioKind } from './audio-chunk.ts'

const trackOf = (change: object, codec: string | null = 'opus') => {
  const config = { codec, sampleRate: 48_000, numberOfChannels: 2, ...change }
  return { getCodec: async () => codec, getDecoderConfig: async () => config } as never
}

it('makes short chunks first', () => {
  expect([0, 1, 2, 500].map(chunkMsAt)).toEqual([10_000, 20_000, 30_000, 30_000])
})

it('estimates how many chunks a recording makes, at least one', () => {
  expect([0, 1_000, 30_000, 44_000, 46_000, 90_000].map(estimateChunkCount)).toEqual([1, 1, 2, 2, 3, 4])
})

it('carries each codec in its container, and mixes PCM down', () => {
  const typeOf = (codec: Parameters<typeof findAudioFormat>[0]) => findAudioFormat(codec)?.contentType ?? null
  expect((['aac', 'flac'] as const).map(typeOf)).toEqual(['audio/mp4', 'audio/mp4'])
  expect((['opus', 'vorbis', 'mp3'] as const).map(typeOf)).toEqual(['audio/ogg', 'audio/ogg', 'audio/mpeg'])
  expect((['pcm-s16', 'ulaw', 'alaw'] as const).map(typeOf)).toEqual(['audio/wav', 'audio/wav', 'audio/wav'])
  expect(([null, 'ac3'] as const).map(typeOf)).toEqual([null, null])
})

it('takes a longer packet for louder, twice the length for one more', () => {
  const loudness = (bytes: number) => findAudioFormat('opus')?.loudness?.(new Uint8Array(bytes))
  expect([0, 1, 3, 7].map(loudness)).toEqual([0, 1, 2, 3])
})

it.each<[string, good: object[], bad: object[]]>([
  ['rate', [{ sampleRate: 4_000 }, { sampleRate: 384_000 }], [{ sampleRate: 3_999 }, { sampleRate: 384_001 }]],
  [
    'number of channels',
    [{ numberOfChannels: 1 }, { numberOfChannels: 255 }],
    [{ numberOfChannels: 0 }, { numberOfChannels: 256 }],
  ],
])('refuses audio of a %s that cannot be', async (_, good, bad) => {
  for (const change of good) expect(await readAudioKind(trackOf(change))).toMatchObject({ config: { codec: 'opus' } })
  for (const change of bad) await expect(readAudioKind(trackOf(change))).rejects.toThrow('is damaged')
})

it('copies what the decoder must know, whatever lies around it', async () => {
  const bytes = Uint8Array.from([1, 2, 3, 4])
  const read = async (description: unknown) => (await readAudioKind(trackOf({ description })))?.config.description
  expect(await read(bytes.subarray(1, 3))).toEqual(Uint8Array.from([2, 3]))
  expect(await read(bytes.buffer)).toEqual(bytes)
  expect(await read(undefined)).toBeNull()
})

it('reads nothing of a track that is not there, or cannot be carried', async () => {
  expect(await readAudioKind(null)).toBeNull()
  expect(await readAudioKind(trackOf({}, null))).toBeNull()
  expect(await readAudioKind(trackOf({}, 'ac3'))).toBeNull()
})

it('joins bytes one after the other', () => {
  expect(joinBytes([Uint8Array.of(1, 2), Uint8Array.of(), Uint8Array.of(3)])).toEqual(Uint8Array.of(1, 2, 3))
  expect(joinBytes([])).toHaveLength(0)
})
