import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { FIXTURES } from './media.ts'
import { moduleIdOf, untilReady } from './training.ts'

/** Three steps, for a module that is watched; the video has fourteen seconds. */
export const COVER_LINES = [
  'First take the cover off and put it aside.',
  'Now press the green button until the light is on.',
  'Next close the cover and turn the key to the right.',
]

/** Lines of four seconds each, as a caption file. */
function writeCaptions(lines: readonly string[]): string {
  const time = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.000`
  const cues = lines.map((line, at) => `${time(at * 4)} --> ${time(at * 4 + 4)}\n${line}`)
  return `WEBVTT\n\n${cues.join('\n\n')}\n`
}

/** A finished module in which these lines are said; the signed-in person of the page owns it. @returns its id */
export async function makeSpokenModule(page: Page, lines: readonly string[]): Promise<string> {
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles([
    { name: 'tiny.mp4', mimeType: 'video/mp4', buffer: readFileSync(join(FIXTURES, 'tiny.mp4')) },
    { name: 'tiny.vtt', mimeType: 'text/vtt', buffer: Buffer.from(writeCaptions(lines)) },
  ])
  await page.waitForURL(/\/training\/[\w-]{22}/, { timeout: 60_000 })
  await untilReady(page)
  return moduleIdOf(page)
}
