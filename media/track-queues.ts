import { type AudioChunk, type AudioPacket, joinBytes, type WrittenAudio } from './audio-chunk.ts'
import { type CutRange, findCut } from './find-cut.ts'
import type { PacketQueue } from './packet-queue.ts'

/** Several tracks are read on in steps of this length, so that the window over the file serves all of them. */
const STEP_MS = 1_000

interface Span {
  startMs: number
  endMs: number
  overlapMs: number
}

/** The packets of what is cut together: of one track, or of one for each speaker. */
export class TrackQueues {
  readonly #queues: readonly PacketQueue[]
  #filledMs = 0

  /** @param queues at least one */
  constructor(queues: readonly PacketQueue[]) {
    this.#queues = queues
  }

  /** Whether the last packet of each track has been read. */
  get ended(): boolean {
    return this.#queues.every(({ ended }) => ended)
  }

  /** End of the last packet read. */
  get endMs(): number {
    return Math.max(...this.#queues.map(({ endMs }) => endMs))
  }

  /** Begins at the packets that are played at the given time. */
  async seek(fromMs: number): Promise<void> {
    for (const queue of this.#queues) await queue.seek(fromMs)
    // The packet that is played then begins earlier: the first step reads on to the time itself.
    this.#filledMs = fromMs - STEP_MS
  }

  /** Reads on until each track has a packet that begins at or after the given time, or ends. */
  async fillUntil(untilMs: number): Promise<void> {
    const stepMs = this.#queues.length === 1 ? Number.POSITIVE_INFINITY : STEP_MS
    for (let ms = this.#filledMs; ms < untilMs && !this.ended; ) {
      ms = Math.min(untilMs, ms + stepMs)
      for (const queue of this.#queues) await queue.fillUntil(ms)
      this.#filledMs = ms
    }
  }

  /** Start of the first packet at or after the given time; null when none has been read. */
  findStart(fromMs: number): number | null {
    const starts = this.#queues.flatMap((queue) => queue.findStart(fromMs) ?? [])
    return starts.length === 0 ? null : Math.min(...starts)
  }

  /** As `PacketQueue.findGapEnd`. Null for several tracks: a speaker who pauses does not cut the others' audio. */
  findGapEnd(afterMs: number, untilMs: number): number | null {
    const [only, other] = this.#queues
    return only === undefined || other !== undefined ? null : only.findGapEnd(afterMs, untilMs)
  }

  /** The quietest place of all tracks together, as `findCut`. */
  findCut(range: CutRange): number | null {
    const [only, other] = this.#queues
    if (only !== undefined && other === undefined) return findCut(only.packets, range)
    const packets = this.#queues.flatMap((queue) => queue.packets).toSorted((a, b) => a.startMs - b.startMs)
    return findCut(packets, range)
  }

  /** See `PacketQueue.dropBefore`. */
  dropBefore(ms: number): void {
    for (const queue of this.#queues) queue.dropBefore(ms)
  }

  /**
   * Puts what is played in a span into files: one of each track, or of each part of it between gaps. Null where nothing
   * is played. To be used before anything more is read or dropped.
   */
  write(span: Span): Pick<AudioChunk, keyof WrittenAudio | 'parts'> | null {
    const runs = this.#queues.flatMap((queue) => listRuns(queue, span))
    // A speaker who says nothing costs nothing; what all are silent in is a chunk still.
    const spoken = runs.length === 1 ? runs : runs.filter(({ queue, run }) => !queue.hasNoWord(run))
    const heard = spoken.length === 0 ? runs.slice(0, 1) : spoken
    const written = heard.map(({ queue, run }) => queue.write(run))
    const [first, ...rest] = written.toSorted((a, b) => a.audioStartMs - b.audioStartMs)
    if (first === undefined) return null
    if (rest.length === 0) return { ...first, parts: [] }
    return {
      audioStartMs: first.audioStartMs,
      audioDurationMs: first.audioDurationMs,
      contentType: first.contentType,
      bytes: joinBytes([first, ...rest].map(({ bytes }) => bytes)),
      parts: rest.map(({ bytes, ...part }) => ({ ...part, sizeBytes: bytes.byteLength })),
    }
  }

  /** See `PacketQueue.close`. */
  close(): void {
    for (const queue of this.#queues) queue.close()
  }
}

interface QueuedRun {
  queue: PacketQueue
  run: AudioPacket[]
}

/** What a track has in a span: the whole, or what lies between gaps. */
function listRuns(queue: PacketQueue, { startMs, endMs, overlapMs }: Span): QueuedRun[] {
  const runs: QueuedRun[] = []
  let fromMs = queue.findStart(startMs)
  while (fromMs !== null && fromMs < endMs) {
    const gapEndMs: number | null = queue.findGapEnd(fromMs, endMs)
    const untilMs = gapEndMs === null || gapEndMs >= endMs ? endMs : gapEndMs
    runs.push({ queue, run: queue.runAround({ startMs: fromMs, endMs: untilMs, overlapMs }) })
    fromMs = untilMs === endMs ? null : untilMs
  }
  return runs
}
