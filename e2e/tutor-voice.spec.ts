import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { ensureChromium, ensureTools } from '#local/start/tools.ts'
import { openSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'

/** "First, switch off the printer with the button on the front", out of our own sample. */
const CUT = ['-loglevel', 'error', '-ss', '6.8', '-t', '4', '-i', 'web/public/sample/adapt-sample.mp4', '-vn']

/** The sentence is recorded for as long as it is said. */
const SAID_MS = 4_200
/** No figure of the product: a recogniser that shares two cores with a browser takes its time. */
const TRANSCRIBED_WITHIN_MS = 80_000

test.use({
  // The file has to be there for as long as the browser, which outlives the tests.
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads there what a fixture needs: nothing
  launchOptions: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'adapt-said-'))
    const said = join(folder, 'said.wav')
    await ensureTools(['ffmpeg', 'pocketsphinx'])
    spawnSync('ffmpeg', [...CUT, said])
    await use({
      executablePath: await ensureChromium(),
      args: [
        '--use-fake-device-for-media-stream',
        '--use-fake-ui-for-media-stream',
        `--use-file-for-fake-audio-capture=${said}%noloop`,
        '--disable-background-networking',
        '--no-first-run',
      ],
    })
    rmSync(folder, { recursive: true, force: true })
  },
})

/** A recogniser that recognises what the test gives it, in place of the browser's own, which needs a server. */
function seedRecogniser() {
  class Recogniser {
    onresult: ((event: unknown) => void) | null = null
    onerror: ((event: unknown) => void) | null = null
    onend: (() => void) | null = null
    said: unknown[] = []
    start() {
      const recognise = (transcript: string, isFinal: boolean) => {
        this.said.push({ isFinal, 0: { transcript } })
        this.onresult?.({ results: this.said })
        if (!isFinal) this.said.pop()
      }
      Object.assign(window, { recognise, refuse: (error: string) => this.onerror?.({ error }) })
    }
    stop() {
      this.onend?.()
    }
    abort() {}
  }
  Object.assign(window, { SpeechRecognition: Recogniser, webkitSpeechRecognition: Recogniser })
}

/** The recogniser shares two cores with a browser here: the recording is sent until it has been written down. */
function waitForRecogniser() {
  const fetch = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    if (typeof input !== 'string' || !input.startsWith('/api/qa/transcribe')) return fetch(input, init)
    for (;;) {
      const answer = await fetch(input, { ...init, signal: null })
      if (answer.ok || answer.status < 500) return answer
    }
  }
}

function recognise(page: Page, transcript: string, isFinal: boolean): Promise<void> {
  return page.evaluate(
    ([text, end]) =>
      (window as unknown as { recognise: (text: string, isFinal: boolean) => void }).recognise(text, end),
    [transcript, isFinal] as const,
  )
}

function tutorOf(page: Page) {
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  return {
    conversation: tutor.getByRole('region', { name: 'Conversation' }),
    field: tutor.getByRole('textbox', { name: 'Your question' }),
    microphone: tutor.getByRole('button', { name: 'Ask by voice' }),
    tutor,
  }
}

const isPaused = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)

test('a learner asks by voice, while the video waits', { tag: ['@spec-1.4', '@spec-8.11'] }, async ({ page }) => {
  await page.addInitScript(seedRecogniser)
  await openSample(page)
  const { tutor, conversation, field, microphone } = tutorOf(page)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.play())
  await microphone.click()
  await expect(microphone).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => isPaused(page)).toBe(true)
  await expectAccessible(page, 'listening')
  await expectReflow(page, 'listening')
  await recognise(page, 'how do I open', false)
  await expect(field).toHaveValue('how do I open')
  await recognise(page, 'how do I open the cover', true)
  await field.press('Enter')
  await expect(conversation.getByText('how do I open the cover')).toBeVisible()
  await expect(conversation.getByRole('button', { name: /^Play from/ }).first()).toBeVisible()
  await expect(microphone).toHaveAttribute('aria-pressed', 'false')

  await microphone.focus()
  await page.keyboard.down('Space')
  await recognise(page, 'where is the latch', false)
  await page.waitForTimeout(400)
  await page.keyboard.up('Space')
  await expect(microphone).toHaveAttribute('aria-pressed', 'false')
  await expect(field).toHaveValue('where is the latch')
  await page.route('**/api/qa/ask', (route) => route.fulfill({ json: { success: true } }))
  await field.press('Enter')
  await expect(conversation.getByText('No answer returned.')).toBeVisible()

  await microphone.click()
  await page.evaluate(() => (window as unknown as { refuse: (error: string) => void }).refuse('not-allowed'))
  await expect(tutor.getByText(/The microphone is blocked/)).toBeVisible()
  await expectAccessible(page, 'a blocked microphone')
})

test('a spoken question is recorded and written down where the browser does not listen by itself', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { SpeechRecognition: undefined, webkitSpeechRecognition: undefined })
  })
  await page.addInitScript(waitForRecogniser)
  await openSample(page)
  const { field, microphone } = tutorOf(page)
  await microphone.click()
  await expect(microphone).toHaveAttribute('aria-pressed', 'true')
  await page.waitForTimeout(SAID_MS)
  await microphone.click()
  await expect(field).toHaveValue(/switch|printer|button|front/i, { timeout: TRANSCRIBED_WITHIN_MS })
})
