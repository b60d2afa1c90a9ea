import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from '@playwright/test'
import { makePerson } from './make-person.ts'
import { SCREENS } from './screens.ts'

/** Fonts, images and the player's controls come a moment after the words. */
const SETTLE_MS = 700

/** The widths at which the layout changes, down to the narrowest that is promised. */
const LOOKS = {
  light: { viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  dark: { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  tablet: { viewport: { width: 1024, height: 768 }, colorScheme: 'light', hasTouch: true },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', hasTouch: true },
  narrow: { viewport: { width: 320, height: 640 }, colorScheme: 'dark', hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>

interface Shoot {
  browser: Browser
  address: string
  outDir: string
  /** Part of the names of the images to take, such as `tutor` or `narrow`. */
  only: string
  report: (line: string) => void
}

/**
 * Writes `name-look.png` for every screen and look, and reports each path as it is written.
 * @throws {AggregateError} after the others, with those that could not be taken
 */
export async function takeScreenshots({ browser, address, outDir, only, report }: Shoot): Promise<void> {
  const { session, moduleId } = await makePerson(browser, address)
  const failures: Error[] = []
  for (const [look, options] of Object.entries(LOOKS)) {
    for (const screen of SCREENS.filter(({ name }) => `${name}-${look}`.includes(only))) {
      const path = join(outDir, `${screen.name}-${look}.png`)
      const storageState = screen.who === 'person' ? session : { cookies: [], origins: [] }
      const context = await browser.newContext({ ...options, baseURL: address, reducedMotion: 'reduce', storageState })
      try {
        const page = await context.newPage()
        await screen.open(page, moduleId)
        await page.waitForTimeout(SETTLE_MS)
        await page.screenshot({ path, fullPage: screen.isWindow !== true })
        report(path)
      } catch (error) {
        failures.push(new Error(`The screen ${screen.name} (${look}) could not be taken`, { cause: error }))
      } finally {
        await context.close()
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} screens could not be taken`)
}
