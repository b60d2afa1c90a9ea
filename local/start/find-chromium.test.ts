import { describe, expect, it } from 'vitest'
import type { BrowserProbes } from './find-browser.ts'
import { preferHeadlessShell } from './find-chromium.ts'

const SHELL = '/usr/bin/chromium-headless-shell'
const WINDOWS = '/usr/bin/chromium'

async function installedOn(files: string[], machine: Partial<BrowserProbes> = {}) {
  const installed: string[] = []
  const said: string[] = []
  await preferHeadlessShell({
    env: {},
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

  it('goes on with the one that is there when the installation fails', async () => {
    const { said } = await installedOn([WINDOWS], { installPackages: async () => 'no network' })
    expect(said.at(-1)).toBe('The installation failed (no network): the journeys run in /usr/bin/chromium.')
  })
})
