// Behaviour: the stored videos are read as what their script made them.
import { describe, expect, it } from 'vitest'
import { readMediaFacts } from '../read-facts.ts'
import { bytesOf, cutAll, pickMedia } from '../testing/cut-all.ts'

/** Videos as ffmpeg writes them, by name; as `data:` URLs. */
const FIXTURES = import.meta.glob('../../local/media/fixtures/*.{mp4,webm}', {
  query: '?inline',
  import: 'default',
  eager: true,
})

const named = Object.entries(FIXTURES).map(([path, dataUrl]) => ({ name: path.split('/').at(-1) ?? path, dataUrl }))

describe('media of the fixtures', () => {
  it.each(named)('cuts $name into chunks that follow each other to its end', async ({ name, dataUrl }) => {
    const open = pickMedia(await bytesOf(dataUrl))
    const facts = await readMediaFacts(open())
    const codec = name.endsWith('.webm') ? /^vp8$/ : /^avc1\.[0-9a-f]{6}$/
    const videoCodec = expect.stringMatching(codec)
    expect(facts).toMatchObject({ hasVideo: true, videoCodec, durationMs: expect.any(Number) })
    expect(facts.audio === null).toBe(name.startsWith('silent-track'))
    const whole = await cutAll({ open, facts, chunkMs: 2000, overlapMs: 500 })
    const sliced = await cutAll({ open, facts, chunkMs: 2000, overlapMs: 500, sliceMs: 3000 })
    expect(sliced.chunks).toEqual(whole.chunks)
    if (facts.audio === null) return expect(whole.chunks).toEqual([])
    const boundaries = whole.chunks.flatMap(({ startMs, endMs }) => [startMs, endMs])
    expect(boundaries.slice(1, -1).filter((_, i) => i % 2 === 0)).toEqual(
      whole.chunks.slice(1).map(({ startMs }) => startMs),
    )
    expect(boundaries.at(0)).toBe(0)
    expect(boundaries.at(-1)).toBeGreaterThanOrEqual(facts.durationMs)
  })

  it.each(named.filter(({ name }) => /^(tiny|moov)/.test(name)))(
    'knows that half of $name is not all of it',
    async ({ dataUrl }) => {
      const bytes = await bytesOf(dataUrl)
      const open = pickMedia(bytes.subarray(0, bytes.byteLength / 2))
      await expect(readMediaFacts(open())).rejects.toMatchObject({ code: 'truncated' })
    },
  )
})
