import { describe, expect, it } from 'vitest'
import { type BrowserKind, type BrowserProbes, ensureBrowser, findBrowser } from './find-browser.ts'

const KIND: BrowserKind = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  debianPackage: 'chromium',
  paths: ['/usr/bin/chromium', '/usr/bin/google-chrome', '/cache/chrome', ''],
  otherAdvice: ' or ask somebody',
}

function openMachine(overrides: Partial<BrowserProbes> & { files?: string[] } = {}): BrowserProbes {
  const { files = [], ...probes } = overrides
  return {
    env: {},
    hasFile: (path) => files.includes(path),
    canInstall: () => false,
    installPackages: async () => 'not allowed',
    say: () => {},
    ...probes,
  }
}

describe('findBrowser', () => {
  it('prefers the named one, then the first of the usual places', () => {
    const files = ['/my/chromium', '/cache/chrome', '/usr/bin/google-chrome', '']
    expect(findBrowser(KIND, openMachine({ files, env: { CHROMIUM_PATH: '/my/chromium' } }))).toBe('/my/chromium')
    expect(findBrowser(KIND, openMachine({ files }))).toBe('/usr/bin/google-chrome')
    expect(findBrowser(KIND, openMachine({ files: ['/cache/chrome'] }))).toBe('/cache/chrome')
    expect(findBrowser(KIND, openMachine({ files: [''] }))).toBeNull()
  })
})

describe('ensureBrowser', () => {
  it('does not look for another when the named one does not exist', async () => {
    const machine = openMachine({ files: ['/usr/bin/chromium'], env: { CHROMIUM_PATH: '/typo' } })
    await expect(ensureBrowser(KIND, machine)).rejects.toThrow('CHROMIUM_PATH names /typo, which does not exist.')
  })

  it('installs one where it may', async () => {
    const files: string[] = []
    const installPackages = async (packages: string[]) => {
      if (packages.includes('chromium')) files.push('/usr/bin/chromium')
      return null
    }
    const machine = openMachine({ canInstall: () => true, installPackages, hasFile: (path) => files.includes(path) })
    expect(await ensureBrowser(KIND, machine)).toBe('/usr/bin/chromium')
  })

  it('says how to get one where it may not, or cannot', async () => {
    await expect(ensureBrowser(KIND, openMachine())).rejects.toThrow(
      'run `sudo apt-get install chromium` or ask somebody, or set CHROMIUM_PATH.',
    )
    const broken = openMachine({ canInstall: () => true, installPackages: async () => 'no network' })
    await expect(ensureBrowser(KIND, broken)).rejects.toThrow('no network')
  })
})
