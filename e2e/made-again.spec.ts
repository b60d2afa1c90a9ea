import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { Hono } from 'hono'
import { type LocalServer, serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { FIXTURES } from './media.ts'
import { createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, stepsOf, untilReady } from './training.ts'
import { withSystem } from './with-system.ts'

/** Four seconds each; the video has fourteen. */
const SAID = [
  'First take the cover off and put it aside.',
  'Now press the green button until the light is on.',
  'Next close the cover and turn the key to the right.',
]
/** At the times of the speech, so that nothing is asked. */
const CAPTIONS = `WEBVTT

00:00.000 --> 00:03.600
First take the cover off and put it aside.

00:04.000 --> 00:07.600
Now press the blue button until the light is on.

00:08.000 --> 00:11.600
Next close the cover and turn the key to the right.
`
const SAID_AGAIN = SAID.map((sentence) => sentence.replace('green', 'red').replace('First', 'At first'))

/** A recogniser as a person may run one: it answers when and what the journey says. */
class Recogniser {
  /** What it answers; null: that nothing is left of its allowance. */
  sentences: readonly string[] | null = SAID
  /** How sure it is of one word after the other, over and over. */
  confidences: readonly number[] = [0.95]
  /** While it is held every call waits for this. */
  private held = Promise.resolve()
  private free: () => void = () => undefined

  serve(): Promise<LocalServer> {
    const app = new Hono().post('/v1/audio/transcriptions', async (c) => {
      await c.req.arrayBuffer()
      await this.held
      return this.sentences === null ? c.json({}, 402) : c.json(transcriptionOf(this.sentences, this.confidences))
    })
    return serveOnFreePort(app.fetch)
  }

  /** From now on every call waits. */
  hold(): void {
    this.held = new Promise((resolve) => {
      this.free = resolve
    })
  }

  /** Answers those that wait, and all that follow. */
  release(): void {
    this.free()
  }
}

function transcriptionOf(sentences: readonly string[], confidences: readonly number[]) {
  const words = sentences.flatMap((sentence, at) => {
    const parts = sentence.split(' ')
    const each = 3.6 / parts.length
    return parts.map((word, n) => ({
      word,
      start: at * 4 + n * each,
      end: at * 4 + (n + 0.9) * each,
      probability: confidences[n % confidences.length],
    }))
  })
  return { text: sentences.join(' '), language: 'english', duration: 14, words }
}

/** A person who has only the link. */
async function openLearner(browser: Browser, url: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await page.goto(url)
  return page
}

async function titlesOf(page: Page): Promise<string[]> {
  return stepsOf(page).allInnerTexts()
}

const note = (page: Page) => page.getByRole('region', { name: 'A new version is being made' })
const failure = (page: Page) => page.getByRole('alert', { name: 'The new version could not be made' })

async function makeAgain(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More for this module' }).click()
  await page.getByRole('menuitem', { name: 'Reprocess' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reprocess this video?' })
  await dialog.getByRole('button', { name: 'Reprocess' }).click()
  await expect(dialog).toBeHidden()
}

/** @param before how many questions the person has asked, whose answers are loaded first */
async function askTutor(page: Page, before: number): Promise<void> {
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  const turns = tutor.getByRole('region', { name: 'Conversation' }).getByRole('listitem')
  await expect(turns).toHaveCount(before)
  const field = tutor.getByRole('textbox', { name: 'Your question' })
  await field.fill('Which button do I press?')
  await field.press('Enter')
  await expect(turns).toHaveCount(before + 1)
  await expect(turns.last()).toContainText('the green button')
}

test('a training that is made again, with a model that fails, is the same for everyone until it is made', async ({
  browser,
}) => {
  test.setTimeout(400_000)
  const recogniser = new Recogniser()
  const server = await recogniser.serve()
  const stateDir = mkdtempSync(join(tmpdir(), 'adapt-e2e-again-'))
  const env = { SPEECH_BASE_URL: `${server.origin}/v1` }
  try {
    await withSystem({ repoDir: '.', stateDir, env }, async (origin) => {
      const page = await (await browser.newContext({ baseURL: origin })).newPage()
      await createAccount(page.request)
      await page.goto('/upload')
      const buffer = readFileSync(join(FIXTURES, 'tiny.mp4'))
      await page.getByLabel('Select video').setInputFiles({ name: 'tiny.mp4', mimeType: 'video/mp4', buffer })
      await page.waitForURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })
      await untilReady(page)
      const id = moduleIdOf(page)
      await expect(stepsOf(page)).not.toHaveCount(0)

      const link = await openLearner(browser, `${origin}/share/${id}`)
      const shared = await titlesOf(link)
      expect(shared.length).toBeGreaterThan(0)
      const asking = await (await browser.newContext({ baseURL: origin })).newPage()
      await createAccount(asking.request)
      await asking.goto(`/training/${id}`)
      await untilReady(asking)

      await test.step('while it is made again, its owner alone reads how far it is', async () => {
        recogniser.sentences = null
        recogniser.hold()
        await makeAgain(page)
        await expect(note(page)).toBeVisible()
        await expect(note(page).getByRole('progressbar')).toBeVisible()
        await expect(note(page)).toContainText('everyone goes on seeing this one')
        await expect(note(page)).toContainText('Preparing the audio')
        await expect(page.locator('video')).toBeVisible()
        await expectAccessible(page, 'a new version is being made')
        await expectReflow(page, 'a new version is being made')

        await link.reload()
        expect(await titlesOf(link)).toEqual(shared)
        await expect(link.getByText('so far')).toBeHidden()
        const captions = await link.request.get(`${origin}/share/${id}/captions.vtt`)
        expect(await captions.text()).toContain('green button')
        await asking.reload()
        await askTutor(asking, 0)
        await expect(asking.getByRole('progressbar')).toBeHidden()
        await expect(asking.getByText('A new version')).toBeHidden()
        await expect(stepsOf(asking)).toHaveCount(shared.length)
      })

      await test.step('when it fails, it is as before, and its owner reads why', async () => {
        recogniser.release()
        await expect(failure(page)).toBeVisible({ timeout: 60_000 })
        await expect(failure(page)).toContainText('The speech service has no quota left.')
        await expect(failure(page)).toContainText('Nothing has changed')
        await expect(stepsOf(page)).toHaveCount(shared.length)
        await expectAccessible(page, 'a new version that failed')
        await expectReflow(page, 'a new version that failed')
        await link.reload()
        expect(await titlesOf(link)).toEqual(shared)
        await asking.reload()
        await expect(asking.getByText('could not be made')).toBeHidden()
        await askTutor(asking, 1)
      })

      await test.step('tried again, the new steps are there at once, for everyone', async () => {
        recogniser.sentences = SAID_AGAIN
        await page.getByRole('button', { name: 'Try again' }).click()
        await expect(failure(page)).toBeHidden()
        await expect(page.getByRole('region', { name: 'Steps' })).toContainText('red button', { timeout: 60_000 })
        await expect(note(page)).toBeHidden()
        await expect(async () => {
          await link.reload()
          await expect(link.getByRole('region', { name: 'Steps' })).toContainText('red button', { timeout: 1_000 })
        }).toPass({ timeout: 70_000 })
      })

      await test.step('a rough transcript says so, and captions take its place', async () => {
        recogniser.confidences = [0.96, 0.6]
        await makeAgain(page)
        const rough = page.getByRole('region', { name: 'This transcript is rough' })
        await expect(rough).toBeVisible({ timeout: 60_000 })
        await expectAccessible(page, 'a rough transcript')
        await expectReflow(page, 'a rough transcript')
        await asking.reload()
        await expect(asking.getByText('some words may be wrong')).toBeVisible()
        const chooser = page.waitForEvent('filechooser')
        await rough.getByRole('button', { name: 'Add captions' }).click()
        await (await chooser).setFiles({ name: 'said.vtt', mimeType: 'text/vtt', buffer: Buffer.from(CAPTIONS) })
        const transcript = page.getByRole('region', { name: 'Transcript', exact: true })
        await expect(transcript).toContainText('blue button', { timeout: 60_000 })
        await expect(note(page)).toBeHidden()
        await expect(rough).toBeHidden()
      })
      for (const each of [page, link, asking]) await each.context().close()
    })
  } finally {
    await server.close()
    rmSync(stateDir, { recursive: true, force: true })
  }
})
