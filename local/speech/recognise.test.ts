import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ensureTools } from '../start/tools.ts'
import { recognise, workLimitS } from './recognise.ts'

/** Where it has to be installed first. */
const INSTALL_MS = 240_000

describe('workLimitS', () => {
  it('is one and a half times the audio, but never under 20 s', () => {
    expect(workLimitS(0)).toBe(20)
    expect(workLimitS(13.3)).toBe(20)
    expect(workLimitS(13.4)).toBe(21)
    expect(workLimitS(600)).toBe(900)
  })
})

// Prints what the recogniser prints, then works for ever.
const STUCK_RECOGNISER = `#!/bin/sh
printf 'open it\\nopen 0.100 0.400 0.300000\\nit 0.500 0.700 0.200000\\nno'
while :; do :; done
`

describe('recognise', () => {
  beforeAll(() => ensureTools(['ffmpeg']), INSTALL_MS)

  it('gives up audio that is too hard, with the words so far and no files left', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'adapt-stuck-'))
    const audioPath = join(dir, 'second.wav')
    spawnSync('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'anullsrc=r=16000', '-t', '1', audioPath])
    await writeFile(join(dir, 'pocketsphinx_continuous'), STUCK_RECOGNISER, { mode: 0o755 })
    const path = process.env.PATH
    process.env.PATH = `${dir}:${path}`
    try {
      const signal = new AbortController().signal
      const transcription = await recognise(await readFile(audioPath), { workDir: dir, signal, leastWorkS: 1 })
      expect(transcription).toMatchObject({ text: 'open it', duration: 1 })
      expect((await readdir(dir)).sort()).toEqual(['pocketsphinx_continuous', 'second.wav'])
    } finally {
      process.env.PATH = path
      await rm(dir, { recursive: true })
    }
    // Two seconds of processor time, which a busy machine gives slowly.
  }, 60_000)
})
