import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { makePerson } from './make-person.ts'
import type { Screen } from './screen.ts'
import { SCREENS } from './screens.ts'

const DESKTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
/** Fonts, images and the player's controls come a moment after the words. */
const SETTLE_MS = 700

const LOOKS = {
  light: { viewport: DESKTOP, colorScheme: 'light' },
  dark: { viewport: DESKTOP, colorScheme: 'dark' },
  phone: { viewport: PHONE, colorScheme: 'light', hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

interface Shoot {
  browser: Browser
  address: string
  outDir: string
  /** Part of the names of the screens to take. */
  only: string
  report: (line: string) => void
}

/** Writes `name-look.png` for every screen and look, and reports each path as it is written. */
export async function takeScreenshots({ browser, address, outDir, only, report }: Shoot): Promise<void> {
  const { session, moduleId } = await makePerson(browser, address)
  for (const [look, options] of Object.entries(LOOKS)) {
    for (const screen of SCREENS.filter(({ name }) => name.includes(only))) {
      const path = join(outDir, `${screen.name}-${look}.png`)
      const storageState = screen.who === 'person' ? session : { cookies: [], origins: [] }
      const context = await browser.newContext({ ...options, baseURL: address, reducedMotion: 'reduce', storageState })
      try {
        const page = await context.newPage()
        await screen.open(page, moduleId)
        await page.waitForTimeout(SETTLE_MS)
        await page.screenshot({ path, fullPage: true })
        report(path)
      } catch (error) {
        throw new Error(describe(screen, look), { cause: error })
      } finally {
        await context.close()
      }
    }
  }
}

function describe({ name }: Screen, look: string): string {
  return `The screen ${name} (${look}) could not be taken`
}
