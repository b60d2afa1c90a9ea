import {
  type EncodedPacket,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputFormat,
  Logging,
  LogLevel,
  MATROSKA,
  MP4,
  QTFF,
  Source,
  WEBM,
} from 'mediabunny'
import { type FedPacket, IndexFeed, type PacketFeed } from './iso/audio-index.ts'
import { FragmentFeed } from './iso/fragment-feed.ts'
import { ClaimGuard, ProgressGuard } from './iso/guards.ts'
import { type IsoMovie, readIsoMovie } from './iso/iso-movie.ts'
import { findMatroskaEnd, type MatroskaContent } from './matroska-end.ts'
import { type ByteWindow, MediaFault, type Piece, SlabReader, viewOf } from './source/byte-window.ts'

// It reports what is odd in a file to the console; what matters of that ends as the module's failure.
Logging.level = LogLevel.Silent

const FORMATS = [MP4, QTFF, MATROSKA, WEBM]
interface OpenMedia {
  input: Input
  movie: Promise<IsoMovie | null> | null
}

/** Finding out about a file and cutting it happen on the same source, one after the other: its index is read once. */
const opened = new WeakMap<ByteWindow, OpenMedia>()

/** Opens the tracks of a video. */
export function openMedia(source: ByteWindow): Input {
  return findOpened(source).input
}

/** Opens what lies in memory whole, such as a chunk of the audio. */
export function openBytes(bytes: Uint8Array, format: InputFormat): Input {
  const whole = { bytes, view: viewOf(bytes), offset: 0 }
  return new Input({ source: new GuardedSource(bytes.byteLength, () => whole), formats: [format] })
}

/** What an MP4 says of its tracks; null where it has no index. */
export async function openIsoMovie(source: ByteWindow): Promise<IsoMovie | null> {
  const media = findOpened(source)
  media.movie ??= readIsoMovie(source)
  return media.movie
}

/** The packets of an MP4's track from its own index and fragments; null where only mediabunny can read them. */
export async function openIsoFeed(
  source: ByteWindow,
  { trackId, isPcm }: { trackId: number; isPcm: boolean },
): Promise<PacketFeed | null> {
  const movie = await openIsoMovie(source)
  const track = movie?.tracks.find(({ id }) => id === trackId)
  if (!movie || track === undefined) return null
  const index = await track.readIndex()
  if (movie.isFragmented) return new FragmentFeed(source, { movie, track, index, isPcm })
  return index?.hasWholePackets === true && !isPcm ? new IndexFeed(source, index) : null
}

/** Releases what was read of a video; opening it again reads it from the start. */
export function closeMedia(source: ByteWindow): void {
  opened.get(source)?.input.dispose()
  opened.delete(source)
  source.release()
}

function findOpened(source: ByteWindow): OpenMedia {
  const openedMedia = opened.get(source)
  if (openedMedia !== undefined) return openedMedia
  const slabs = new SlabReader(source)
  const readPiece = (start: number, end: number) => slabs.read(start, end)
  const guarded = new GuardedSource(source.sizeBytes, readPiece, () => findMatroskaEnd(source))
  const media = { input: new Input({ source: guarded, formats: FORMATS }), movie: null }
  opened.set(source, media)
  return media
}

/**
 * Runs a read of media. An error of the access to the object is passed on unchanged; any other error means broken
 * content.
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

/** Asks mediabunny for one packet after the other. */
export class TrackFeed implements PacketFeed {
  readonly #sink: EncodedPacketSink
  #last: EncodedPacket | null = null

  constructor(track: InputAudioTrack) {
    this.#sink = new EncodedPacketSink(track)
  }

  async seek(ms: number): Promise<FedPacket | null> {
    const there = ms > 0 ? await this.#sink.getPacket(ms / 1000) : null
    return this.#feed(there ?? (await this.#sink.getFirstPacket()))
  }

  async next(): Promise<FedPacket | null> {
    return this.#last === null ? null : this.#feed(await this.#sink.getNextPacket(this.#last))
  }

  #feed(packet: EncodedPacket | null): FedPacket | null {
    this.#last = packet
    if (packet === null) return null
    return { startMs: packet.timestamp * 1000, lengthMs: packet.duration * 1000, bytes: packet.data }
  }
}

/** Puts the bytes of a patch into what was read of a file. It is a copy, in a buffer that other places have, too. */
function patchPiece(piece: Piece, patch: NonNullable<MatroskaContent['patch']>, start: number, end: number): Piece {
  for (const [index, byte] of patch.bytes.entries()) {
    const at = patch.at + index
    if (at >= start && at < end) piece.bytes[at - piece.offset] = byte
  }
  return piece
}

/**
 * mediabunny's own reading contract, whose members its types leave out, behind the guards. Its public `CustomSource`
 * puts a scheduler with several promises and two buffers around every single packet; this one answers at once where it
 * can.
 */
class GuardedSource extends Source {
  /** Undefined until the first read has found where the content ends. */
  #sizeBytes: number | undefined
  readonly #readPiece: (start: number, end: number) => Piece | Promise<Piece>
  readonly #findContent: (() => Promise<MatroskaContent>) | null
  #patch: MatroskaContent['patch'] = null
  readonly #progress = new ProgressGuard()
  readonly #claims: ClaimGuard

  /** @param findContent finds the end of the content; without it, that is the end of the bytes */
  constructor(
    sizeBytes: number,
    readPiece: (start: number, end: number) => Piece | Promise<Piece>,
    findContent: (() => Promise<MatroskaContent>) | null = null,
  ) {
    super()
    this.#sizeBytes = findContent === null ? sizeBytes : undefined
    this.#readPiece = readPiece
    this.#findContent = findContent
    this.#claims = new ClaimGuard(sizeBytes)
  }

  /** mediabunny reads a byte first where it is not known yet. */
  _getFileSize(): number | undefined {
    return this.#sizeBytes
  }

  _read(start: number, end: number): Piece | Promise<Piece> {
    return this.#sizeBytes === undefined ? this.#readFirst(start, end) : this.#readNext(start, end)
  }

  async #readFirst(start: number, end: number): Promise<Piece> {
    const content = await this.#findContent?.()
    this.#sizeBytes = content?.end
    this.#patch = content?.patch ?? null
    return this.#readNext(start, end)
  }

  #readNext(start: number, end: number): Piece | Promise<Piece> {
    this.#progress.note(start)
    const piece = this.#readPiece(start, end)
    if (piece instanceof Promise) return piece.then((whole) => this.#check(whole, start, end))
    return this.#check(piece, start, end)
  }

  #check(piece: Piece, start: number, end: number): Piece {
    return this.#claims.check(this.#patch === null ? piece : patchPiece(piece, this.#patch, start, end), start, end)
  }

  _dispose(): void {}
}
