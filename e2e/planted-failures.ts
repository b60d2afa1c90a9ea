import type { Page } from '@playwright/test'
import { STAND_IN_PUBLISHABLE_KEY } from '#local/clerk/session/publishable-key.ts'

export const LANDING_CODE = '**/assets/landing-page-*.js'

export interface Failure {
  name: string
  message: string
}

/** Puts a landing page into the built app that fails to be drawn. */
export async function breakLanding(page: Page, { name, message }: Failure): Promise<void> {
  const error = `Object.assign(new Error(${JSON.stringify(message)}), { name: ${JSON.stringify(name)} })`
  const body = `export function LandingPage() { throw ${error} }`
  await page.route(LANDING_CODE, (route) => route.fulfill({ contentType: 'text/javascript', body }))
}

/** Serves the app as if it had been built with another publishable key. */
export async function replaceKey(page: Page, otherKey: string): Promise<void> {
  await page.route('**/assets/{account,start}-*.js', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(STAND_IN_PUBLISHABLE_KEY, otherKey)
    await route.fulfill({ response, body })
  })
}
