import { expect, it } from 'vitest'
import { findAudioFormat } from './audio-chunk.ts'
import { PacketQueue } from './packet-queue.ts'

/** A queue of packets of 20 ms that begin at these times. */
async function fill(startsMs: number[]): Promise<number[]> {
  const packets = startsMs.map((startMs) => ({ startMs, lengthMs: 20, bytes: new Uint8Array(8) }))
  const next = () => packets.shift() ?? null
  const format = findAudioFormat('opus')
  if (format === null) throw new Error('no format')
  const config = { codec: 'opus', sampleRate: 48_000, channels: 1, description: null } as const
  const queue = new PacketQueue({ format, config }, { seek: next, next })
  await queue.seek(0)
  await queue.fillUntil(Number.POSITIVE_INFINITY)
  expect(queue.endMs).toBe((queue.packets.at(-1)?.startMs ?? 0) + 20)
  return queue.packets.map(({ startMs }) => startMs)
}

it('leaves out audio that goes back in time, which plays nowhere', async () => {
  expect(await fill([0, 5_000, 20, 40, 5_020])).toEqual([0, 5_000, 5_020])
})

it('keeps the order where a clock of whole milliseconds goes back a little', async () => {
  expect(await fill([0, 20, 19, 60])).toEqual([0, 20, 20, 60])
})

it('refuses times that cannot be', async () => {
  await expect(fill([0, Number.NaN])).rejects.toMatchObject({ code: 'unreadable' })
  await expect(fill([0, 25 * 60 * 60_000])).rejects.toMatchObject({ code: 'unreadable' })
})
