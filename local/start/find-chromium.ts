import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { canInstall, installCommand, installPackages } from './apt.ts'
import { StartError } from './start-error.ts'

/** What this machine has and can do; replaced in tests. */
export interface ChromiumProbes {
  env: Record<string, string | undefined>
  hasFile(path: string): boolean
  /** Where Playwright's own download lies, if there is one. */
  playwrightPath(): string
  canInstall(): boolean
  /** @returns null, or why it did not work. */
  installPackages(packages: string[]): Promise<string | null>
  say(line: string): void
}

const SYSTEM_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const machine: ChromiumProbes = {
  env: process.env,
  hasFile: existsSync,
  playwrightPath: () => chromium.executablePath(),
  canInstall,
  installPackages,
  say: console.log,
}

/** Finds a Chromium: CHROMIUM_PATH, the system's, or the one that Playwright downloaded. Null when there is none. */
export function findChromium(probes: ChromiumProbes = machine): string | null {
  const named = probes.env.CHROMIUM_PATH
  if (named) return probes.hasFile(named) ? named : null
  return [...SYSTEM_PATHS, probes.playwrightPath()].find((path) => path !== '' && probes.hasFile(path)) ?? null
}

/**
 * Finds a Chromium or, as root on a Debian-like system, installs one.
 * @throws {StartError} that says how to get one
 */
export async function ensureChromium(probes: ChromiumProbes = machine): Promise<string> {
  const found = findChromium(probes)
  if (found) return found
  const named = probes.env.CHROMIUM_PATH
  if (named) throw new StartError(`CHROMIUM_PATH names ${named}, which does not exist.`)
  const advice = `run \`${installCommand(['chromium'])}\` or \`npx playwright install chromium\`, or set CHROMIUM_PATH.`
  if (!probes.canInstall()) throw new StartError(`The browser tests need a Chromium: ${advice}`)
  probes.say('Installing chromium for the browser tests; this happens once.')
  const complaint = await probes.installPackages(['chromium'])
  const installed = findChromium(probes)
  if (installed) return installed
  throw new StartError(`Chromium could not be installed (${complaint ?? 'it is still missing'}): ${advice}`)
}
