import { access, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyClerkScripts } from './copy-clerk-scripts.ts'

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
