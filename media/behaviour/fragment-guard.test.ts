// Behaviour: fragments that claim more than they hold end a reading at once.
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '../read-facts.ts'
import { cutAll, pickMedia } from '../testing/cut-all.ts'
import { makeMedia, steadyPackets } from '../testing/make-media.ts'

const TRUN = Array.from('trun', (char) => char.charCodeAt(0))
/** Per sample: length, size, flags, offset. */
const FIELDS_OF_EACH = 0x0f00

/** Where the run of the n-th fragment has its name. */
function findRun(bytes: Uint8Array, nth: number): number {
  let at = -1
  for (let found = 0; found <= nth; found++) {
    do at++
    while (at < bytes.byteLength && !TRUN.every((byte, i) => bytes[at + i] === byte))
  }
  return at
}

async function makeClaim(samples: number): Promise<Uint8Array> {
  const bytes = await makeMedia('fragmented', steadyPackets(100))
  const view = new DataView(bytes.buffer)
  const at = findRun(bytes, 1)
  view.setUint32(at + 4, view.getUint32(at + 4) & ~FIELDS_OF_EACH)
  view.setUint32(at + 8, samples)
  return bytes
}

describe('ClaimGuard, fragments', () => {
  it.each([300_000, 0xffff_ffff])('refuses a fragment that claims %d samples without naming any', async (samples) => {
    const open = pickMedia(await makeClaim(samples))
    const looked = readMediaFacts(open()).then((facts) => cutAll({ open, facts }))
    await expect(looked).rejects.toMatchObject({ code: 'unreadable', message: expect.stringContaining('damaged') })
  })

  it('takes fragments of many samples that are there', async () => {
    const open = pickMedia(await makeMedia('fragmented', steadyPackets(2_000)))
    const facts = await readMediaFacts(open())
    expect((await cutAll({ open, facts })).chunks.at(-1)?.endMs).toBe(128_000)
  })
})
