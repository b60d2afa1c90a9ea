import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { copyClerkScripts, hashSources, siteEnvironment } from './site.ts'

describe('copyClerkScripts', () => {
  let siteDir: string

  beforeAll(async () => {
    siteDir = await mkdtemp(join(tmpdir(), 'clerk-scripts-'))
    await copyClerkScripts(siteDir)
  })

  afterAll(() => rm(siteDir, { recursive: true }))

  it.each([
    ['clerk-js', 'clerk.browser.js'],
    ['ui', 'ui.browser.js'],
  ])('copies the scripts of %s with their licence', async (name, entry) => {
    const names = await readdir(join(siteDir, 'clerk-scripts', name))
    expect(names).toEqual(expect.arrayContaining([entry, 'LICENSE.txt']))
    expect(names.length).toBeGreaterThan(10)
    expect(await readFile(join(siteDir, 'clerk-scripts', name, 'LICENSE.txt'), 'utf8')).toContain('MIT')
  })

  it.each(['clerk-js', 'ui'])('copies the chunks of one build of %s only', async (name) => {
    const names = await readdir(join(siteDir, 'clerk-scripts', name))
    const hashes = names.flatMap((file) => /_([0-9a-f]{6})_/.exec(file)?.[1] ?? [])
    expect(new Set(hashes).size).toBe(1)
    expect(names.some((file) => file.includes('legacy'))).toBe(false)
  })

  it('leaves nothing of an older version behind when it runs again', async () => {
    const stale = join(siteDir, 'clerk-scripts', 'ui', 'signin_ui_000000_0.0.1.js')
    await writeFile(stale, '')
    await copyClerkScripts(siteDir)
    await expect(access(stale)).rejects.toThrow('ENOENT')
  })
})

let repoDir: string
beforeEach(async () => {
  repoDir = await mkdtemp(join(tmpdir(), 'adapt-sources-'))
  await mkdir(join(repoDir, 'web/ui'), { recursive: true })
  await writeFile(join(repoDir, 'web/ui/button.tsx'), 'one')
  await writeFile(join(repoDir, 'package-lock.json'), '{}')
})
afterEach(() => rm(repoDir, { recursive: true }))

describe('hashSources', () => {
  it('stays the same while nothing that matters changes', async () => {
    const before = hashSources(repoDir, { VITE_A: '1' })
    await writeFile(join(repoDir, 'README.md'), 'not a source')
    expect(hashSources(repoDir, { HOME: '/root', VITE_A: '1' })).toBe(before)
  })

  it('changes with a file’s content, its name, the lock file and a setting of the build', async () => {
    const hashes = [hashSources(repoDir, {})]
    await writeFile(join(repoDir, 'web/ui/button.tsx'), 'two')
    hashes.push(hashSources(repoDir, {}))
    await writeFile(join(repoDir, 'web/ui/empty.tsx'), '')
    hashes.push(hashSources(repoDir, {}))
    await writeFile(join(repoDir, 'package-lock.json'), '{ }')
    hashes.push(hashSources(repoDir, {}))
    hashes.push(hashSources(repoDir, { VITE_A: '1' }))
    await mkdir(join(repoDir, 'media'))
    await writeFile(join(repoDir, 'media/cut-audio.ts'), '')
    hashes.push(hashSources(repoDir, { VITE_A: '1' }))
    expect(new Set(hashes).size).toBe(6)
  })
})

describe('siteEnvironment', () => {
  it('uses the Clerk stand-in unless the user names a Clerk of their own, even an empty one', () => {
    expect(siteEnvironment({})).toEqual({
      VITE_CLERK_PUBLISHABLE_KEY: 'pk_live_Y2xlcmsubG9jYWxob3N0LnRlc3Qk',
      VITE_CLERK_PROXY_URL: '/__clerk',
      R2_S3_ENDPOINT: '',
    })
    const own = { VITE_CLERK_PUBLISHABLE_KEY: '', VITE_CLERK_PROXY_URL: '', R2_S3_ENDPOINT: '' }
    expect(siteEnvironment(own)).toEqual(own)
  })
})

describe('VITE_KEEP=off', () => {
  it('builds share pages without keeping, and a service worker that ends it', async () => {
    const outDir = await mkdtemp(join(tmpdir(), 'adapt-site-'))
    try {
      const vite = ['node_modules/vite/bin/vite.js', 'build', '--config', 'vite.share.config.ts', '--outDir', outDir]
      const env = { ...process.env, VITE_KEEP: 'off', NODE_ENV: 'production' }
      await promisify(execFile)(process.execPath, [...vite, '--logLevel', 'error'], { env })
      expect(await readFile(join(outDir, 'share.html'), 'utf8')).not.toContain('id="keep"')
      const worker = await readFile(join(outDir, 'kept-worker.js'), 'utf8')
      expect(worker).toContain('unregister')
      expect(worker).not.toContain('"fetch"')
      expect(worker).not.toContain('`fetch`')
    } finally {
      await rm(outDir, { recursive: true })
    }
  }, 60_000)
})
