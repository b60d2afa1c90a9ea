import { chromium } from 'playwright-core'
import { type BrowserKind, type BrowserProbes, ensureBrowser, findBrowser, machineProbes } from './find-browser.ts'

const CHROMIUM: BrowserKind = {
  name: 'Chromium',
  variable: 'CHROMIUM_PATH',
  // Without windows and a toolbar for every page that nobody sees, it takes two fifths of the processor's time.
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
