import {
  type AudioCodec,
  Conversion,
  type ConversionAudioOptions,
  type ConversionVideoOptions,
  getFirstEncodableAudioCodec,
  getFirstEncodableVideoCodec,
  type Input,
  type InputAudioTrack,
  Mp4OutputFormat,
  Output,
  Quality,
  StreamTarget,
  type StreamTargetChunk,
} from 'mediabunny'
import { findUnseenBy } from '#web/lib/picture.ts'
import { createTarget, storageIsFull } from './converted-files.ts'
import { openForConversion, type PickedMedia } from './open-for-conversion.ts'

export interface ConvertOrder {
  file: Blob
  /** By its length the track of audio is chosen that is transcribed. Null: measured again. */
  knownDurationMs: number | null
  /** Folder of the result in the browser's own storage. */
  folder: string
  /** Name of the result. */
  name: string
}

/** Percent that are done. */
export interface ConvertProgress {
  percent: number
}

interface Plan {
  video: ConversionVideoOptions
  audio: ConversionAudioOptions
}

/** Phones and laptops play both; H.264 is played by everything. */
export const TARGET_PICTURES = ['avc', 'vp9'] as const
export const TARGET_AUDIO = ['aac', 'opus'] as const
/** Every usual browser plays these out of an MP4. They stay as they are, byte for byte. */
export const KEPT_AUDIO: ReadonlySet<AudioCodec | null> = new Set(['aac', 'opus', 'mp3'])
/** Full HD: more takes a computer without a video chip hours, and learners watch on phones. */
const LONG_SIDE_MAX_PX = 1920

/** Finds out how this browser makes an MP4 of a video that everybody can watch; null where it cannot. */
export async function planConversion({ input, audio: track }: PickedMedia): Promise<Plan | null> {
  const [video, audio] = [await planVideo(input), await planAudio(track)]
  return video && audio && { video, audio }
}

async function planVideo(input: Input): Promise<ConversionVideoOptions | null> {
  const track = await input.getPrimaryVideoTrack()
  const codec = await track?.getCodecParameterString()
  if (!track || !codec) return null
  // Only its container keeps anyone from watching: the picture is taken over as it is.
  if (findUnseenBy(codec) === null) return {}
  if (!(await track.canDecode())) return null
  const size = fitInto(await track.getDisplayWidth(), await track.getDisplayHeight())
  const target = await getFirstEncodableVideoCodec([...TARGET_PICTURES], size)
  return target && { codec: target, forceTranscode: true, quality: new Quality('high'), fit: 'fill', ...size }
}

/** Both sides are even, as encoders want them. */
function fitInto(width: number, height: number) {
  const scale = Math.min(1, LONG_SIDE_MAX_PX / Math.max(width, height))
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2))
  return { width: even(width), height: even(height) }
}

async function planAudio(track: InputAudioTrack | null): Promise<ConversionAudioOptions | null> {
  const codec = (await track?.getCodec()) ?? null
  if (track === null || KEPT_AUDIO.has(codec)) return {}
  if (!DOLBY_AUDIO.has(codec) && !(await track.canDecode())) return null
  const own = { numberOfChannels: await track.getNumberOfChannels(), sampleRate: await track.getSampleRate() }
  const target =
    (await getFirstEncodableAudioCodec([...TARGET_AUDIO], own)) ??
    (await getFirstEncodableAudioCodec([...TARGET_AUDIO], COMMON_AUDIO))
  return target && { codec: target, forceTranscode: true }
}

/** What mediabunny falls back to where a browser cannot encode six channels or an uncommon rate. */
export const COMMON_AUDIO = { numberOfChannels: 2, sampleRate: 48_000 }
/** No browser but Safari decodes these. */
const DOLBY_AUDIO: ReadonlySet<AudioCodec | null> = new Set(['ac3', 'eac3'])

/** The decoder is a megabyte of WebAssembly, so it comes with the first file that needs it. */
export async function loadDecoder(track: InputAudioTrack | null): Promise<void> {
  if (track === null || !DOLBY_AUDIO.has(await track.getCodec())) return
  const { registerAc3Decoder } = await import('@mediabunny/ac3')
  registerAc3Decoder()
}

/**
 * Writes a picked video as an MP4 into the browser's own storage, a few megabytes at a time, so that memory does not
 * grow with the video. Its times stay, so the audio of the picked file fits it.
 * @throws where this browser cannot convert it after all; {DOMException} `QuotaExceededError` where its storage is full,
 *   `TimeoutError` where it gets no further
 */
export async function convertVideo(
  { file, knownDurationMs, folder, name }: ConvertOrder,
  bring: (answer: ConvertProgress) => Promise<void>,
): Promise<void> {
  const picked = await openForConversion(file, knownDurationMs)
  const { input } = picked
  const plan = await planConversion(picked)
  // not-shown: for developers.
  if (plan === null) throw new Error('This browser cannot convert the video')
  await loadDecoder(picked.audio)
  const stored = await createTarget(folder, name)
  try {
    const target = new StreamTarget(writeTo(stored), { chunked: true, chunkSize: CHUNK_BYTES })
    const output = new Output({ format: new Mp4OutputFormat({ fastStart: false }), target })
    const picture = await input.getPrimaryVideoTrack()
    await endingStalled(async (noteProgress) => {
      const conversion = await Conversion.init({
        input,
        output,
        video: ({ id }) => (id === picture?.id ? plan.video : { discard: true }),
        audio: ({ id }) => (id === picked.audio?.id ? plan.audio : { discard: true }),
        showWarnings: false,
        // Otherwise a picture that begins after the audio, or before it, would be moved to its beginning.
        trim: { start: picked.startMs / 1000 },
      })
      const lost = conversion.discardedTracks.filter(({ reason }) => reason !== 'discarded_by_user')
      // not-shown: for developers.
      if (!conversion.isValid || lost.length > 0) throw new Error('A track cannot be converted')
      let percent = -1
      conversion.onProgress = (share) => {
        noteProgress()
        const now = Math.floor(share * 100)
        if (now > percent) void bring({ percent: (percent = now) })
      }
      await conversion.execute()
    })
    stored.flush()
  } finally {
    stored.close()
  }
}

const LOOK_EVERY_MS = 10_000
const SILENT_LOOKS_MAX = 6

/**
 * Ends work that gets no further for a minute: a decoder may break off without a word. Time asleep counts as one look.
 * @param countReads how often its file has been read: work that reads on gets further, too
 * @throws {DOMException} `TimeoutError` then
 */
export async function endingStalled<Result>(
  work: (noteProgress: () => void) => Promise<Result>,
  countReads = () => 0,
): Promise<Result> {
  let silentLooks = 0
  let readsBefore = countReads()
  const stalled = Promise.withResolvers<never>()
  const timer = setInterval(() => {
    const reads = countReads()
    silentLooks = reads === readsBefore ? silentLooks + 1 : 0
    readsBefore = reads
    if (silentLooks > SILENT_LOOKS_MAX)
      stalled.reject(new DOMException('The conversion gets no further', 'TimeoutError'))
  }, LOOK_EVERY_MS)
  try {
    return await Promise.race([work(() => (silentLooks = 0)), stalled.promise])
  } finally {
    clearInterval(timer)
  }
}

const CHUNK_BYTES = 4 * 1024 * 1024

export function writeTo(stored: { write: (data: Uint8Array<ArrayBuffer>, to: { at: number }) => number }) {
  return new WritableStream<StreamTargetChunk>({
    write({ data, position }) {
      const written = stored.write(data as Uint8Array<ArrayBuffer>, { at: position })
      if (written !== data.byteLength) throw storageIsFull()
    },
  })
}
