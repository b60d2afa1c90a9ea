import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashSources, siteEnvironment } from './site.ts'

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
    const before = await hashSources(repoDir, { VITE_A: '1' })
    await writeFile(join(repoDir, 'README.md'), 'not a source')
    expect(await hashSources(repoDir, { HOME: '/root', VITE_A: '1' })).toBe(before)
  })

  it('changes with a file’s content, its name, the lock file and a setting of the build', async () => {
    const hashes = [await hashSources(repoDir, {})]
    await writeFile(join(repoDir, 'web/ui/button.tsx'), 'two')
    hashes.push(await hashSources(repoDir, {}))
    await writeFile(join(repoDir, 'web/ui/empty.tsx'), '')
    hashes.push(await hashSources(repoDir, {}))
    await writeFile(join(repoDir, 'package-lock.json'), '{ }')
    hashes.push(await hashSources(repoDir, {}))
    hashes.push(await hashSources(repoDir, { VITE_A: '1' }))
    expect(new Set(hashes).size).toBe(5)
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
