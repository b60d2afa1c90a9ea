import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { writeVtt } from '#media/write-captions.ts'
import { FIXTURES } from './media.ts'
import { moduleIdOf, untilReady } from './training.ts'

/** Three steps, for a module that is watched; the video has fourteen seconds. */
export const COVER_LINES = [
  'First take the cover off and put it aside.',
  'Now press the green button until the light is on.',
  'Next close the cover and turn the key to the right.',
]

/** Lines of some seconds each, as a caption file. */
export function toCaptions(lines: readonly string[], lineS = 4): Buffer {
  const segments = lines.map((text, at) => ({ start: at * lineS, end: (at + 1) * lineS, text }))
  return Buffer.from(writeVtt(segments))
}

/** A finished module in which these lines are said; the signed-in person of the page owns it. @returns its id */
export async function makeSpokenModule(page: Page, lines: readonly string[]): Promise<string> {
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles([
    { name: 'tiny.mp4', mimeType: 'video/mp4', buffer: readFileSync(join(FIXTURES, 'tiny.mp4')) },
    { name: 'tiny.vtt', mimeType: 'text/vtt', buffer: toCaptions(lines) },
  ])
  await page.waitForURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
  await untilReady(page)
  return moduleIdOf(page)
}
