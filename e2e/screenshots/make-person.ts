import type { Browser, BrowserContext } from '@playwright/test'
import { signUp } from '../people.ts'
import { moduleIdOf, untilReady } from '../training.ts'

/** A signed-in person with a finished module. */
export interface Person {
  session: Awaited<ReturnType<BrowserContext['storageState']>>
  moduleId: string
}

/** Signs a person up and makes a module of the sample. */
export async function makePerson(browser: Browser, address: string): Promise<Person> {
  const context = await browser.newContext({ baseURL: address })
  const page = await context.newPage()
  await signUp(page)
  await page.getByRole('button', { name: 'Try it with a sample' }).click()
  await page.waitForURL(/\/training\//, { timeout: 60_000 })
  await untilReady(page)
  const made = { session: await context.storageState(), moduleId: moduleIdOf(page) }
  await context.close()
  return made
}
