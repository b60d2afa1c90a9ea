import { Input, Logging, LogLevel, MATROSKA, MP4, QTFF, Source, WEBM } from 'mediabunny'
import { AppError } from '#worker/errors.ts'
import type { R2Window } from './r2-window.ts'
import { type Piece, SlabReader } from './slab-reader.ts'
import { findSoundIndex, type SoundIndex } from './sound-index.ts'

// It reports what is odd in a file to the console; what matters of that ends as the module's failure.
Logging.level = LogLevel.Silent

const FORMATS = [MP4, QTFF, MATROSKA, WEBM]
interface OpenMedia {
  input: Input
  soundIndex: Promise<SoundIndex | null> | null
}

/** Finding out about a file and cutting it happen on the same source, one after the other: its index is read once. */
const opened = new WeakMap<R2Window, OpenMedia>()

/** Opens the tracks of a stored video. */
export function openMedia(source: R2Window): Input {
  return findOpened(source).input
}

/** The index of an MP4's track of sound; null where there is none to walk. */
export async function openSoundIndex(source: R2Window, trackId: number): Promise<SoundIndex | null> {
  const media = findOpened(source)
  media.soundIndex ??= findSoundIndex(source, trackId)
  return media.soundIndex
}

/** Gives back what was read of a video; opening it again reads it anew. */
export function closeMedia(source: R2Window): void {
  opened.get(source)?.input.dispose()
  opened.delete(source)
  source.release()
}

function findOpened(source: R2Window): OpenMedia {
  const media = opened.get(source) ?? {
    input: new Input({ source: new WindowSource(source), formats: FORMATS }),
    soundIndex: null,
  }
  opened.set(source, media)
  return media
}

/**
 * Runs a reading of media. What goes wrong in it is either access to the object, passed on as it is, or broken content.
 * @throws {AppError} `module_failed` with `unreadable` for broken content
 */
export async function readingMedia<T>(source: R2Window, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (source.failure !== null) throw source.failure
    throw new AppError(
      'module_failed',
      'This file is not a video that Adapt can read. Export it again as MP4 or WebM.',
      {
        failure: 'unreadable',
        cause: error,
      },
    )
  }
}

/**
 * mediabunny's own reading contract, whose members its types leave out. Its public `CustomSource` puts a scheduler with
 * several promises and two buffers around every single packet; this one answers at once where it can.
 */
class WindowSource extends Source {
  readonly #reader: SlabReader

  constructor(window: R2Window) {
    super()
    this.#reader = new SlabReader(window)
  }

  _getFileSize(): number {
    return this.#reader.source.sizeBytes
  }

  _read(start: number, end: number): Piece | Promise<Piece> {
    return this.#reader.read(start, end)
  }

  _dispose(): void {}
}
