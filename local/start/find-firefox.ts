import { type BrowserKind, ensureBrowser, machineProbes } from './find-browser.ts'

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
