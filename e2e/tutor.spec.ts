import { expect, type Locator, type Page, test } from '@playwright/test'
import { ChatMessage } from '#contract/tutor.ts'
import { problemOf } from './fake-module.ts'
import { holdAnswers, releaseAnswers } from './held-answer.ts'
import { makeSample, openSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { untilReady, videoTimeOf, watchJumps } from './training.ts'

const TROUBLE = "I'm having trouble processing your request right now. Please try again in a moment."
const PHONE = { width: 390, height: 844 }
const STREAM = '**/api/ai/contextual-response/stream'
const WHOLE = '**/api/ai/contextual-response'

function tutorOf(page: Page) {
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  return {
    tutor,
    conversation: tutor.getByRole('region', { name: 'Conversation' }),
    field: tutor.getByRole('textbox', { name: 'Your question' }),
    ratings: tutor.getByRole('group', { name: 'Did this answer help?' }),
  }
}

async function ask(page: Page, question: string): Promise<void> {
  const { field } = tutorOf(page)
  await field.fill(question)
  await field.press('Enter')
}

async function isInView(page: Page, what: Locator): Promise<boolean> {
  const box = await what.boundingBox()
  return box !== null && box.y >= 0 && box.y + box.height <= (page.viewportSize()?.height ?? 0)
}

test('a learner asks beside the video, jumps to the moment, stops an answer, and finds it all again', {
  tag: ['@spec-1.4', '@spec-2.23'],
}, async ({ page }) => {
  const id = await openSample(page)
  const { tutor, conversation, field, ratings } = tutorOf(page)
  await expect.poll(() => isInView(page, field)).toBe(true)
  await expectAccessible(page, 'the tutor before the first question')

  await tutor.getByRole('button', { name: 'Walk me through it' }).click()
  await expect(conversation.getByRole('listitem')).toHaveCount(1)
  await expect(ratings).toHaveCount(1)
  await conversation.getByRole('button', { name: 'Play from 00:27' }).click()
  await expect.poll(() => videoTimeOf(page)).toBeGreaterThan(26.5)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())

  await ask(page, 'How do I open the cover?')
  await expect(ratings).toHaveCount(2)
  const answer = conversation.getByRole('listitem').nth(1)
  await expect(answer).toContainText(/latch/i)
  const moment = answer.getByRole('button', { name: /^Play from 00:1\d/ }).first()
  const jumps = await watchJumps(page)
  await moment.press('Enter')
  await expect.poll(async () => (await jumps()).some((seconds) => seconds < 25)).toBe(true)
  await page.locator('video').evaluate((video: HTMLVideoElement) => video.pause())
  await ratings.nth(1).getByRole('button', { name: 'Worked' }).click()
  await expect(answer.getByText('Thank you for your feedback!')).toBeVisible()

  await ask(page, 'How do I cook spaghetti?')
  await expect(conversation.getByText('Not in this video')).toBeVisible()

  await holdAnswers(page, { pieces: ['The cover ', 'opens'] })
  await ask(page, 'And then?')
  await expect(conversation.getByText('The cover opens')).toBeVisible()
  await expectAccessible(page, 'a conversation whose last answer is being given')
  await ask(page, 'Not yet')
  await expect(field).toHaveValue('Not yet')
  await tutor.getByRole('button', { name: 'Stop answering' }).click()
  await expect(conversation.getByText('This answer was stopped.')).toBeVisible()
  await releaseAnswers(page)

  const other = await page.context().newPage()
  await other.goto(`/training/${id}`)
  await expect(tutorOf(other).conversation.getByText('How do I open the cover?')).toBeVisible()
  await tutor.getByRole('button', { name: 'Send' }).click()
  await expect(tutorOf(other).conversation.getByText('Not yet')).toBeVisible()
  await other.close()

  await page.reload()
  await expect(ratings.last()).toBeVisible()
  await expect(conversation.getByText('How do I open the cover?')).toBeVisible()
  await tutor.getByRole('button', { name: 'More about this conversation' }).click()
  await page.getByRole('menuitem', { name: 'Clear conversation' }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(conversation.getByText(/Stuck somewhere/)).toBeVisible()
})

/** The field alone, until it is used; then the conversation fits the screen together with the video. */
async function expectOnSmallScreen(page: Page): Promise<void> {
  const { tutor, conversation, field } = tutorOf(page)
  const video = page.locator('video')
  await untilReady(page)
  await expect(field).toBeVisible()
  await expect(conversation).toBeHidden()
  await expect.poll(() => isInView(page, video)).toBe(true)
  const [fieldBox, videoBox] = [await field.boundingBox(), await video.boundingBox()]
  expect(fieldBox?.y).toBeLessThan(videoBox?.y ?? 0)
  await field.focus()
  await expect(conversation).toBeVisible()
  await expect.poll(() => isInView(page, video)).toBe(true)
  await expect.poll(() => isInView(page, tutor)).toBe(true)
  await expectAccessible(page, 'the tutor on a phone')
  await tutor.getByRole('button', { name: 'Hide the tutor' }).click()
  await expect(tutor.getByRole('button', { name: 'Show the tutor' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(conversation).toBeVisible()
}

test('a question is answered in another way when the stream fails, once, and what fails is shown', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const turnId = request.method() === 'POST' ? /"turnId":"([^"]+)"/.exec(request.postData() ?? '')?.[1] : undefined
    if (turnId !== undefined) asked.push(`${new URL(request.url()).pathname.split('/').at(-1)} ${turnId}`)
  })
  await openSample(page)
  const { tutor, conversation, field, ratings } = tutorOf(page)

  await page.route(STREAM, (route) => route.fulfill({ status: 500, body: 'no' }))
  await ask(page, 'How do I open the cover?')
  await expect(ratings).toHaveCount(1)
  expect(new Set(asked.map((call) => call.split(' ')[1])).size).toBe(1)
  expect(asked.map((call) => call.split(' ')[0])).toEqual(['stream', 'contextual-response'])

  await page.unroute(STREAM)
  await page.route(STREAM, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'data: "The cover"\n\n' }),
  )
  await ask(page, 'Where is the latch?')
  await expect(ratings).toHaveCount(2)

  await page.route(WHOLE, (route) => route.abort())
  await ask(page, 'What comes after that?')
  await expect(conversation.getByText('The answer broke off here.')).toBeVisible({ timeout: 30_000 })
  await expect(conversation.getByText(TROUBLE)).toBeVisible()
  await page.unroute(STREAM)
  await page.unroute(WHOLE)
  await conversation.getByRole('button', { name: 'Ask again' }).click()
  await expect(ratings).toHaveCount(3)
  await expect(conversation.getByText(TROUBLE)).toBeHidden()

  const limit = problemOf('rate_limited', 'You have asked many questions in a short time. Please wait a minute.')
  await page.route(STREAM, (route) => route.fulfill({ ...limit, headers: { 'retry-after': '30' } }))
  await ask(page, 'One more?')
  await expect(conversation.getByText(/many questions in a short time/)).toBeVisible()
  await expect(conversation.getByRole('button', { name: /Ask again in \d+ s/ })).toBeVisible()
  await page.unroute(STREAM)

  const isOnline = () => page.evaluate(() => navigator.onLine)
  await page.context().setOffline(true)
  await expect.poll(isOnline).toBe(false)
  await ask(page, 'Without a line?')
  await expect(tutor.getByText(/You are offline. Your question stays here/)).toBeVisible()
  await expectAccessible(page, 'offline, after too many questions')
  await page.context().setOffline(false)
  await expect(tutor.getByText(/You are offline/)).toBeHidden()
  await field.press('Enter')
  await expect(ratings).toHaveCount(4)
  await expectReflow(page, 'a conversation with failures')
})

test('a running answer goes on where the page was loaded again, also on a phone', { tag: '@spec-2.23' }, async ({
  page,
}) => {
  const id = await makeSample(page)
  const turn = { turnId: 'turn-0001', timestamp: '2026-11-21T10:00:00.000Z', meta: null, end: null }
  const messages = [
    { ...turn, id: 'q', role: 'user', content: 'How do I open it?', isTyping: false },
    { ...turn, id: 'a', role: 'assistant', content: 'Press', isTyping: true },
  ].map((message) => ChatMessage.parse(message))
  await page.route(`**/api/ai/conversation/${id}`, (route) => route.fulfill({ json: { success: true, messages } }))
  const meta = { turnId: 'turn-0001', isCovered: true, step: null, ms: 9, answer: 'Press the latch.' }
  const citations = [{ segmentIds: ['s1'], start: 14.2, sentence: 'Press the latch.' }]
  const body = `data: "Press the "\n\ndata: "latch."\n\ndata: ${JSON.stringify({ ...meta, citations })}\n\ndata: [DONE]\n\n`
  await page.route(`${STREAM}/${id}/turn-0001`, (route) => route.fulfill({ contentType: 'text/event-stream', body }))
  await page.goto(`/training/${id}`)
  const { conversation } = tutorOf(page)
  await expect(conversation.getByText('Press the latch.')).toBeVisible()
  await expect(conversation.getByRole('button', { name: 'Play from 00:14' })).toBeVisible()

  await page.setViewportSize(PHONE)
  await page.reload()
  await expectOnSmallScreen(page)
  await test.step('where the keyboard comes to the field before the video, as it is seen', async () => {
    await page.getByRole('button', { name: 'More for this module' }).focus()
    await page.keyboard.press('Tab')
    await expect(tutorOf(page).field).toBeFocused()
  })
  await expectReflow(page, 'a conversation')
})
