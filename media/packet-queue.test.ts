import { describe, expect, it } from 'vitest'
import { findAudioFormat } from './audio-chunk.ts'
import type { FedPacket } from './iso/audio-index.ts'
import { PacketQueue } from './packet-queue.ts'

async function openQueue(
  codec: 'opus' | 'flac',
  sampleRate: number,
  next: () => FedPacket | null,
): Promise<PacketQueue> {
  const format = findAudioFormat(codec)
  if (format === null) throw new Error('no format')
  const config = { codec, sampleRate, channels: 1, description: null } as const
  const queue = new PacketQueue({ format, config }, { seek: next, next })
  await queue.seek(0)
  await queue.fillUntil(Number.POSITIVE_INFINITY)
  return queue
}

function feed(startsMs: number[], packet: Omit<FedPacket, 'startMs'>): () => FedPacket | null {
  const packets = startsMs.map((startMs) => ({ ...packet, startMs }))
  return () => packets.shift() ?? null
}

function steadyTo(endMs: number): number[] {
  return Array.from({ length: endMs / 20 }, (_, i) => i * 20)
}

/** A queue of packets of 20 ms that begin at these times. */
const openAt = (startsMs: number[]) =>
  openQueue('opus', 48_000, feed(startsMs, { lengthMs: 20, bytes: new Uint8Array(8) }))

async function fill(startsMs: number[]): Promise<number[]> {
  const queue = await openAt(startsMs)
  expect(queue.endMs).toBe((queue.packets.at(-1)?.startMs ?? 0) + 20)
  return queue.packets.map(({ startMs }) => startMs)
}

it('leaves out audio that goes back in time, which plays nowhere', async () => {
  expect(await fill([0, 5_000, 5_020, 20, 40, 5_040])).toEqual([0, 5_000, 5_020, 5_040])
})

it('keeps the order where a clock of whole milliseconds goes back a little', async () => {
  expect(await fill([0, 20, 19, 60])).toEqual([0, 20, 20, 60])
})

it("leaves out the run-up of an encoder, which ends before the video's beginning", async () => {
  expect(await fill([-40, -20, -10, 20])).toEqual([-10, 20])
})

it('refuses times that cannot be', async () => {
  await expect(fill([0, Number.NaN])).rejects.toMatchObject({ code: 'unreadable' })
  await expect(fill([0, 25 * 60 * 60_000])).rejects.toMatchObject({ code: 'unreadable' })
})

describe('a packet whose time is far ahead', () => {
  const steady = steadyTo(4_000)

  it.each([
    ['is dropped', 100, 60_000],
    ['is dropped, even as the first', 0, 60_000],
    ['is dropped, even by less than a gap', 100, 2_400],
  ])('%s, and none after it', async (_, wrong, ms) => {
    const others = steady.toSpliced(wrong, 1)
    expect(await fill(steady.with(wrong, ms))).toEqual(others)
  })

  it('is kept where the next ones follow it', async () => {
    const late = steady.map((ms) => (ms < 2_000 ? ms : ms + 60_000))
    expect(await fill(late)).toEqual(late)
    expect(await fill([0, 20, 60_000])).toEqual([0, 20, 60_000])
  })

  it('keeps its own bytes while the next one is read into the same buffer', async () => {
    const buffer = new Uint8Array(1)
    const starts = [0, 60_000]
    const next = () => {
      const startMs = starts.shift()
      buffer[0] = starts.length
      return startMs === undefined ? null : { startMs, lengthMs: 20, bytes: buffer }
    }
    const queue = await openQueue('opus', 48_000, next)
    const run = queue.runAround({ startMs: 0, endMs: 70_000, overlapMs: 0 })
    expect(run.map(({ bytes }) => bytes[0])).toEqual([1, 0])
  })
})

it.each([
  ['a run of packets', steadyTo(4_000).map((ms) => (ms >= 1_000 && ms < 1_200 ? ms + 60_000 : ms))],
  ['every other packet', steadyTo(4_000).map((ms, i) => (i % 2 === 0 ? ms : ms + 60_000 - 2 * ms))],
  ['all after a new beginning', [...steadyTo(2_000), ...steadyTo(2_000)]],
])('refuses times by which more than a second is lost: %s', async (_, startsMs) => {
  await expect(fill(startsMs)).rejects.toMatchObject({ code: 'unreadable' })
})

describe('packets of FLAC at 8 kHz', () => {
  const FRAME_MS = 512
  /** A frame of 4,096 samples. */
  const bytes = Uint8Array.from([0xff, 0xf8, 0xc0, 0, 1, 0, 0, 0])
  const openFlac = (startsMs: number[], lengthMs: number) =>
    openQueue('flac', 8_000, feed(startsMs, { lengthMs, bytes }))
  const steady = Array.from({ length: 120 }, (_, i) => i * FRAME_MS)

  it.each([
    ['as its container says', FRAME_MS],
    ['where its container says nothing', 0],
  ])('follow each other without a gap, %s', async (_, lengthMs) => {
    const queue = await openFlac(steady, lengthMs)
    expect(queue.findGapEnd(0, Number.POSITIVE_INFINITY)).toBeNull()
    expect(queue.packets.map(({ startMs, endMs }) => endMs - startMs)).toEqual(steady.map(() => FRAME_MS))
    expect(queue.runAround({ startMs: 0, endMs: queue.endMs, overlapMs: 0 })).toHaveLength(120)
  })

  it('have a gap where one is missing, even if its time was counted into the one before', async () => {
    const queue = await openFlac([0, FRAME_MS, 3 * FRAME_MS, 4 * FRAME_MS], 2 * FRAME_MS)
    expect(queue.findGapEnd(0, Number.POSITIVE_INFINITY)).toBe(3 * FRAME_MS)
  })
})

describe('holes that are too short for a gap each', () => {
  /** Stretches of packets, with holes between them. */
  function stretches(count: number, { stretchMs, holeMs }: { stretchMs: number; holeMs: number }): number[] {
    return Array.from({ length: count }, (_, i) =>
      steadyTo(stretchMs).map((ms) => i * (stretchMs + holeMs) + ms),
    ).flat()
  }

  it('are a gap as soon as so much is missing together', async () => {
    const queue = await openAt(stretches(10, { stretchMs: 2_000, holeMs: 400 }))
    expect(queue.findGapEnd(0, Number.POSITIVE_INFINITY)).toBe(2 * 2_400)
    expect(queue.findGapEnd(2 * 2_400, Number.POSITIVE_INFINITY)).toBe(4 * 2_400)
  })

  it('are none in silence that few packets are sent of, until the next sound', async () => {
    const silence = Array.from({ length: 25 }, (_, i) => 4_000 + i * 400)
    const speech = stretches(1, { stretchMs: 4_000, holeMs: 0 })
    const queue = await openAt([...speech, ...silence, ...speech.map((ms) => 14_000 + ms)])
    expect(queue.findGapEnd(0, Number.POSITIVE_INFINITY)).toBe(14_000)
    expect(queue.findGapEnd(14_000, Number.POSITIVE_INFINITY)).toBeNull()
  })

  it('do not reach into the overlap with the chunk before or after', async () => {
    const queue = await openAt(stretches(3, { stretchMs: 1_000, holeMs: 400 }))
    const run = queue.runAround({ startMs: 1_400, endMs: 2_800, overlapMs: 1_250 })
    expect([run[0]?.startMs, run.at(-1)?.endMs]).toEqual([1_400, 2_400])
  })
})

describe('hasNoWord', () => {
  const packetOf = (endMs: number) => ({ startMs: 0, endMs, bytes: Uint8Array.of(1, 2, 3), loudness: 5 })

  it('keeps a single packet that is long enough for a word, which is alike to no other', async () => {
    const queue = await openAt([0])
    expect(queue.hasNoWord([packetOf(256)])).toBe(false)
    expect(queue.hasNoWord([packetOf(20)])).toBe(true)
  })

  it('takes silence whose encoder named itself in the first packet for silence, but no two packets that differ', async () => {
    const queue = await openAt([0])
    const run = (differing: number) =>
      Array.from({ length: 30 }, (_, at) => ({
        startMs: at * 128,
        endMs: (at + 1) * 128,
        bytes: Uint8Array.of(at < differing ? at : 100),
        loudness: 5,
      }))
    expect([0, 1, 2].map((differing) => queue.hasNoWord(run(differing)))).toEqual([true, true, false])
  })
})
