import type { Page } from '@playwright/test'

export interface Screen {
  name: string
  who: 'stranger' | 'person'
  /** Leads a fresh page there, and returns when it stands still. `moduleId` is a finished module of the person. */
  open: (page: Page, moduleId: string) => Promise<unknown>
  /** Only what the window shows: the page is too long for an image. */
  isWindow?: true
}

/** Goes there and waits for a text. */
export async function go(page: Page, path: string, text: string | RegExp): Promise<void> {
  await page.goto(path)
  await page.getByText(text).first().waitFor()
}

/** A codec that this browser cannot play. */
export const HEVC = 'hvc1.1.6.L93.B0'
