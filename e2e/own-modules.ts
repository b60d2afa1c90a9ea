import type { Page } from '@playwright/test'
import { signUp } from './people.ts'
import { type PlantedModule, plantModules } from './plant-modules.ts'

/** A new trainer on a dashboard with these modules, the first one newest. @returns the modules' ids */
export async function signUpWith(page: Page, modules: readonly PlantedModule[]): Promise<string[]> {
  await signUp(page)
  const userId = await page.evaluate(() => (window as unknown as { Clerk: { user: { id: string } } }).Clerk.user.id)
  const ids = await plantModules(new URL(page.url()).origin, userId, modules)
  await page.goto('/dashboard')
  return ids
}
