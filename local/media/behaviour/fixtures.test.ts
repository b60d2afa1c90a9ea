// Behaviour: the media that are stored with the tests are what their script makes.
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const REPO = resolve(import.meta.dirname, '../../..')
const SAMPLE = join(REPO, 'web/public/sample')
const FIXTURES = join(REPO, 'local/media/fixtures')

// The box that holds an MP4's index.
const indexAt = async (name: string) => (await readFile(join(FIXTURES, name))).indexOf('moov')

describe('the stored media', () => {
  it('is small enough to live in the repository', async () => {
    for (const dir of [SAMPLE, FIXTURES]) {
      for (const name of await readdir(dir)) expect((await stat(join(dir, name))).size, name).toBeLessThan(900_000)
    }
  })

  it('has its index where the names say', async () => {
    const sizeBytes = (await stat(join(FIXTURES, 'tiny.mp4'))).size
    expect(await indexAt('tiny.mp4')).toBeLessThan(sizeBytes * 0.1)
    expect(await indexAt('moov-at-end.mp4')).toBeGreaterThan(sizeBytes * 0.6)
    expect((await readFile(join(FIXTURES, 'fragmented.mp4'))).includes('moof')).toBe(true)
  })

  it('comes with captions of the whole sample', async () => {
    const captions = await readFile(join(SAMPLE, 'adapt-sample.vtt'), 'utf8')
    expect(captions.startsWith('WEBVTT\n')).toBe(true)
    expect(captions.match(/-->/g)?.length).toBe(17)
  })
})
