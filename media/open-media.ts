import { Input, type InputFormat, Logging, LogLevel, MATROSKA, MP4, QTFF, Source, WEBM } from 'mediabunny'
import { type AudioIndex, findAudioIndex } from './audio-index.ts'
import type { ByteWindow } from './byte-window.ts'
import { FragmentGuard } from './fragment-guard.ts'
import { IndexGuard } from './index-guard.ts'
import { MediaFault } from './media-fault.ts'
import { ProgressGuard } from './progress-guard.ts'
import { type Piece, SlabReader } from './slab-reader.ts'

// It reports what is odd in a file to the console; what matters of that ends as the module's failure.
Logging.level = LogLevel.Silent

const FORMATS = [MP4, QTFF, MATROSKA, WEBM]
interface OpenMedia {
  input: Input
  audioIndex: Promise<AudioIndex | null> | null
}

/** Finding out about a file and cutting it happen on the same source, one after the other: its index is read once. */
const opened = new WeakMap<ByteWindow, OpenMedia>()

/** Opens the tracks of a video. */
export function openMedia(source: ByteWindow): Input {
  return findOpened(source).input
}

/** Opens what lies in memory whole, such as a chunk of the audio. */
export function openBytes(bytes: Uint8Array, format: InputFormat): Input {
  return new Input({ source: new MemorySource(bytes), formats: [format] })
}

/** The index of an MP4's track of audio; null where there is none to walk. */
export async function openAudioIndex(source: ByteWindow, trackId: number): Promise<AudioIndex | null> {
  const media = findOpened(source)
  media.audioIndex ??= findAudioIndex(source, trackId)
  return media.audioIndex
}

/** Releases what was read of a video; opening it again reads it from the start. */
export function closeMedia(source: ByteWindow): void {
  opened.get(source)?.input.dispose()
  opened.delete(source)
  source.release()
}

function findOpened(source: ByteWindow): OpenMedia {
  const media = opened.get(source) ?? {
    input: new Input({ source: new WindowSource(source), formats: FORMATS }),
    audioIndex: null,
  }
  opened.set(source, media)
  return media
}

/**
 * Runs a reading of media. What goes wrong in it is either access to the object, passed on as it is, or broken content.
 * @throws {MediaFault} `unreadable` for broken content
 */
export async function readingMedia<T>(source: ByteWindow, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof MediaFault) throw error
    if (source.failure !== null) throw source.failure
    throw new MediaFault(
      'unreadable',
      'This file is not a video that Adapt can read. Export it again as MP4 or WebM.',
      { cause: error },
    )
  }
}

/**
 * mediabunny's own reading contract, whose members its types leave out, behind the guards. Its public `CustomSource`
 * puts a scheduler with several promises and two buffers around every single packet; this one answers at once where it
 * can.
 */
abstract class GuardedSource extends Source {
  readonly #sizeBytes: number
  readonly #progress = new ProgressGuard()
  readonly #index = new IndexGuard()
  readonly #fragments: FragmentGuard

  constructor(sizeBytes: number) {
    super()
    this.#sizeBytes = sizeBytes
    this.#fragments = new FragmentGuard(sizeBytes)
  }

  protected abstract readPiece(start: number, end: number): Piece | Promise<Piece>

  _getFileSize(): number {
    return this.#sizeBytes
  }

  _read(start: number, end: number): Piece | Promise<Piece> {
    this.#progress.note(start)
    const piece = this.readPiece(start, end)
    if (piece instanceof Promise) return piece.then((whole) => this.#checked(whole, start, end))
    return this.#checked(piece, start, end)
  }

  #checked(piece: Piece, start: number, end: number): Piece {
    this.#index.check(piece, start, end)
    this.#fragments.check(piece, start, end)
    return piece
  }

  _dispose(): void {}
}

class WindowSource extends GuardedSource {
  readonly #reader: SlabReader

  constructor(window: ByteWindow) {
    super(window.sizeBytes)
    this.#reader = new SlabReader(window)
  }

  protected readPiece(start: number, end: number): Piece | Promise<Piece> {
    return this.#reader.read(start, end)
  }
}

/** Bytes that are in memory already: every piece is the whole. */
class MemorySource extends GuardedSource {
  readonly #whole: Piece

  constructor(bytes: Uint8Array) {
    super(bytes.byteLength)
    this.#whole = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  }

  protected readPiece(): Piece {
    return this.#whole
  }
}
