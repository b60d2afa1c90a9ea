import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '#media/read-facts.ts'
import { cutAll } from '#media/testing/cut-all.ts'
import { type MadeContainer, makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { type ComparedAudio, compareAudio } from './compare-audio.ts'
import { storeMedia } from './testing/store-media.ts'

/** Quiet every 1.9 s, so that chunks are cut where it is quiet. */
const LOUDNESS = (index: number) => (index % 30 < 3 ? 20 : 120)

async function audioOf(container: MadeContainer): Promise<ComparedAudio & { durationMs: number }> {
  const openSource = await storeMedia(env.MEDIA, await makeMedia(container, steadyPackets(4000, LOUDNESS)))
  const facts = await readMediaFacts(openSource())
  const { chunks } = await cutAll({ open: openSource, facts })
  const stored = chunks.map(async ({ bytes, ...chunk }) => {
    const key = `audio-test/${crypto.randomUUID()}`
    const etag = (await env.MEDIA.put(key, bytes))?.etag ?? null
    return { ...chunk, key, etag, sizeBytes: bytes.byteLength }
  })
  const { durationMs } = facts
  return {
    bucket: env.MEDIA,
    openSource,
    facts,
    durationMs,
    chunks: await Promise.all(stored),
    chunkCount: chunks.length,
  }
}

describe('compareAudio', () => {
  it.each<MadeContainer>(['mp4', 'fragmented', 'mov', 'webm', 'live', 'mkv'])(
    'finds the audio of a %s equal wherever it looks, which the same code cut in a browser',
    async (container) => {
      const audio = await audioOf(container)
      expect(audio.chunks.length).toBeGreaterThan(6)
      expect(await compareAudio(audio)).toBeNull()
      // Where it looks depends on how many chunks there are: look at each of them.
      for (let count = 1; count < audio.chunks.length; count++) {
        const some = { ...audio, chunks: audio.chunks.slice(0, count), chunkCount: null }
        expect(await compareAudio(some)).toBeNull()
      }
    },
  )

  it('allows a second between what two say of the length, and no more', async () => {
    const audio = await audioOf('mp4')
    const fault = (durationMs: number | null) => compareAudio({ ...audio, durationMs })
    expect(await fault(audio.durationMs - 1000)).toBeNull()
    expect(await fault(audio.durationMs + 1000)).toBeNull()
    for (const other of [audio.durationMs - 1001, audio.durationMs + 1001, null]) {
      expect(await fault(other)).toContain('it lasts')
    }
  })

  it('says that a chunk is missing, does not follow, has other times, other bytes, or is gone', async () => {
    const audio = await audioOf('mp4')
    const { chunks } = audio
    const fault = (change: Partial<ComparedAudio>) => compareAudio({ ...audio, ...change })
    const first = chunks[0]
    if (first === undefined) throw new Error('nothing was cut')
    expect(await fault({ chunks: chunks.slice(1) })).toContain('chunks are there')
    expect(await fault({ chunks: chunks.slice(1), chunkCount: null })).toContain('does not follow')
    const late = chunks.map((chunk) => (chunk.chunk === 3 ? { ...chunk, startMs: chunk.startMs + 1 } : chunk))
    expect(await fault({ chunks: late })).toBe('chunk 3 does not follow the one before it')
    expect(await fault({ chunks: [{ ...first, audioDurationMs: 1 }, ...chunks.slice(1)] })).toContain('chunk 0 is not')
    expect(await fault({ chunks: [{ ...first, key: 'nowhere' }, ...chunks.slice(1)] })).toContain('chunk 0 is not')
    expect(await fault({ facts: { ...audio.facts, audio: null } })).toContain('no audio')
    await env.MEDIA.put(first.key, new Uint8Array(first.sizeBytes))
    expect(await fault({})).toContain('chunk 0 is not')
  })

  it('has nothing to say of audio that never came', async () => {
    const audio = await audioOf('mp4')
    expect(await compareAudio({ ...audio, chunks: [], chunkCount: null })).toBeNull()
    expect(await compareAudio({ ...audio, chunks: [] })).toContain('0 of')
  })
})
