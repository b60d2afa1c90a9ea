import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import {
  canInstall,
  describeInstall,
  hasProgram,
  installCommand,
  installPackages,
  missingSpeechTools,
  PACKAGES as SPEECH_PACKAGES,
} from './install.ts'
import { StartError } from './start-config.ts'

/** A browser that tests drive, and where it may be. */
export interface BrowserKind {
  name: string
  /** Environment variable that names its program. */
  variable: string
  debianPackage: string
  paths: readonly string[]
  /** How to get it besides Debian's package, as the end of a sentence. */
  otherAdvice: string
}

/** What this machine has and can do; replaced in tests. */
export interface BrowserProbes {
  env: Record<string, string | undefined>
  hasFile(path: string): boolean
  canInstall(): boolean
  /** @returns null, or why it did not work. */
  installPackages(packages: string[]): Promise<string | null>
  say(line: string): void
}

const machineProbes: BrowserProbes = {
  env: process.env,
  hasFile: existsSync,
  canInstall,
  installPackages,
  say: console.log,
}

/** The one that the environment names, or the first that is there. Null when there is none. */
export function findBrowser(kind: BrowserKind, probes: BrowserProbes): string | null {
  const named = probes.env[kind.variable]
  if (named) return probes.hasFile(named) ? named : null
  return kind.paths.find((path) => path !== '' && probes.hasFile(path)) ?? null
}

/**
 * Finds a browser or, as root on a Debian-like system, installs one.
 * @throws {StartError} that says how to get one
 */
export async function ensureBrowser(kind: BrowserKind, probes: BrowserProbes): Promise<string> {
  const found = findBrowser(kind, probes)
  if (found) return found
  const { name, variable, debianPackage, otherAdvice } = kind
  const named = probes.env[variable]
  if (named) throw new StartError(`${variable} names ${named}, which does not exist.`)
  const advice = `run \`${installCommand([debianPackage])}\`${otherAdvice}, or set ${variable}.`
  if (!probes.canInstall()) throw new StartError(`The browser tests need a ${name}: ${advice}`)
  probes.say(describeInstall([debianPackage], `for the browser tests, which need a ${name}`))
  const complaint = await probes.installPackages([debianPackage])
  const installed = findBrowser(kind, probes)
  if (installed) return installed
  throw new StartError(`${name} could not be installed (${complaint ?? 'it is still missing'}): ${advice}`)
}

const CHROMIUM: BrowserKind = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  // Without windows and a toolbar for every page, it takes two fifths of the processor's time.
  debianPackage: 'chromium-headless-shell',
  paths: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    // Playwright's own download.
    chromium.executablePath(),
  ],
  otherAdvice: ' or `npx playwright install chromium`',
}

/**
 * Finds a Chromium: CHROMIUM_PATH, the system's, or the one that Playwright downloaded; as root on a Debian-like system,
 * installs one.
 * @throws {StartError} that says how to get one
 */
export function ensureChromium(): Promise<string> {
  return ensureBrowser(CHROMIUM, machineProbes)
}

/**
 * Installs the Chromium without windows where only one with windows is at hand, as root on a Debian-like system. Where that
 * fails, the one with windows does the same in more time.
 */
export async function preferHeadlessShell(probes: BrowserProbes = machineProbes): Promise<void> {
  const found = findBrowser(CHROMIUM, probes)
  const isEnough = found === null || found.endsWith(CHROMIUM.debianPackage)
  if (isEnough || probes.env[CHROMIUM.variable] || !probes.canInstall()) return
  probes.say(
    `Installing ${CHROMIUM.debianPackage}, which spares the journeys a quarter of their time; this happens once.`,
  )
  const complaint = await probes.installPackages([CHROMIUM.debianPackage])
  if (complaint !== null) probes.say(`The installation failed (${complaint}): the journeys run in ${found}.`)
}

/** Firefox as people have it; Playwright's own build of it cannot be had from any package registry. */
const FIREFOX: BrowserKind = {
  name: 'Firefox',
  variable: 'FIREFOX_PATH',
  debianPackage: 'firefox-esr',
  paths: [
    '/usr/bin/firefox-esr',
    '/usr/bin/firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
    'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
  ],
  otherAdvice: '',
}

/**
 * Finds a Firefox: FIREFOX_PATH or the system's; as root on a Debian-like system, installs one.
 * @throws {StartError} that says how to get one
 */
export function ensureFirefox(): Promise<string> {
  return ensureBrowser(FIREFOX, machineProbes)
}

/** Programs beside the browsers that tests and benches run. */
export type Tool = 'ffmpeg' | 'flite' | 'pocketsphinx'

/** What this machine has and can do; replaced in tests. */
export interface ToolProbes extends Pick<BrowserProbes, 'canInstall' | 'installPackages' | 'say'> {
  has(tool: Tool): boolean
}

const PACKAGES: Record<Tool, readonly string[]> = {
  ffmpeg: ['ffmpeg'],
  flite: ['flite'],
  pocketsphinx: SPEECH_PACKAGES,
}

function has(tool: Tool): boolean {
  return tool === 'pocketsphinx' ? missingSpeechTools().length === 0 : hasProgram(tool)
}

/**
 * Finds programs or, as root on a Debian-like system, installs them.
 * @throws {StartError} that names the missing ones and how to get them
 */
export async function ensureTools(
  tools: readonly Tool[],
  probes: ToolProbes = { ...machineProbes, has },
): Promise<void> {
  const missing = tools.filter((tool) => !probes.has(tool))
  if (missing.length === 0) return
  const packages = [...new Set(missing.flatMap((tool) => PACKAGES[tool]))]
  const advice = `run \`${installCommand(packages)}\`.`
  if (!probes.canInstall()) throw new StartError(`Tests and benches need ${missing.join(', ')}: ${advice}`)
  probes.say(`Installing ${packages.join(', ')} for tests and benches; this happens once.`)
  const complaint = await probes.installPackages(packages)
  const lacking = missing.filter((tool) => !probes.has(tool))
  if (lacking.length === 0) return
  throw new StartError(`${lacking.join(', ')} could not be installed (${complaint ?? 'still missing'}): ${advice}`)
}

/** Waits for what a script needs; where it cannot be had, ends the process with the one sentence that says how. */
export async function orEnd<T>(needed: Promise<T>): Promise<T> {
  try {
    return await needed
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
