import { describe, expect, it } from 'vitest'
import { joinBytes } from './audio-chunk.ts'
import { readMediaFacts, readStart } from './read-facts.ts'
import { pickMedia } from './testing/cut-all.ts'
import { box } from './testing/make-boxes.ts'
import { makeMedia, steadyPackets } from './testing/make-media.ts'

const failure = (code: string) => expect.objectContaining({ name: 'MediaFault', code })

async function factsOf(bytes: Uint8Array) {
  const open = pickMedia(bytes)
  return readMediaFacts(open())
}

/** Where the last box of media ends. */
function endOfMedia(bytes: Uint8Array): number {
  const at = new TextDecoder('latin1').decode(bytes).lastIndexOf('mdat')
  return at - 4 + new DataView(bytes.buffer).getUint32(at - 4)
}

describe('readMediaFacts', () => {
  it.each([
    ['mp4', 'video/mp4', 'aac'],
    ['fragmented', 'video/mp4', 'aac'],
    ['mov', 'video/quicktime', 'pcm-s16'],
    ['webm', 'video/webm', 'opus'],
    ['mkv', 'video/x-matroska', 'aac'],
  ] as const)('reads container, codec and duration of a %s file', async (container, type, codec) => {
    const facts = await factsOf(await makeMedia(container, steadyPackets(100)))
    expect(facts).toMatchObject({ container: type, hasVideo: false, audio: { codec, channels: 1 } })
    expect(Math.abs(facts.durationMs - 6400)).toBeLessThanOrEqual(64)
  })

  it.each([
    ['mp4', 'avc', 'avc1.64001f'],
    ['mp4', 'hevc', 'hvc1.1.6.L93.B0'],
    ['mov', 'hevc', 'hvc1.1.6.L93.B0'],
    ['mkv', 'hevc', 'hev1.1.6.L93.B0'],
    ['webm', 'vp9', 'vp09.00.11.08'],
  ] as const)('knows what the picture is in: %s, %s', async (container, picture, videoCodec) => {
    const facts = await factsOf(await makeMedia(container, steadyPackets(100), picture))
    expect(facts).toMatchObject({ hasVideo: true, videoCodec })
  })

  it('knows that a file has no picture', async () => {
    expect(await factsOf(await makeMedia('mp4', steadyPackets(100)))).toMatchObject({
      hasVideo: false,
      videoCodec: null,
    })
  })

  it('measures a recording that states no length', async () => {
    const facts = await factsOf(await makeMedia('live', steadyPackets(100)))
    expect(Math.abs(facts.durationMs - 6400)).toBeLessThanOrEqual(64)
  })

  it.each([
    ['an empty file', new Uint8Array(0)],
    ['a renamed page', new TextEncoder().encode('<html><body>Sign in to download</body></html>')],
    ['noise', Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 251)],
  ])('calls %s unreadable', async (_, bytes) => {
    await expect(factsOf(bytes)).rejects.toEqual(failure('unreadable'))
  })

  it('calls a video truncated whose index never arrived', async () => {
    const bytes = new Uint8Array(4000)
    bytes.set(new TextEncoder().encode('\0\0\0\x18ftypisom\0\0\0\0isommp42\0\xff\0\0mdat'))
    await expect(factsOf(bytes)).rejects.toEqual(failure('truncated'))
  })

  it.each(['mp4', 'webm', 'mkv'] as const)(
    'calls a %s truncated at whatever point it breaks off',
    async (container) => {
      const bytes = await makeMedia(container, steadyPackets(1000))
      for (const share of [0.02, 0.2, 0.5, 0.8]) {
        const chunk = bytes.subarray(0, Math.floor(bytes.byteLength * share))
        await expect(factsOf(chunk), `${share}`).rejects.toEqual(failure('truncated'))
      }
    },
  )

  it.each(['mp4', 'unbroken'] as const)('says how much of an MP4 is there (%s)', async (container) => {
    const bytes = await makeMedia(container, steadyPackets(1000))
    const cut = bytes.subarray(0, endOfMedia(bytes) - 24 * 400)
    await expect(factsOf(cut)).rejects.toMatchObject({
      code: 'truncated',
      message: expect.stringContaining('60 % of it arrived'),
    })
  })

  it('takes a recording in fragments whose last one misses less than a second', async () => {
    const bytes = await makeMedia('unbroken', steadyPackets(1000))
    const facts = await factsOf(bytes.subarray(0, endOfMedia(bytes) - 24 * 15))
    expect(facts).toMatchObject({ durationMs: 64_000, audio: { codec: 'aac' } })
  })

  it.each([
    ['text', new TextEncoder().encode('https://example.org/device/info?id=0000')],
    ['zeros', new Uint8Array(4096)],
    ['a box that is never closed', Uint8Array.from([0x7f, 0xff, 0xff, 0xff, 0x73, 0x61, 0x6d, 0x70, 0, 0])],
  ])('overlooks %s behind the last box', async (_, rest) => {
    for (const container of ['mp4', 'late', 'fragmented'] as const) {
      const bytes = joinBytes([await makeMedia(container, steadyPackets(100)), rest])
      expect(await factsOf(bytes), container).toMatchObject({ durationMs: 6400, audio: { codec: 'aac' } })
    }
  })

  it('measures an MP4 by its samples, whatever its head says', async () => {
    for (const stated of [1, 7_200_000, 90_000_000]) {
      const bytes = await makeMedia('mp4', steadyPackets(100))
      const head = new TextDecoder('latin1').decode(bytes).indexOf('mvhd')
      const view = new DataView(bytes.buffer)
      view.setUint32(head + 20, Math.min(2 ** 32 - 2, view.getUint32(head + 16) * (stated / 1000)))
      expect(await factsOf(bytes), `${stated} ms`).toMatchObject({ durationMs: 6400 })
    }
  })

  it('overlooks a stated length of fragments that is itself cut short', async () => {
    const bytes = await makeMedia('fragmented', steadyPackets(100))
    const extension = new TextDecoder('latin1').decode(bytes).indexOf('mvex') - 4
    const [before, after] = [bytes.subarray(0, extension + 8), bytes.subarray(extension + 8)]
    const lying = joinBytes([before, Uint8Array.from(box('mehd')), after])
    const view = new DataView(lying.buffer)
    for (const at of [extension, new TextDecoder('latin1').decode(bytes).indexOf('moov') - 4]) {
      view.setUint32(at, view.getUint32(at) + 8)
    }
    expect(await factsOf(lying)).toMatchObject({ durationMs: 6400 })
  })

  it('counts from the first picture or audio of what was cut out of a longer recording', async () => {
    const late = steadyPackets(100).map((packet) => ({ ...packet, startMs: packet.startMs + 3_600_000 }))
    const bytes = await makeMedia('mkv', late)
    expect(await factsOf(bytes)).toMatchObject({ startMs: 3_600_000, durationMs: 6400 })
    expect(await readStart(pickMedia(bytes)())).toBe(3_600_000)
    expect(await readStart(pickMedia(await makeMedia('mp4', steadyPackets(100)))())).toBe(0)
  })

  it.each([
    ['audio', 'mp4a', 'enca'],
    ['picture', 'avc1', 'encv'],
  ])('refuses copy protection of the %s by its name', async (_, plain, encrypted) => {
    const bytes = await makeMedia('mp4', steadyPackets(100), 'avc')
    const text = new TextDecoder('latin1').decode(bytes)
    // Its list of types names the formats as well.
    const description = text.indexOf(plain, text.indexOf('stsd'))
    bytes.set(new TextEncoder().encode(encrypted), description)
    await expect(factsOf(bytes)).rejects.toEqual(failure('encrypted'))
  })

  it('overlooks that the very last bytes are missing', async () => {
    const bytes = await makeMedia('mp4', steadyPackets(1000))
    expect(await factsOf(bytes.subarray(0, -100))).toMatchObject({ durationMs: 64_000 })
  })

  it('never hides lost access behind a verdict on the file', async () => {
    const open = pickMedia(await makeMedia('mp4', steadyPackets(100)))
    const source = open()
    const lost = new Error('Network connection lost')
    source.failure = lost
    source.read = () => Promise.reject(lost)
    await expect(readMediaFacts(source)).rejects.toBe(lost)
  })
})
