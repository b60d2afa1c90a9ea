import type { Page } from '@playwright/test'
import { createAccount } from './people.ts'
import { type PlantedModule, plantModules } from './plant-modules.ts'

/** A new trainer on a dashboard with these modules, the first one newest. @returns the modules' ids */
export async function signUpWith(page: Page, modules: readonly PlantedModule[]): Promise<string[]> {
  const { userId, origin } = await createAccount(page)
  const ids = await plantModules(origin, userId, modules)
  await page.goto('/dashboard')
  return ids
}
