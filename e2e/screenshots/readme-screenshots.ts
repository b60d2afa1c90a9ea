import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from '@playwright/test'
import { holdPartsBut, makeLargeVideo, untilRecorded } from '../large-upload.ts'
import { stepsOf } from '../training.ts'
import { makePerson, type Person } from './make-person.ts'
import { untilImage } from './until-image.ts'

const DESKTOP = { width: 1280, height: 800 }
const LOW = { width: 1280, height: 780 }
const WORKPLACE = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 780 }
/** A sheet of A4 at 96 dots an inch. */
const PAPER = { width: 794, height: 1123 }
const SETTLE_MS = 900

interface Image {
  name: string
  who: 'stranger' | 'person'
  look: BrowserContextOptions
  open: (page: Page, moduleId: string) => Promise<unknown>
}

const LIGHT = { viewport: DESKTOP, colorScheme: 'light' } as const
const DARK = { viewport: DESKTOP, colorScheme: 'dark' } as const

/** What a newcomer sees of Adapt first, made of the sample alone. */
const IMAGES: readonly Image[] = [
  { name: 'landing', who: 'stranger', look: LIGHT, open: (page) => page.goto('/') },
  { name: 'upload', who: 'person', look: { ...LIGHT, viewport: LOW }, open: openUpload },
  { name: 'training', who: 'person', look: { ...LIGHT, viewport: WORKPLACE }, open: openTutored },
  { name: 'editor', who: 'person', look: { ...LIGHT, viewport: WORKPLACE }, open: openEditor },
  { name: 'training-dark', who: 'person', look: { ...DARK, viewport: WORKPLACE }, open: openTutored },
  {
    name: 'share-phone',
    who: 'stranger',
    look: { viewport: PHONE, colorScheme: 'light', hasTouch: true },
    open: openShared,
  },
  {
    name: 'follow-phone',
    who: 'stranger',
    look: { viewport: PHONE, colorScheme: 'light', hasTouch: true },
    open: openFollowed,
  },
  { name: 'paper', who: 'stranger', look: { viewport: PAPER, colorScheme: 'light' }, open: openPaper },
]

/** A file on its way whose line has stalled: its audio has arrived, and half of the video. */
async function openUpload(page: Page): Promise<void> {
  await page.goto('/upload')
  await holdPartsBut(page, [1, 2])
  const video = makeLargeVideo('Change the roll in a label printer.mp4', 0, 'web/public/sample/adapt-sample.mp4')
  await page.getByLabel('Select video').setInputFiles(video)
  await untilRecorded(page, 2)
  await page.getByText('The audio has arrived already').waitFor()
}

async function openTutored(page: Page, moduleId: string): Promise<void> {
  await page.goto(`/training/${moduleId}`)
  await stepsOf(page).nth(1).getByRole('button').first().click()
  await untilImage(page)
  const field = page.getByRole('textbox', { name: 'Your question' })
  if ((await page.getByRole('group', { name: 'Did this answer help?' }).count()) === 0) {
    await field.fill('How do I open the cover?')
    await field.press('Enter')
  }
  await page.getByRole('group', { name: 'Did this answer help?' }).first().waitFor()
  await field.blur()
}

async function openEditor(page: Page, moduleId: string): Promise<void> {
  await page.goto(`/training/${moduleId}`)
  await stepsOf(page).first().waitFor()
  await untilImage(page)
  await page.getByRole('button', { name: /^Edit step 2:/ }).click()
  await page.getByRole('form', { name: /^Edit step/ }).waitFor()
}

async function openShared(page: Page, moduleId: string): Promise<void> {
  await page.goto(`/share/${moduleId}`)
  await stepsOf(page).nth(1).getByRole('button').first().click()
  await untilImage(page)
}

async function openFollowed(page: Page, moduleId: string): Promise<void> {
  // A browser without a screen cannot keep it on, and says so.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => ({ release: async () => {} }) } })
  })
  await page.goto(`/share/${moduleId}?follow=1`)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
  await untilImage(page)
}

async function openPaper(page: Page, moduleId: string): Promise<void> {
  await page.goto(`/share/${moduleId}/print`)
}

/** Writes `name.png` for every screenshot of README.md. @returns the paths */
export async function takeReadmeScreenshots(at: {
  browser: Browser
  address: string
  outDir: string
  only: string
}): Promise<string[]> {
  const person = await makePerson(at.browser, at.address)
  const paths: string[] = []
  for (const image of IMAGES.filter(({ name }) => name.includes(at.only))) paths.push(await take(image, person, at))
  return paths
}

async function take(
  { name, who, look, open }: Image,
  { session, moduleId }: Person,
  { browser, address, outDir }: { browser: Browser; address: string; outDir: string },
): Promise<string> {
  const storageState = who === 'person' ? session : { cookies: [], origins: [] }
  const context = await browser.newContext({ ...look, baseURL: address, reducedMotion: 'reduce', storageState })
  const page = await context.newPage()
  await open(page, moduleId)
  await page.waitForTimeout(SETTLE_MS)
  const path = join(outDir, `${name}.png`)
  await page.screenshot({ path })
  await context.close()
  return path
}
