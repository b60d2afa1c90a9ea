import { expect, type Page, test } from '@playwright/test'
import {
  FAKE_ID,
  FAKE_STEP,
  failSteps,
  fakeModule,
  fakeShare,
  fakeSteps,
  fakeTranscript,
  fakeVideoUrl,
  problemOf,
} from './fake-module.ts'
import { createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { openSection, stepsOf } from './training.ts'

const TRAINING = `/training/${FAKE_ID}`
const SHARE = `/share/${FAKE_ID}`
const POLL_MS = 5_000

/** Percentage, stage text and number of ticks. @see specification §4 */
const STAGES = [
  [0, 'Starting AI analysis', 0],
  [9, 'Starting AI analysis', 0],
  [10, 'Analyzing video content', 1],
  [30, 'Extracting learning steps', 2],
  [50, 'Enhancing with AI', 2],
  [60, 'Enhancing with AI', 3],
  [70, 'Finalizing training module', 3],
  [90, 'Almost ready', 4],
  [100, 'Almost ready', 5],
] as const

const ticksOf = (page: Page) => page.getByRole('region', { name: 'Processing' }).getByText('Done: ')
const retry = (page: Page) => page.getByRole('button', { name: 'Retry Loading Steps' })

/** A person whose time can be moved on. */
test.beforeEach(async ({ page }, { title }) => {
  if (!title.startsWith('the shared page')) await createAccount(page.request)
  await page.clock.install()
})

test('the processing screen shows percent, stage and checklist, and becomes the training page', {
  tag: ['@spec-2.24', '@spec-4.3', '@spec-4.6', '@spec-4.7'],
}, async ({ page }) => {
  const module = await fakeModule(page, { status: 'PROCESSING', progress: 0, message: 'Listening', stepsVersion: 0 })
  await page.goto(`${TRAINING}?processing=true`)
  for (const [progress, stage, ticks] of STAGES) {
    module.progress = progress
    await page.clock.fastForward(POLL_MS)
    await expect(page.getByText(`${progress}%`, { exact: true })).toBeVisible()
    await expect(page.getByText(stage)).toBeVisible()
    await expect(ticksOf(page)).toHaveCount(ticks)
    await expect(page.getByRole('progressbar', { name: 'Processing progress' })).toHaveAttribute(
      'aria-valuenow',
      String(progress),
    )
  }
  module.progress = 40
  await page.clock.fastForward(POLL_MS)
  await expectAccessible(page, 'processing')
  await expectReflow(page, 'processing')
  Object.assign(module, { status: 'READY', progress: 100, stepsVersion: 1 })
  await page.clock.fastForward(POLL_MS)
  await expect(stepsOf(page)).toHaveCount(1)
  await expect(page).toHaveURL(new RegExp(`${TRAINING}$`))
})

test('slow processing is said, and after five minutes what is usual', { tag: ['@spec-4.8', '@spec-9.6'] }, async ({
  page,
}) => {
  await fakeModule(page, { status: 'PROCESSING', progress: 20, message: 'Listening', stepsVersion: 0 })
  await page.goto(`${TRAINING}?processing=true`)
  await expect(page.getByText('20%', { exact: true })).toBeVisible()
  await expect(page.getByText('You can leave this page. We keep working on it.')).toBeVisible()
  await page.clock.fastForward('01:31')
  await expect(page.getByText('This is taking a little longer than usual')).toBeVisible()
  await expectAccessible(page, 'slow processing')
  await page.clock.fastForward('03:30')
  await expect(page.getByText('Processing is taking longer than expected')).toBeVisible()
  await expect(page.getByText(/It usually takes 30-60 seconds and can take up to 3 minutes\./)).toBeVisible()
  await expectAccessible(page, 'processing after five minutes')
  await expectReflow(page, 'processing after five minutes')
})

test('a page that is opened late counts from the start on the server, beside the steps that are there', {
  tag: '@spec-4.8',
}, async ({ page }) => {
  const work = { seconds: 330, fromProgress: 10, waiting: null }
  await fakeModule(page, { status: 'PROCESSING', progress: 65, message: 'Writing the steps', steps: [FAKE_STEP], work })
  await page.goto(TRAINING)
  await expect(stepsOf(page).getByText('Close the valve')).toBeVisible()
  await expect(page.getByText('Processing is taking longer than expected')).toBeVisible()
  await expect(page.getByText(/It usually takes 30-60 seconds and can take up to 3 minutes\./)).toContainText(
    /At the speed so far there is about \d minutes left\./,
  )
  await expectAccessible(page, 'steps after five minutes')
  await expectReflow(page, 'steps after five minutes')
})

test('a video that waits for its turn, or for a model that is busy, says so with what is known of when', async ({
  page,
}) => {
  const waitFor = (before: number, seconds: number | null) => ({
    seconds: 400,
    fromProgress: 10,
    waiting: { before, seconds },
  })
  const message = 'Waiting for its turn'
  const module = await fakeModule(page, {
    status: 'PROCESSING',
    progress: 10,
    message,
    stepsVersion: 0,
    work: waitFor(4, 170),
  })
  await page.goto(`${TRAINING}?processing=true`)
  await expect(page.getByText('Waiting for its turn · behind 4 other videos, about 3 minutes')).toBeVisible()
  await expectAccessible(page, 'waiting for its turn')
  await expectReflow(page, 'waiting for its turn')
  Object.assign(module, { progress: 30, message: `${message}: the speech service is busy`, work: waitFor(0, 45) })
  await page.clock.fastForward(POLL_MS)
  await expect(
    page.getByText('Waiting for its turn: the speech service is busy · next try in about 50 seconds'),
  ).toBeVisible()
  await expect(page.getByText(/At the speed so far/)).toBeHidden()
  await expectAccessible(page, 'waiting for a busy service')
  await expectReflow(page, 'waiting for a busy service')
  // Nothing is promised where nothing is known.
  Object.assign(module, { work: waitFor(0, null) })
  await page.clock.fastForward(POLL_MS)
  await expect(page.getByText('Waiting for its turn: the speech service is busy', { exact: true })).toBeVisible()
})

test('right after an upload the processing screen shows before anything is known', { tag: '@spec-4.5' }, async ({
  page,
}) => {
  await page.route(`**/api/modules/${FAKE_ID}`, () => new Promise(() => {}))
  await page.goto(`${TRAINING}?processing=true`)
  await expect(page.getByText('Starting AI analysis')).toBeVisible()
  await expect(page.getByText('0%', { exact: true })).toBeVisible()
  await expect(ticksOf(page)).toHaveCount(0)
  await expectAccessible(page, 'processing of which nothing is known')
})

test('steps that are there stay, while more are made, without a connection, and after a failure', async ({
  page,
  context,
}) => {
  const module = await fakeModule(page, { status: 'PROCESSING', progress: 60, message: '', steps: [FAKE_STEP] })
  await page.goto(TRAINING)
  await expect(stepsOf(page).getByText('Close the valve')).toBeVisible()
  await expect(page.getByText('Enhancing with AI')).toBeVisible()
  await expectAccessible(page, 'steps so far')
  await expectReflow(page, 'steps so far')
  await context.setOffline(true)
  await expect(
    page.getByText('You are offline. This page updates again as soon as the connection is back.'),
  ).toBeVisible()
  await expectAccessible(page, 'training without a connection')
  await context.setOffline(false)
  Object.assign(module, { status: 'FAILED', lastError: 'The model was busy for too long.', failureCode: 'gave_up' })
  await page.clock.fastForward(POLL_MS)
  await expect(page.getByRole('heading', { name: 'Processing Failed' })).toBeVisible()
  await expect(stepsOf(page).getByText('Close the valve')).toBeVisible()
  await expectAccessible(page, 'failure beside steps')
  await expectReflow(page, 'failure beside steps')
})

test('a module that failed says why, and leads to the upload page', { tag: ['@spec-2.21', '@spec-2.25'] }, async ({
  page,
}) => {
  const lastError = 'The video file is incomplete. Please upload it again.'
  const module = await fakeModule(page, { status: 'FAILED', lastError, failureCode: 'truncated' })
  await page.goto(TRAINING)
  await expect(page.getByRole('heading', { name: 'Processing Failed' })).toBeVisible()
  await expect(page.getByText(lastError)).toBeVisible()
  const goOn = page.getByRole('button', { name: 'Go on from where it broke off' })
  await expect(goOn).toBeHidden()
  await expect(page.getByRole('link', { name: 'Back to Upload' })).toHaveAttribute('href', '/upload')
  const because = 'Processing was tried several times without success. Please try again in a few minutes.'
  Object.assign(module, { lastError: because, failureCode: 'ai_unavailable' })
  await page.clock.fastForward(POLL_MS)
  await expect(page.getByText(because)).toBeVisible()
  await expectAccessible(page, 'processing failed')
  await expectReflow(page, 'processing failed')
  await page.route(`**/api/reprocess/${FAKE_ID}`, async (route) => {
    expect(route.request().postDataJSON()).toEqual({ from: 'failed' })
    Object.assign(module, { status: 'PROCESSING', progress: 50, message: 'Listening', stepsVersion: 0 })
    await route.fulfill({ json: { success: true, moduleId: FAKE_ID, run: 2 } })
  })
  await goOn.click()
  await expect(page.getByText('Retry initiated! Check back in a few minutes.')).toBeVisible()
  await expect(page.getByText('50%', { exact: true })).toBeVisible()
  Object.assign(module, { status: 'FAILED', lastError, failureCode: 'truncated' })
  await page.clock.fastForward(POLL_MS)
  await page.getByRole('link', { name: 'Try Again' }).click()
  await expect(page).toHaveURL(/\/upload$/)
})

test('a video without an address, or that cannot be played, leaves a placeholder', {
  tag: ['@spec-2.26', '@spec-8.5'],
}, async ({ page }) => {
  await fakeModule(page)
  await fakeVideoUrl(page, null)
  const firstAsk = page.waitForRequest(/\/api\/video-url\//)
  await page.goto(TRAINING)
  await firstAsk
  await page.clock.runFor(20_000)
  await expect(page.getByText('Video Unavailable')).toBeVisible()
  await expect(page.getByText('No URL returned from server')).toBeVisible()
  await expectAccessible(page, 'video unavailable')

  let asked = 0
  page.on('request', (request) => (asked += request.url().includes('/api/video-url/') ? 1 : 0))
  await fakeVideoUrl(page, '/api/no-such-video.mp4')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The video could not be played.')).toBeVisible()
  expect(asked).toBe(3)
})

test('steps that do not come are asked for six times, then on request', { tag: ['@spec-2.27', '@spec-8.3'] }, async ({
  page,
}) => {
  let asked = 0
  await fakeModule(page)
  await failSteps(page, (route) => {
    asked += 1
    return route.fulfill({ status: 503, body: 'Overloaded' })
  })
  await page.route(`**/api/transcript/${FAKE_ID}`, (route) => route.fulfill(problemOf('not_found', 'Not found')))
  await page.goto(TRAINING)
  await expect(page.getByText('Loading steps')).toBeAttached()
  await expect(
    page.getByText(/^The server could not answer\. \(HTTP 503: Overloaded\) Trying again \(\d of 5\)…$/),
  ).toBeVisible()
  await expectAccessible(page, 'steps loading')
  // Each retry waits for the answer before it, which takes time that is not moved on.
  await expect
    .poll(async () => {
      await page.clock.runFor(2_000)
      return asked
    })
    .toBe(6)
  await expect(page.getByText('Failed to load steps after multiple attempts')).toBeVisible()
  expect(asked).toBe(6)
  await expect(page.getByText('Failed to load the transcript')).toBeVisible()
  await expectAccessible(page, 'steps and transcript failed')
  await fakeSteps(page, [])
  await retry(page).click()
  await expect(page.getByText('No steps found in this training yet.')).toBeVisible()
  await expectAccessible(page, 'no steps')
  await fakeSteps(page, [FAKE_STEP])
  await retry(page).click()
  await expect(stepsOf(page)).toHaveCount(1)
})

test('the reason why there are no steps is the server’s own', { tag: '@spec-8.4' }, async ({ page }) => {
  await fakeModule(page)
  for (const [code, detail] of [
    ['steps_not_ready', 'Steps not ready yet - module still processing'],
    ['processing_failed', 'Processing failed: no narration'],
    ['steps_not_found', 'Steps not found - module processing may have failed'],
  ] as const) {
    await failSteps(page, (route) => route.fulfill(problemOf(code, detail)))
    await page.goto(TRAINING)
    await expect(page.getByText(detail)).toBeVisible()
    await expect(retry(page)).toBeVisible()
  }
})

test('before the first step, and after a failure, the pages say what the server says of the steps', {
  tag: '@spec-8.4',
}, async ({ page }) => {
  const notReady = 'Steps not ready yet - module still processing'
  const module = await fakeModule(page, { status: 'PROCESSING', progress: 30, message: 'Listening', stepsVersion: 0 })
  await page.goto(TRAINING)
  await expect(page.getByRole('region', { name: 'Steps' }).getByText(notReady)).toBeVisible()
  await expectAccessible(page, 'steps that are not ready')
  await expectReflow(page, 'steps that are not ready')
  await page.goto(`/edit-steps/${FAKE_ID}`)
  await expect(page.getByText(notReady)).toBeVisible()
  Object.assign(module, { status: 'FAILED', lastError: 'No speech was found.', failureCode: 'no_narration' })
  await page.goto(TRAINING)
  await expect(page.getByText('Processing failed: No speech was found.', { exact: true })).toBeVisible()
  await page.goto(`/edit-steps/${FAKE_ID}`)
  await expect(page.getByText('Processing failed: No speech was found.', { exact: true })).toBeVisible()
})

test('the tutor can be asked about what is transcribed so far, and says so', async ({ page }) => {
  await fakeModule(page, { status: 'PROCESSING', progress: 40, message: 'Listening', stepsVersion: 0 })
  await fakeTranscript(page, ['Close the valve first.', 'Then open the cover.'])
  await page.goto(TRAINING)
  const tutor = page.getByRole('region', { name: 'Ask the tutor' })
  await expect(tutor.getByText(/The tutor answers from what is transcribed so far\./)).toBeVisible()
  await expect(tutor.getByRole('textbox', { name: 'Your question' })).toBeEnabled()
  await expectAccessible(page, 'tutor of a module in progress')
  await expectReflow(page, 'tutor of a module in progress')
})

test('a module that is not there, or cannot be asked for, says so', { tag: ['@spec-8.1', '@spec-8.2'] }, async ({
  page,
}) => {
  await page.goto('/training/no-such-module')
  await expect(page.getByRole('heading', { name: 'Module Not Found' })).toBeVisible()
  await expectAccessible(page, 'no such module')
  await page.route('**/api/modules/*', (route) => route.fulfill({ status: 502, body: 'x'.repeat(200) }))
  await page.goto(TRAINING)
  await expect(page.getByText('Loading this training')).toBeAttached()
  await page.clock.runFor(3_100)
  await expect(
    page.getByText(`The server could not answer. (HTTP 502: ${'x'.repeat(120)})`, { exact: true }),
  ).toBeVisible()
  await expectAccessible(page, 'module that cannot be loaded')
  await expectReflow(page, 'module that cannot be loaded')
  await page.unrouteAll()
  await page.route('**/api/modules/*', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Hello' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Unexpected response (not JSON)')).toBeVisible()

  await fakeModule(page)
  const parts = /\/assets\/(tutor|questions|metrics)-panel-.*\.js$/
  await page.route(parts, (route) => route.abort())
  // Once, the page loads itself again, as after a deploy.
  await page.goto(TRAINING)
  await expect(page.getByText('Failed to load the tutor')).toBeVisible({ timeout: 15_000 })
  for (const [section, what] of [
    ['Questions', 'the questions'],
    ['Learners', 'learners'],
  ] as const) {
    await openSection(page, section)
    await expect(page.getByText(`Failed to load ${what}`)).toBeVisible({ timeout: 15_000 })
    await expectAccessible(page, `${what} and the tutor without their code`)
  }
  await page.unroute(parts)
  await page.getByRole('button', { name: 'Load learners again' }).click()
  await expect(page.getByText(/No views yet/)).toBeVisible()
})

test('the shared page says that a module is missing, or that it could not be loaded', {
  tag: ['@spec-2.29', '@spec-8.13'],
}, async ({ page }) => {
  await page.goto('/share/no-such-module')
  await expect(page.getByRole('heading', { name: 'Module Not Found' })).toBeVisible()
  await expect(
    page.getByText('This training module could not be found or is no longer available.', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go Home' })).toHaveAttribute('href', '/')
  await expectAccessible(page, 'share of nothing')
  await fakeShare(page, (route) => route.fulfill({ status: 500, body: 'Broken' }))
  await page.goto(SHARE)
  await expect(page.getByText('Loading this training')).toBeAttached()
  await page.clock.runFor(3_100)
  await expect(page.getByText('Could not load training module. Please try again.')).toBeVisible()
  await expectAccessible(page, 'share that cannot be loaded')
  await expectReflow(page, 'share that cannot be loaded')
})

test('the shared page of a module that is being made, or that failed, says so', async ({ page }) => {
  const module = {
    id: FAKE_ID,
    title: 'Replace the filter of the pump',
    createdAt: '2026-11-20T10:00:00.000Z',
    status: 'PROCESSING',
    progress: 5,
    message: 'Uploading video',
    totalDuration: null,
    hasVideo: false,
    uploadPercent: 40,
    posterUrl: null,
    steps: [],
  }
  await fakeShare(page, (route) => route.fulfill({ json: { success: true, module } }))
  await page.goto(SHARE)
  await expect(page.getByText(/This training is being prepared\./)).toBeVisible()
  await expectAccessible(page, 'share in preparation')
  module.status = 'FAILED'
  await page.clock.fastForward(POLL_MS)
  await expect(page.getByText(/This training is not available yet\./)).toBeVisible()
  await expectAccessible(page, 'share of a module that failed')
})
