import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, MkvOutputFormat, Output } from 'mediabunny'
import { expect, it } from 'vitest'
import { readMediaFacts } from './read-facts.ts'
import { pickMedia } from './testing/cut-all.ts'
import { makeTracks } from './testing/make-tracks.ts'

const RATE = 16_000
/** Samples of a frame, by the code in its head. */
const [SAMPLES, SAMPLES_CODE] = [4_096, 12]

/** `fLaC` and the one block of facts that there must be. */
function describeFlac(): Uint8Array {
  const facts = new Uint8Array(42)
  facts.set([0x66, 0x4c, 0x61, 0x43, 0x80, 0, 0, 34, SAMPLES >> 8, 0, SAMPLES >> 8, 0])
  // Its rate in twenty bits, one channel, 16 bits a sample.
  facts.set([RATE >> 12, (RATE >> 4) & 0xff, (RATE & 15) << 4, 0xf0], 18)
  return facts
}

/** Its number, coded like UTF-8, and a check sum make each frame different. */
function flacFrame(number: number, contentBytes: number): Uint8Array {
  const coded = new TextEncoder().encode(String.fromCodePoint(number))
  const content = Array.from({ length: contentBytes }, () => 0)
  return Uint8Array.from([0xff, 0xf8, SAMPLES_CODE << 4, 0, ...coded, ...content, (number * 31) & 0xff])
}

/** Two tracks of FLAC, of which one is the default. */
async function makeTwoTracks(
  frames: number,
  sizesOf: ((frame: number) => number)[],
  defaultAt = 0,
): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new MkvOutputFormat({ minimumClusterDuration: 1 }), target })
  const tracks = sizesOf.map(() => new EncodedAudioPacketSource('flac'))
  for (const [at, track] of tracks.entries())
    output.addAudioTrack(track, { disposition: { default: at === defaultAt } })
  await output.start()
  const decoderConfig = { codec: 'flac', sampleRate: RATE, numberOfChannels: 1, description: describeFlac() }
  for (let frame = 0; frame < frames; frame++) {
    for (const [at, track] of tracks.entries()) {
      const bytes = flacFrame(frame, sizesOf[at]?.(frame) ?? 0)
      const lengthS = SAMPLES / RATE
      await track.add(new EncodedPacket(bytes, 'key', frame * lengthS, lengthS), { decoderConfig })
    }
  }
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

const silence = () => 8
const speech = (frame: number) => 400 + ((frame * 7919) % 900)

it.each([
  ['a few seconds', 40],
  ['minutes, with longer and longer numbers', 2_500],
])('passes over a default track of FLAC that is silent for %s', async (_, frames) => {
  const open = pickMedia(await makeTwoTracks(frames, [silence, speech]))
  expect((await readMediaFacts(open())).audio).toMatchObject({ codec: 'flac', trackId: 2 })
})

it('keeps the default of two tracks of FLAC that speak', async () => {
  const open = pickMedia(await makeTwoTracks(40, [speech, (frame) => speech(frame + 1)]))
  expect(await readMediaFacts(open())).toMatchObject({ audio: { codec: 'flac', trackId: 1 }, candidates: [] })
})

it('chooses by the whole track, also where its length is known already', async () => {
  const beginning = 16
  const open = pickMedia(
    await makeTwoTracks(400, [
      (frame) => (frame < beginning ? speech(frame) : silence()),
      (frame) => (frame < beginning ? silence() : speech(frame)),
    ]),
  )
  const { audio, durationMs } = await readMediaFacts(open())
  expect(audio).toMatchObject({ trackId: 2 })
  expect(await readMediaFacts(open(), durationMs)).toMatchObject({ audio, durationMs })
})

it('joins two that speak in turn, but not where somebody has named the second one as the default', async () => {
  const turns = [
    (frame: number) => (frame % 40 < 20 ? speech(frame) : silence()),
    (frame: number) => (frame % 40 < 20 ? silence() : speech(frame)),
  ]
  const speakersOf = async (defaultAt: number) => {
    const { audio } = await readMediaFacts(pickMedia(await makeTwoTracks(200, turns, defaultAt))())
    return [audio?.trackId, audio?.speakerIds]
  }
  expect(await speakersOf(0)).toEqual([1, [2]])
  expect(await speakersOf(1)).toEqual([2, []])
})

it('leaves it to their words to decide between defaults that speak as much', async () => {
  const open = pickMedia(await makeTracks('mkv', [{ isDefault: true }, { isDefault: true }, {}]))
  const { audio, candidates } = await readMediaFacts(open())
  expect(audio).toMatchObject({ trackId: 1 })
  expect(candidates.map(({ trackId }) => trackId)).toEqual([1, 2])
})
