import { chromium } from 'playwright-core'
import {
  canTranslate,
  ensure,
  installCommand,
  type Machine,
  missingSpeechTools,
  SPEECH_PACKAGES,
  TRANSLATION_PACKAGES,
  thisMachine,
} from './install.ts'
import { StartError } from './start-config.ts'

/** A browser that tests drive, and where it may be. */
export interface BrowserKind {
  name: string
  variable: string
  debianPackage: string
  paths: readonly string[]
  /** How to get it besides Debian's package, as the end of a sentence. */
  otherAdvice: string
}

/** The one that the environment names, or the first that is there. Null when there is none. */
export function findBrowser({ variable, paths }: BrowserKind, machine: Machine): string | null {
  const named = machine.env[variable]
  if (named) return machine.hasFile(named) ? named : null
  return paths.find((path) => path !== '' && machine.hasFile(path)) ?? null
}

export async function ensureBrowser(kind: BrowserKind, machine: Machine): Promise<string> {
  const { name, variable, debianPackage, otherAdvice } = kind
  const find = () => findBrowser(kind, machine)
  const named = machine.env[variable]
  if (named && find() === null) throw new StartError(`${variable} names ${named}, which does not exist.`)
  const browser = {
    name,
    packages: [debianPackage],
    purpose: `for the browser tests, which need a ${name}`,
    missing: `The browser tests need a ${name}:`,
    advice: `run \`${installCommand([debianPackage])}\`${otherAdvice}, or set ${variable}.`,
    find,
  }
  return ensure(browser, machine)
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

export function ensureChromium(): Promise<string> {
  return ensureBrowser(CHROMIUM, thisMachine)
}

/**
 * Installs the Chromium without windows where only one with windows is at hand, as root on a Debian-like system. Where that
 * fails, the one with windows does the same in more time.
 */
export async function preferHeadlessShell(machine: Machine = thisMachine): Promise<void> {
  const found = findBrowser(CHROMIUM, machine)
  const isEnough = found === null || found.endsWith(CHROMIUM.debianPackage)
  if (isEnough || machine.env[CHROMIUM.variable] || !machine.canInstall()) return
  machine.say(
    `Installing ${CHROMIUM.debianPackage}, which spares the journeys a quarter of their time; this happens once.`,
  )
  const complaint = await machine.installPackages([CHROMIUM.debianPackage])
  if (complaint !== null) machine.say(`The installation failed (${complaint}): the journeys run in ${found}.`)
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

export function ensureFirefox(): Promise<string> {
  return ensureBrowser(FIREFOX, thisMachine)
}

const PACKAGES = {
  ffmpeg: ['ffmpeg'],
  flite: ['flite'],
  pocketsphinx: SPEECH_PACKAGES,
  apertium: TRANSLATION_PACKAGES,
  pdftotext: ['poppler-utils'],
  arial: ['fonts-liberation'],
} as const

/** Liberation Sans has the metrics of Arial. Which letters a page has while its font is on the way decides what moves then. */
const ARIAL_FILES = [
  '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf',
  '/usr/share/fonts/truetype/liberation2/LiberationSans-Regular.ttf',
]

/** Programs beside the browsers that tests and benches run. */
export type Tool = keyof typeof PACKAGES

export async function ensureTools(tools: readonly Tool[], machine: Machine = thisMachine): Promise<void> {
  const isThere = (tool: Tool) => {
    if (tool === 'pocketsphinx') return missingSpeechTools(machine).length === 0
    if (tool === 'apertium') return canTranslate(machine)
    if (tool === 'arial') return !machine.canInstall() || ARIAL_FILES.some((path) => machine.hasFile(path))
    return machine.hasProgram(tool)
  }
  const missing = tools.filter((tool) => !isThere(tool))
  const packages = [...new Set(missing.flatMap((tool) => PACKAGES[tool]))]
  const programs = {
    name: missing.join(', '),
    packages,
    purpose: 'for tests and benches',
    missing: `Tests and benches need ${missing.join(', ')}:`,
    advice: `run \`${installCommand(packages)}\`.`,
    find: () => tools.every(isThere) || null,
  }
  await ensure(programs, machine)
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
