import { expect, type Page } from '@playwright/test'
import { createAccount } from './people.ts'
import { type PlantedModule, seedModules } from './seed-modules.ts'

/** Signs a new trainer up who has these modules, the first one newest; no page is opened. @returns the modules' ids */
export async function signUpAsOwner(page: Page, modules: readonly PlantedModule[]): Promise<string[]> {
  const { origin, userId } = await createAccount(page.request)
  return seedModules(origin, userId, modules)
}

/** A new trainer on a dashboard with these modules. @returns the modules' ids */
export async function signUpWith(page: Page, modules: readonly PlantedModule[]): Promise<string[]> {
  const ids = await signUpAsOwner(page, modules)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Training Dashboard' })).toBeVisible()
  return ids
}
