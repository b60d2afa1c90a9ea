import { describe, expect, it } from 'vitest'
import type { Machine } from './install.ts'
import { type BrowserKind, ensureBrowser, ensureTools, findBrowser, preferHeadlessShell } from './tools.ts'

const EVERYTHING = ['ffmpeg', 'flite', 'pocketsphinx_continuous', 'model']

function openToolMachine(
  present: string[],
  { isRoot, complaint = null }: { isRoot: boolean; complaint?: string | null },
) {
  const installed: (readonly string[])[] = []
  const said: string[] = []
  const machine: Machine = {
    env: {},
    hasProgram: (program) => present.includes(program),
    hasFile: () => present.includes('model'),
    canInstall: () => isRoot,
    async installPackages(packages) {
      installed.push(packages)
      if (complaint === null) present.push(...EVERYTHING)
      return complaint
    },
    say: (line) => said.push(line),
  }
  return { machine, installed, said }
}

describe('ensureTools', () => {
  it('installs and says nothing when all tools are there', async () => {
    const { machine, installed, said } = openToolMachine(['flite', 'ffmpeg'], { isRoot: true })
    await ensureTools(['flite', 'ffmpeg'], machine)
    expect([installed, said]).toEqual([[], []])
  })

  it('installs the packages of the missing tools as root', async () => {
    const { machine, installed, said } = openToolMachine(['ffmpeg'], { isRoot: true })
    await ensureTools(['ffmpeg', 'flite', 'pocketsphinx'], machine)
    expect(installed).toEqual([['flite', 'ffmpeg', 'pocketsphinx', 'pocketsphinx-en-us']])
    expect(said).toHaveLength(1)
  })

  it('names the missing tools in one sentence where it may not install, or cannot', async () => {
    await expect(ensureTools(['flite'], openToolMachine([], { isRoot: false }).machine)).rejects.toThrow(
      'Tests and benches need flite: run `sudo apt-get install flite`.',
    )
    const broken = openToolMachine([], { isRoot: true, complaint: 'no network' })
    await expect(ensureTools(['flite'], broken.machine)).rejects.toThrow('flite could not be installed (no network)')
  })
})

const KIND: BrowserKind = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  debianPackage: 'chromium',
  paths: ['/usr/bin/chromium', '/usr/bin/google-chrome', '/cache/chrome', ''],
  otherAdvice: ' or ask an administrator',
}

function openMachine(overrides: Partial<Machine> & { files?: string[] } = {}): Machine {
  const { files = [], ...others } = overrides
  return {
    env: {},
    hasProgram: () => false,
    hasFile: (path) => files.includes(path),
    canInstall: () => false,
    installPackages: async () => 'not allowed',
    say: () => {},
    ...others,
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
    const installPackages = async (packages: readonly string[]) => {
      if (packages.includes('chromium')) files.push('/usr/bin/chromium')
      return null
    }
    const machine = openMachine({ canInstall: () => true, installPackages, hasFile: (path) => files.includes(path) })
    expect(await ensureBrowser(KIND, machine)).toBe('/usr/bin/chromium')
  })

  it('says how to get one where it may not, or cannot', async () => {
    await expect(ensureBrowser(KIND, openMachine())).rejects.toThrow(
      'run `sudo apt-get install chromium` or ask an administrator, or set CHROMIUM_PATH.',
    )
    const broken = openMachine({ canInstall: () => true, installPackages: async () => 'no network' })
    await expect(ensureBrowser(KIND, broken)).rejects.toThrow('no network')
  })
})

const SHELL = '/usr/bin/chromium-headless-shell'
const WINDOWS = '/usr/bin/chromium'

async function installedOn(files: string[], machine: Partial<Machine> = {}) {
  const installed: string[] = []
  const said: string[] = []
  await preferHeadlessShell({
    env: {},
    hasProgram: () => false,
    hasFile: (path) => files.includes(path),
    canInstall: () => true,
    installPackages: async (packages) => {
      installed.push(...packages)
      return null
    },
    say: (line) => said.push(line),
    ...machine,
  })
  return { installed, said }
}

describe('preferHeadlessShell', () => {
  it('installs the Chromium without windows beside one with windows', async () => {
    expect((await installedOn([WINDOWS])).installed).toEqual(['chromium-headless-shell'])
  })

  it('installs nothing where it is there, where another is named, or where it may not', async () => {
    expect((await installedOn([SHELL, WINDOWS])).installed).toEqual([])
    expect((await installedOn([WINDOWS], { env: { CHROMIUM_PATH: WINDOWS } })).installed).toEqual([])
    expect((await installedOn([WINDOWS], { canInstall: () => false })).installed).toEqual([])
  })

  it('uses the installed one when the installation fails', async () => {
    const { said } = await installedOn([WINDOWS], { installPackages: async () => 'no network' })
    expect(said.at(-1)).toBe('The installation failed (no network): the journeys run in /usr/bin/chromium.')
  })
})
