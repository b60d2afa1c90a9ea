import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readAudioKind } from './audio-chunk.ts'
import { openFeed } from './choose-track.ts'
import { openMedia } from './open-media.ts'
import { PacketQueue } from './packet-queue.ts'
import { readMediaFacts } from './read-facts.ts'
import { cutAll, pickMedia } from './testing/cut-all.ts'
import { decode, ffmpeg } from './testing/odd/run-tools.ts'

const folder = mkdtempSync(join(tmpdir(), 'one-channel-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** How loud a file is once its channels are mixed to one, as recognisers do. */
function mixedLoudness(name: string, bytes: Uint8Array): number {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  const samples = decode(path)
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
}

/** Two channels whose sum is silence. */
async function cutCancelling(codec: string[], suffix: string) {
  const path = join(folder, `cancelling.${suffix}`)
  const tone = 'sine=f=440:r=48000:d=3,pan=stereo|c0=c0|c1=-1*c0'
  ffmpeg('-f', 'lavfi', '-i', tone, ...codec, path)
  const open = pickMedia(new Uint8Array(readFileSync(path)))
  return { open, facts: await readMediaFacts(open()) }
}

describe('channels that cancel each other', () => {
  it.each([
    ['aac', ['-c:a', 'aac'], 'mp4', 'm4a'],
    ['aac', ['-c:a', 'aac', '-aac_ms', '0'], 'mp4', 'm4a'],
    ['mp3', ['-c:a', 'libmp3lame'], 'mkv', 'mp3'],
    ['opus', ['-c:a', 'libopus'], 'webm', 'ogg'],
  ])(
    'channels that cancel each other are silent together, and one of them is loud alone: %s',
    async (_, codec, suffix, cutSuffix) => {
      const { open, facts } = await cutCancelling(codec, suffix)
      const { chunks } = await cutAll({ open, facts })
      const both = mixedLoudness(`both.${cutSuffix}`, chunks[0]?.bytes ?? new Uint8Array())
      const source = open()
      const track = await openMedia(source).getPrimaryAudioTrack()
      const kind = await readAudioKind(track)
      if (track === null || kind === null) throw new Error('No audio')
      const queue = new PacketQueue(kind, await openFeed(source, { track, kind }, facts.container))
      await queue.seek(0)
      await queue.fillUntil(Number.POSITIVE_INFINITY)
      const one = mixedLoudness(`one.${cutSuffix}`, queue.writeOneChannel() ?? new Uint8Array())
      expect(one).toBeGreaterThan(0.01)
      expect(one).toBeGreaterThan(10 * both)
    },
  )

  it('channels that cancel each other are one channel once they are decoded here, and so are a centre and what surrounds it', async () => {
    const { open, facts } = await cutCancelling(['-c:a', 'pcm_s16le'], 'mov')
    const { chunks } = await cutAll({ open, facts })
    expect(mixedLoudness('pcm.wav', chunks[0]?.bytes ?? new Uint8Array())).toBeGreaterThan(0.05)
  })
})
