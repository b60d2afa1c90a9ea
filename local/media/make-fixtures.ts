// `npm run fixtures`: makes the project's own media from nothing but text, with flite and ffmpeg.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureTools, orEnd } from '../start/tools.ts'
import { makeSample } from './make-sample.ts'
import { makeTestMedia } from './make-test-media.ts'

await orEnd(ensureTools(['flite', 'ffmpeg']))

const repoDir = resolve(import.meta.dirname, '../..')
const workDir = await mkdtemp(join(tmpdir(), 'adapt-media-'))
try {
  const sampleDir = join(repoDir, 'web/public/sample')
  const fixturesDir = join(repoDir, 'local/media/fixtures')
  await Promise.all([sampleDir, fixturesDir].map((dir) => mkdir(dir, { recursive: true })))
  const made = [...(await makeSample(sampleDir, workDir)), ...(await makeTestMedia(fixturesDir, workDir))]
  for (const path of made) console.log(`${path.slice(repoDir.length + 1)}  ${(await stat(path)).size} bytes`)
} finally {
  await rm(workDir, { recursive: true })
}
