import type { Page } from '@playwright/test'
import { signUp } from './people.ts'
import { type PlantedModule, plantModules } from './plant-modules.ts'

/** Where the system of this test run keeps its state. */
export function stateDir(): string {
  const folder = process.env['E2E_STATE_DIR']
  if (folder === undefined) throw new Error('E2E_STATE_DIR is not set')
  return folder
}

/** A new trainer on a dashboard with these modules, the first one newest. @returns the modules' ids */
export async function signUpWith(page: Page, modules: readonly PlantedModule[]): Promise<string[]> {
  await signUp(page)
  const userId = await page.evaluate(() => (window as unknown as { Clerk: { user: { id: string } } }).Clerk.user.id)
  const ids = plantModules(stateDir(), userId, modules)
  await page.goto('/dashboard')
  return ids
}
