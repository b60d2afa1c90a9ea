// Behaviour: a reading that returns to the same places again and again ends.
import { describe, expect, it } from 'vitest'
import { MediaFault } from '../byte-window.ts'
import { ProgressGuard } from '../open-media.ts'
import { readMediaFacts } from '../read-facts.ts'
import { pickMedia } from '../testing/cut-all.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'

const CLUSTER = [0x1f, 0x43, 0xb6, 0x75]

describe('ProgressGuard', () => {
  it('ends a search that finds the same broken cluster again and again', async () => {
    const bytes = await makeMedia('live', steadyPackets(100))
    const second = bytes.findLastIndex((_, at) => CLUSTER.every((byte, i) => bytes[at + i] === byte))
    // No size begins with a zero.
    bytes[second + CLUSTER.length] = 0
    await expect(readMediaFacts(pickMedia(bytes)())).rejects.toMatchObject({ code: 'unreadable' })
  })

  it('lets a reader come back now and then, however long it reads', () => {
    const guard = new ProgressGuard()
    expect(() => {
      for (let at = 0; at < 100_000; at++) for (const start of [at, at + 8, at]) guard.note(start)
    }).not.toThrow()
    expect(() => {
      for (let at = 0; at < 2_000; at++) guard.note(at % 3)
    }).toThrow(MediaFault)
  })
})
