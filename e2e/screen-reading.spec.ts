import { writeFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { ScreenAnswer } from '#contract/screen.ts'
import { ensureTools } from '#local/start/tools.ts'
import { makeTerminal } from './odd-media.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, openSection, untilReady, upload } from './training.ts'

const PROMPT = 'mila@lab:~$'
const KEY = `${'AKI'}AIOSFODNN7EXAMPLE`
const CAPTIONS = '1\n00:00:01,000 --> 00:00:20,000\nType the command that lists all files.\n'

test('the owner has the screen of the stored video read: the command is stored, a visible key is not', async ({
  page,
}, testInfo) => {
  await ensureTools(['ffmpeg', 'arial'])
  await createAccount(page.request)
  const video = makeTerminal([
    { text: PROMPT, fromS: 0, untilS: 5, row: 0 },
    { text: `${PROMPT} ls`, fromS: 5, untilS: 8, row: 0 },
    { text: `${PROMPT} ls -a`, fromS: 8, untilS: 60, row: 0 },
    { text: 'notes.txt', fromS: 12, untilS: 60, row: 1 },
    { text: KEY, fromS: 20, untilS: 60, row: 4 },
  ])
  const captions = testInfo.outputPath('terminal.srt')
  writeFileSync(captions, CAPTIONS)
  await upload(page, video, captions)
  await untilReady(page)
  const refused: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) refused.push(message.text())
  })
  await openSection(page, 'Settings')
  // Once the tab that sent the file has been closed, the stored video is read.
  await page.reload()
  await page.getByRole('button', { name: 'Read the screen' }).click()
  await expect(page.getByText(/Reading the screen: \d+ %/)).toBeVisible()
  await expectAccessible(page, 'a screen is read')
  await expectReflow(page, 'a screen is read')
  await expect(page.getByText(/\d+ lines? (was|were) read from the screen/)).toBeVisible({ timeout: 60_000 })
  const { reading } = ScreenAnswer.parse(await apiOf(page, `/api/modules/${moduleIdOf(page)}/screen`))
  expect(reading?.blocks.filter(({ kind }) => kind === 'command').map(({ text }) => text)).toEqual(['ls -a'])
  expect(reading?.secrets.map(({ kind }) => kind)).toEqual(['key'])
  expect(JSON.stringify(reading)).not.toContain(KEY)
  expect(refused).toEqual([])

  await page.getByRole('button', { name: 'Show the text' }).click()
  await expect(page.getByRole('button', { name: 'Is a command: ls -a' })).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page, 'texts of the screen')
  await expectReflow(page, 'texts of the screen')

  await page.getByRole('button', { name: /^Share:/ }).click()
  await expect(page.getByRole('link', { name: /looks like a key is visible at 00:2\d/ })).toBeVisible()
  await expectAccessible(page, 'a visible key')
  await expectReflow(page, 'a visible key')
  await page.keyboard.press('Escape')

  await openSection(page, 'Transcript')
  await page.getByRole('button', { name: 'Search the transcript' }).click()
  await page.keyboard.type('ls -a')
  await expect(page.getByRole('button', { name: /^00:\d\d ls -a$/ })).toBeVisible()

  await page.getByLabel('Your question').fill('What exactly do I type to list all files?')
  await page.keyboard.press('Enter')
  const answer = page.getByRole('region', { name: 'Conversation' })
  await expect(answer.getByText('“ls -a”')).toBeVisible({ timeout: 20_000 })
  await answer.getByRole('button', { name: /On screen at 00:\d\d/ }).click()
  await expect
    .poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.currentTime))
    .toBeGreaterThan(7)
})
