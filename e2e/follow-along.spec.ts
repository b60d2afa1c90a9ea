import { type Browser, expect, type Page, test } from '@playwright/test'
import { openFirefox } from './firefox.ts'
import { createAccount, tokenOf } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { COVER_LINES, makeSpokenModule } from './spoken-module.ts'
import { stepsOf, videoTimeOf } from './training.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }
/** A package of some hundred megabytes, where the machine has no Firefox yet. */
const INSTALL_MS = 240_000
const LARGE_PX = 64

let trainer: Page
let id: string

const mode = (page: Page) => page.getByRole('dialog')
const place = (page: Page) => mode(page).getByText(/^Step \d of \d$/)
const isPaused = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.paused)

/** Browsers of a test have neither a voice behind them nor a screen that turns off. */
async function standIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    class Recogniser {
      onresult: ((event: object) => void) | null = null
      readonly #results: object[] = []
      start() {
        Object.assign(window, { say: (transcript: string) => this.#say(transcript) })
      }
      stop() {}
      abort() {}
      #say(transcript: string) {
        this.#results.push(Object.assign([{ transcript }], { isFinal: true }))
        this.onresult?.({ results: this.#results })
      }
    }
    Object.defineProperty(window, 'SpeechRecognition', { value: Recogniser, configurable: true })
    Object.defineProperty(window, 'webkitSpeechRecognition', { value: Recogniser, configurable: true })
    const wakeLock = { request: async () => ({ release: async () => {} }) }
    Object.defineProperty(navigator, 'wakeLock', { value: wakeLock, configurable: true })
  })
}

async function say(page: Page, words: string): Promise<void> {
  // The page says that it listens a moment before it begins to.
  await page.waitForFunction(() => 'say' in window)
  await page.evaluate((text) => (window as unknown as { say: (text: string) => void }).say(text), words)
}

async function swipe(page: Page, toX: number): Promise<void> {
  const dialog = mode(page)
  await dialog.evaluate(
    (element, [from, to]) => {
      // Firefox has touch events on phones alone.
      const send = (type: string, name: string, clientX: number | undefined) =>
        element.dispatchEvent(
          Object.assign(new Event(type, { bubbles: true }), { [name]: [{ clientX, clientY: 600 }] }),
        )
      send('touchstart', 'touches', from)
      send('touchend', 'changedTouches', to)
    },
    [200, toX],
  )
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  trainer = await browser.newPage()
  await createAccount(trainer.request)
  id = await makeSpokenModule(trainer, COVER_LINES)
  const titles = ['Take the cover off', 'Press the green button', 'Close the cover']
  const steps = titles.map((title, at) => ({
    title,
    description: `${COVER_LINES[at]}`,
    start: at * 4,
    end: at * 4 + 4,
    callouts: at === 0 ? [{ kind: 'warning', text: 'The cover is sharp.' }] : [],
  }))
  const headers = { authorization: `Bearer ${await tokenOf(trainer)}` }
  expect((await trainer.request.post(`/api/steps/${id}`, { headers, data: { steps } })).ok()).toBe(true)
})

test.afterAll(() => trainer?.context().close())

async function open(browser: Browser, address: string, baseURL: string | undefined): Promise<Page> {
  const page = await (await browser.newContext({ ...PHONE, baseURL: baseURL ?? '' })).newPage()
  await standIn(page)
  await page.goto(address)
  return page
}

/** One step after the other with gloves, a pedal, a swipe and the voice. */
async function follow(learner: Page): Promise<void> {
  await learner.getByRole('button', { name: 'Follow along' }).click()
  await expect(place(learner)).toHaveText('Step 1 of 3')
  await expect(mode(learner).getByRole('heading')).toHaveText('Take the cover off')
  await expect(mode(learner)).toContainText('Warning: The cover is sharp.')
  for (const name of ['Back', 'Repeat', 'Done', 'Next']) {
    const box = await mode(learner).getByRole('button', { name, exact: true }).boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), name).toBeGreaterThanOrEqual(LARGE_PX)
  }
  // The video plays this step and waits at its end.
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(0.5)
  await expect.poll(() => isPaused(learner)).toBe(true)
  const endS = await videoTimeOf(learner)
  expect(endS).toBeLessThan(6)

  await mode(learner).getByRole('button', { name: 'Next', exact: true }).click()
  await expect(place(learner)).toHaveText('Step 2 of 3')
  await swipe(learner, 380)
  await expect(place(learner)).toHaveText('Step 1 of 3')
  const done = mode(learner).getByRole('button', { name: 'Done' })
  await expect(done).toHaveAttribute('aria-pressed', 'true')
  await done.click()
  await expect(done).toHaveAttribute('aria-pressed', 'false')
  await swipe(learner, 20)
  await expect(place(learner)).toHaveText('Step 2 of 3')
  await learner.reload()
  await expect(place(learner)).toHaveText('Step 2 of 3')

  await mode(learner).getByRole('button', { name: 'Voice' }).click()
  await expect(mode(learner)).toContainText('may send what you say to its maker')
  await mode(learner).getByRole('button', { name: 'Start listening' }).click()
  await expect(mode(learner).getByText(/^Listening\. Say “next”/)).toBeVisible()
  await say(learner, 'next')
  await expect(place(learner)).toHaveText('Step 3 of 3')
  await say(learner, 'Stop.')
  await expect.poll(() => isPaused(learner)).toBe(true)
  await say(learner, 'back')
  await expect(place(learner)).toHaveText('Step 2 of 3')
}

test('a learner follows step by step on a phone, hands-free', async ({ browser, baseURL }) => {
  const learner = await open(browser, `/share/${id}`, baseURL)
  await follow(learner)
  await expectAccessible(learner, 'following along')
  await expectReflow(learner, 'following along')
  await learner.keyboard.press('PageDown')
  await expect(place(learner)).toHaveText('Step 3 of 3')
  await learner.keyboard.press('PageDown')
  await expect(mode(learner).getByRole('heading')).toHaveText('That was the last step')
  await expectAccessible(learner, 'the end of following along')
  await learner.keyboard.press('Escape')
  await expect(mode(learner)).toBeHidden()
  await expect(learner).toHaveURL(({ search }) => search === '')
  await expect(learner.getByRole('button', { name: 'Follow along' })).toBeFocused()
  // The page has its video back, where it was left.
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(7)
  await learner.context().close()
})

test('the same in Firefox', async ({ baseURL }) => {
  test.setTimeout(INSTALL_MS)
  const firefox = await openFirefox()
  const learner = await open(firefox, `/share/${id}`, baseURL)
  await follow(learner)
  await firefox.close()
})

test('a trainer follows along on the training page, from an address, with the keyboard alone', async () => {
  await standIn(trainer)
  await trainer.goto(`/training/${id}?follow=1`)
  await expect(place(trainer)).toHaveText('Step 1 of 3')
  await trainer.keyboard.press('ArrowRight')
  await expect(place(trainer)).toHaveText('Step 2 of 3')
  await expect.poll(() => videoTimeOf(trainer)).toBeGreaterThan(3.5)
  await expectAccessible(trainer, 'following along on the training page')
  await trainer.keyboard.press('Escape')
  await expect(stepsOf(trainer).first()).toBeVisible()
  await expect(trainer.getByRole('button', { name: 'Follow along' })).toBeVisible()
})

test('says that the screen may turn off where the browser does not keep it on', async ({ browser, baseURL }) => {
  const learner = await (await browser.newContext({ ...PHONE, baseURL: baseURL ?? '' })).newPage()
  await learner.addInitScript(() => {
    const wakeLock = { request: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) }
    Object.defineProperty(navigator, 'wakeLock', { value: wakeLock, configurable: true })
  })
  await learner.goto(`/share/${id}?follow=1`)
  await expect(learner.getByText('This browser lets the screen turn off by itself.')).toBeVisible()
  await learner.context().close()
})
