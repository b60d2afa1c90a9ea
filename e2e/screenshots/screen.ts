import type { Page } from '@playwright/test'

export interface Screen {
  name: string
  who: 'stranger' | 'person'
  /** Leads a fresh page there, and returns when it stands still. `moduleId` is a finished module of the person. */
  open: (page: Page, moduleId: string) => Promise<unknown>
}
