import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '#media/read-facts.ts'
import { cutAll } from '#media/testing/cut-all.ts'
import { type MadeContainer, makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { storeMedia } from '#worker/domain/media/testing/store-media.ts'
import { type ComparedSound, findSoundFault } from './find-sound-fault.ts'

/** Quiet every 1.9 s, so that parts are cut where it is quiet. */
const LOUDNESS = (index: number) => (index % 30 < 3 ? 20 : 120)

async function soundOf(container: MadeContainer): Promise<ComparedSound & { durationMs: number }> {
  const openSource = await storeMedia(env.MEDIA, await makeMedia(container, steadyPackets(4000, LOUDNESS)))
  const facts = await readMediaFacts(openSource())
  const { parts } = await cutAll({ open: openSource, facts })
  const stored = parts.map(async ({ bytes, ...part }) => {
    const key = `sound-test/${crypto.randomUUID()}`
    const etag = (await env.MEDIA.put(key, bytes))?.etag ?? null
    return { ...part, key, etag, sizeBytes: bytes.byteLength }
  })
  const { durationMs } = facts
  return { bucket: env.MEDIA, openSource, facts, durationMs, parts: await Promise.all(stored), partCount: parts.length }
}

describe('findSoundFault', () => {
  it.each<MadeContainer>(['mp4', 'fragmented', 'mov', 'webm', 'live', 'mkv'])(
    'finds the sound of a %s equal wherever it looks, which the same code cut in a browser',
    async (container) => {
      const sound = await soundOf(container)
      expect(sound.parts.length).toBeGreaterThan(6)
      expect(await findSoundFault(sound)).toBeNull()
      // Where it looks depends on how many parts there are: look at each of them.
      for (let count = 1; count < sound.parts.length; count++) {
        const some = { ...sound, parts: sound.parts.slice(0, count), partCount: null }
        expect(await findSoundFault(some)).toBeNull()
      }
    },
  )

  it('allows a second between what two say of the length, and no more', async () => {
    const sound = await soundOf('mp4')
    const fault = (durationMs: number | null) => findSoundFault({ ...sound, durationMs })
    expect(await fault(sound.durationMs - 1000)).toBeNull()
    expect(await fault(sound.durationMs + 1000)).toBeNull()
    for (const other of [sound.durationMs - 1001, sound.durationMs + 1001, null]) {
      expect(await fault(other)).toContain('it lasts')
    }
  })

  it('says that a part is missing, does not follow, has other times, other bytes, or is gone', async () => {
    const sound = await soundOf('mp4')
    const { parts } = sound
    const fault = (change: Partial<ComparedSound>) => findSoundFault({ ...sound, ...change })
    const first = parts[0]
    if (first === undefined) throw new Error('nothing was cut')
    expect(await fault({ parts: parts.slice(1) })).toContain('parts are there')
    expect(await fault({ parts: parts.slice(1), partCount: null })).toContain('does not follow')
    const late = parts.map((part) => (part.part === 3 ? { ...part, startMs: part.startMs + 1 } : part))
    expect(await fault({ parts: late })).toBe('part 3 does not follow the one before it')
    expect(await fault({ parts: [{ ...first, audioDurationMs: 1 }, ...parts.slice(1)] })).toContain('part 0 is not')
    expect(await fault({ parts: [{ ...first, key: 'nowhere' }, ...parts.slice(1)] })).toContain('part 0 is not')
    expect(await fault({ facts: { ...sound.facts, audio: null } })).toContain('no sound')
    await env.MEDIA.put(first.key, new Uint8Array(first.sizeBytes))
    expect(await fault({})).toContain('part 0 is not')
  })

  it('has nothing to say of sound that never came', async () => {
    const sound = await soundOf('mp4')
    expect(await findSoundFault({ ...sound, parts: [], partCount: null })).toBeNull()
    expect(await findSoundFault({ ...sound, parts: [] })).toContain('0 of')
  })
})
