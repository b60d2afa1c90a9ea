import { describe, expect, it } from 'vitest'
import { type ChromiumProbes, ensureChromium, findChromium } from './find-chromium.ts'

function openMachine(overrides: Partial<ChromiumProbes> & { files?: string[] } = {}): ChromiumProbes {
  const { files = [], ...probes } = overrides
  return {
    env: {},
    hasFile: (path) => files.includes(path),
    playwrightPath: () => '/cache/chrome',
    canInstall: () => false,
    installPackages: async () => 'not allowed',
    say: () => {},
    ...probes,
  }
}

describe('findChromium', () => {
  it('prefers the named one, then the system’s, then Playwright’s own', () => {
    const files = ['/my/chromium', '/usr/bin/google-chrome', '/cache/chrome']
    expect(findChromium(openMachine({ files, env: { CHROMIUM_PATH: '/my/chromium' } }))).toBe('/my/chromium')
    expect(findChromium(openMachine({ files }))).toBe('/usr/bin/google-chrome')
    expect(findChromium(openMachine({ files: ['/cache/chrome'] }))).toBe('/cache/chrome')
    expect(findChromium(openMachine())).toBeNull()
  })
})

describe('ensureChromium', () => {
  it('does not look for another when the named one does not exist', async () => {
    const machine = openMachine({ files: ['/usr/bin/chromium'], env: { CHROMIUM_PATH: '/typo' } })
    await expect(ensureChromium(machine)).rejects.toThrow('CHROMIUM_PATH names /typo, which does not exist.')
  })

  it('installs one where it may', async () => {
    const files: string[] = []
    const installPackages = async () => {
      files.push('/usr/bin/chromium')
      return null
    }
    const machine = openMachine({ canInstall: () => true, installPackages, hasFile: (path) => files.includes(path) })
    expect(await ensureChromium(machine)).toBe('/usr/bin/chromium')
  })

  it('says how to get one where it may not, or cannot', async () => {
    await expect(ensureChromium(openMachine())).rejects.toThrow('sudo apt-get install chromium')
    const broken = openMachine({ canInstall: () => true, installPackages: async () => 'no network' })
    await expect(ensureChromium(broken)).rejects.toThrow('no network')
  })
})
