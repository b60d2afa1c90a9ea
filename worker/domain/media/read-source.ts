import type { AudioChunk } from '#media/audio-chunk.ts'
import { ByteWindow, type Fetch, MediaFault, WINDOW_BYTES } from '#media/byte-window.ts'
import { type CutOptions, cutAudioSlice, type SliceEnd } from '#media/cut-audio.ts'
import { type MediaFacts, readMediaFacts } from '#media/read-facts.ts'
import { AppError } from '#worker/core/errors.ts'

/**
 * What a stored video is. Costs a few range reads; see `readMediaFacts`.
 * @param knownDurationMs what an earlier call found, so that a file without a declared duration is not read twice
 * @throws {AppError} `module_failed` with `unreadable`, `truncated`, `source_missing` or `source_changed`
 */
export function readSourceFacts(source: R2Window, knownDurationMs: number | null = null): Promise<MediaFacts> {
  return failingModule(() => readMediaFacts(source, knownDurationMs))
}

/**
 * Cuts about ten minutes of a stored video's audio into chunks; see `cutAudioSlice`.
 * @throws {AppError} `module_failed` with `truncated` when the audio breaks off early, `unreadable`, `source_missing`
 *   or `source_changed`
 */
export function cutSourceSlice(options: CutOptions & { source: R2Window }): Promise<SliceEnd> {
  return failingModule(() => cutAudioSlice(options))
}

/** A file that cannot be used is the end of its module; this is the one place that says so. */
async function failingModule<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error
    throw new AppError('module_failed', error.message, { failure: error.code, cause: error.cause })
  }
}

interface R2WindowOptions {
  bucket: R2Bucket
  key: string
  /** ETag without quotes, as recorded when the upload was completed. */
  etag: string
  sizeBytes: number
}

/**
 * Random access over an object in R2 by range reads. Only the object with the given ETag is ever read. A read fails with
 * an `AppError` `module_failed` of `source_missing` or `source_changed` when the object is not there any more as it was;
 * any other error is a passing fault of R2.
 */
export class R2Window extends ByteWindow {
  readonly #bucket: R2Bucket
  readonly #key: string
  readonly #etag: string

  constructor({ bucket, key, etag, sizeBytes }: R2WindowOptions) {
    super(sizeBytes)
    this.#bucket = bucket
    this.#key = key
    this.#etag = etag
  }

  protected async fetch({ start, length, spare }: Fetch): Promise<Uint8Array<ArrayBuffer>> {
    const range = { offset: start, length }
    const object = await this.#bucket.get(this.#key, { range, onlyIf: { etagMatches: this.#etag } })
    const reader = bodyOf(object).getReader({ mode: 'byob' })
    const into = new Uint8Array(spare ?? new ArrayBuffer(Math.max(length, WINDOW_BYTES)), 0, length)
    const { value } = await reader.readAtLeast(length, into)
    await reader.cancel()
    if (value === undefined) throw new Error(`R2 sent none of ${length} bytes`)
    return value
  }
}

function bodyOf(object: R2ObjectBody | R2Object | null): ReadableStream {
  if (object === null) {
    throw new AppError('module_failed', 'The uploaded video is gone from storage. Upload it again.', {
      failure: 'source_missing',
    })
  }
  // R2 answers a condition that does not hold with the object's head alone.
  if (!('body' in object)) {
    throw new AppError('module_failed', 'The uploaded video was replaced while it was processed. Upload it again.', {
      failure: 'source_changed',
    })
  }
  return object.body
}

/** A chunk of a video's audio that lies in the bucket. */
export interface PlannedChunk extends Omit<AudioChunk, 'bytes' | 'contentType'> {
  key: string
  contentType: string
  sizeBytes: number
  /** Null where it is not known which object was checked. */
  etag: string | null
}

/**
 * Opens the object of an audio chunk that was checked when it arrived: addresses that were handed out take another PUT
 * for a quarter of an hour.
 * @returns null when nothing is there; an object without a body when another one has taken its place
 */
export function openAudioChunk(
  bucket: R2Bucket,
  { key, etag }: Pick<PlannedChunk, 'key' | 'etag'>,
): Promise<R2ObjectBody | R2Object | null> {
  return etag === null ? bucket.get(key) : bucket.get(key, { onlyIf: { etagMatches: etag } })
}

/** Containers round durations to their own ticks; a difference of more than a second is other audio, or another video. */
export const DURATION_TOLERANCE_MS = 1_000

/** A browser's audio, and the video that it is said to be of. */
export interface ComparedAudio {
  bucket: R2Bucket
  /** Opens the video; each chunk is cut from a reading of its own. */
  openSource: () => R2Window
  facts: MediaFacts
  /** What the browser said. */
  durationMs: number | null
  chunks: PlannedChunk[]
  /** Null while the browser has not sent all of them. */
  chunkCount: number | null
}

/**
 * Compares a browser's audio with the video's own: its length, that its chunks follow each other without a gap, and a
 * few of them byte for byte. The browser runs the very same cutting code, and a chunk depends on nothing but where it
 * begins, so an honest one is equal.
 * @returns what is wrong, for the log; null when nothing is
 * @throws what keeps the video from being read
 */
export async function compareAudio(audio: ComparedAudio): Promise<string | null> {
  const { facts, durationMs, chunks, chunkCount } = audio
  if (chunkCount !== null && chunks.length !== chunkCount) return `${chunks.length} of ${chunkCount} chunks are there`
  if (chunks.length === 0) return null
  if (facts.audio === null) return 'the video has no audio that can be read'
  if (Math.abs(facts.durationMs - (durationMs ?? 0)) > DURATION_TOLERANCE_MS) {
    return `it lasts ${durationMs} ms, the video ${facts.durationMs} ms`
  }
  const broken = chunks.find((chunk, at) => chunk.chunk !== at || chunk.startMs !== (chunks[at - 1]?.endMs ?? 0))
  if (broken !== undefined) return `chunk ${broken.chunk} does not follow the one before it`
  // Side by side, since READY waits for it, and each is a few reads of the bucket.
  const compared = await Promise.all(
    sampleOf(chunks).map(async (chunk) => ({ chunk: chunk.chunk, isSame: await isSame(audio, chunk) })),
  )
  const different = compared.find(({ isSame }) => !isSame)
  return different === undefined ? null : `chunk ${different.chunk} is not what the video has there`
}

/** The first, the middle one and the last but one: what was left out, added or shifted anywhere moves one of them. */
function sampleOf(chunks: PlannedChunk[]): PlannedChunk[] {
  const places = [0, Math.floor(chunks.length / 2), Math.max(0, chunks.length - 2)]
  return [...new Set(places)].flatMap((place) => chunks[place] ?? [])
}

async function isSame(audio: ComparedAudio, planned: PlannedChunk): Promise<boolean> {
  const { bucket, facts, openSource } = audio
  let same = false
  await cutSourceSlice({
    source: openSource(),
    facts,
    fromMs: planned.startMs,
    firstChunk: planned.chunk,
    // Ends with the first chunk.
    sliceMs: 1,
    saveChunk: async (cut) => {
      same = hasSameTimes(cut, planned) && (await hasSameBytes(bucket, planned, cut.bytes))
    },
  })
  return same
}

function hasSameTimes(cut: AudioChunk, planned: PlannedChunk): boolean {
  return (
    cut.chunk === planned.chunk &&
    cut.startMs === planned.startMs &&
    cut.endMs === planned.endMs &&
    cut.audioStartMs === planned.audioStartMs &&
    cut.audioDurationMs === planned.audioDurationMs &&
    cut.contentType === planned.contentType &&
    cut.bytes.byteLength === planned.sizeBytes
  )
}

/** Of the very object that is transcribed: another one that has taken its place is not the video's, whatever it is. */
async function hasSameBytes(bucket: R2Bucket, chunk: PlannedChunk, bytes: Uint8Array): Promise<boolean> {
  const object = await openAudioChunk(bucket, chunk)
  if (object === null || !('body' in object)) return false
  const stored = new Uint8Array(await object.arrayBuffer())
  return stored.byteLength === bytes.byteLength && stored.every((byte, at) => byte === bytes[at])
}
