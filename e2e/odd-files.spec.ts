import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import { FIXTURES } from './media.ts'
import { makeLong, makeOdd } from './odd-media.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, stepsOf, untilReady, videoTimeOf } from './training.ts'

test.describe.configure({ mode: 'parallel' })

/** What is sent to the server of an upload, in order. */
function watchUpload(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const path = new URL(request.url()).pathname
    if (request.method() !== 'GET' && /upload|\/s3\//.test(path)) {
      calls.push(`${request.method()} ${path.replace(/upload\/[\w-]{23}/, 'upload/{id}').replace(/\/s3\/.*/, '/s3')}`)
    }
  })
  return calls
}

async function select(page: Page, path: string): Promise<void> {
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles(path)
}

/** What lies in the browser's storage of converted videos. */
function listConverted(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names: string[] = []
    const storage = await navigator.storage.getDirectory()
    for await (const name of (await storage.getDirectoryHandle('adapt-converted', { create: true })).keys())
      names.push(name)
    return names
  })
}

/** The picked files; what is said of them is said to screen readers once more, elsewhere. */
const filesOf = (page: Page) => page.getByRole('list', { name: 'Files' })

async function readModule(page: Page) {
  return ModuleAnswer.parse(await apiOf(page, `/api/modules/${moduleIdOf(page)}`)).module
}

const onModulePage = (page: Page) => expect(page).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })

/** The share page of a module, as a person who has only the link sees it. */
async function openShared(browser: Browser, id: string, width?: number): Promise<Page> {
  const size = width === undefined ? {} : { viewport: { width, height: 800 } }
  const learner = await (await browser.newContext(size)).newPage()
  await learner.goto(`/share/${id}`)
  return learner
}

test.beforeEach(({ page }) => createAccount(page.request))

test('an AVI is refused by name before anything of it is sent', async ({ page }) => {
  const calls = watchUpload(page)
  await select(page, makeOdd('old.avi'))
  const files = filesOf(page)
  await expect(files.getByText('Adapt cannot read AVI files')).toBeVisible()
  await expect(
    files.getByText('Export it as MP4 with H.264 video and AAC audio, then choose the new file.'),
  ).toBeVisible()
  await expect(files.getByRole('button')).toHaveCount(0)
  await expectAccessible(page, 'an AVI is refused')
  expect(calls).toEqual([])
})

test('a video whose name does not say so is asked about, and becomes a training', async ({ page }) => {
  const calls = watchUpload(page)
  const buffer = readFileSync(join(FIXTURES, 'tiny.mp4'))
  await page.goto('/upload')
  const input = page.getByLabel('Select video')
  await input.setInputFiles({ name: 'notes', mimeType: '', buffer: Buffer.from('Open the cover.') })
  await page.getByRole('button', { name: 'Upload anyway' }).click()
  await expect(filesOf(page).getByText('This file is not a video', { exact: true })).toBeVisible()
  await expect(filesOf(page).getByRole('button')).toHaveCount(0)
  await input.setInputFiles({ name: 'recording', mimeType: '', buffer })
  await expect(filesOf(page).getByText('Only video files are allowed')).toBeVisible()
  await expectAccessible(page, 'a file whose name says nothing')
  expect(calls).toEqual([])
  await page.getByRole('button', { name: 'Upload anyway' }).click()
  await onModulePage(page)
  await untilReady(page)
})

test('files without audio, without a picture, and in a foreign format are asked about first', async ({ page }) => {
  const calls = watchUpload(page)
  for (const [path, title] of [
    [join(FIXTURES, 'silent-track.mp4'), 'This video has no audio'],
    [makeOdd('podcast.mp4'), 'This file has no picture'],
    [makeOdd('foreign.mkv'), 'Not everybody can watch this video: it is in MPEG-2'],
  ] as const) {
    await select(page, path)
    await expect(filesOf(page).getByText(title)).toBeVisible()
    await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Convert and upload' })).toHaveCount(0)
  }
  expect(calls).toEqual([])
})

test('an HEVC video is sent only after a warning, and learners who cannot see it read why', async ({
  page,
  browser,
}) => {
  const calls = watchUpload(page)
  await select(page, makeOdd('phone.mp4'))
  await expect(filesOf(page).getByText('Not everybody can watch this video: it is in HEVC (H.265)')).toBeVisible()
  await expect(filesOf(page).getByText(/Learners in Chrome, Edge or Firefox on many computers/)).toBeVisible()
  expect(calls).toEqual([])
  await page.getByRole('button', { name: 'Upload anyway' }).click()
  await onModulePage(page)
  await untilReady(page)
  expect((await readModule(page)).videoCodec).toMatch(/^hvc1\./)
  await page.reload()
  await expect(page.getByText('Your browser cannot show this video')).toBeVisible()
  await expect(page.getByText(/Upload it as MP4 with H\.264 to reach everybody/)).toBeVisible()

  const learner = await openShared(browser, moduleIdOf(page), 320)
  await expect(learner.getByText('Your browser cannot show this video')).toBeVisible()
  await expect(learner.getByText('Video Unavailable')).toBeHidden()
  await expectAccessible(learner, 'a learner who cannot see the video')
  const frame = await learner.getByRole('alert').boundingBox()
  const button = await learner.getByRole('button', { name: 'Play the audio' }).boundingBox()
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0))
  await learner.getByRole('button', { name: 'Play the audio' }).click()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(1)
  await learner.context().close()
})

test('a video that not everybody can watch is converted in the browser, while its audio goes ahead', async ({
  page,
  browser,
}) => {
  const calls = watchUpload(page)
  await select(page, makeOdd('new.mkv'))
  await expect(filesOf(page).getByText('Not everybody can watch this video: it is in AV1')).toBeVisible()
  expect(calls).toEqual([])
  await expectReflow(page, 'a video that can be converted')
  await page.getByRole('button', { name: 'Convert and upload' }).click()
  await onModulePage(page)
  await untilReady(page)
  expect(calls).toContain('POST /api/upload/{id}/audio')
  expect(calls.indexOf('POST /api/upload/{id}/audio')).toBeLessThan(calls.indexOf('PATCH /api/upload/{id}'))
  const module = await readModule(page)
  expect(module).toMatchObject({ status: 'READY', videoCodec: expect.stringMatching(/^avc1\./) })
  expect(module.steps.length).toBeGreaterThan(0)
  await expect.poll(() => listConverted(page)).toEqual([])

  const learner = await openShared(browser, module.id)
  await expect(stepsOf(learner)).toHaveCount(module.steps.length)
  await learner
    .getByRole('button', { name: /^Play video/ })
    .first()
    .click()
  await expect.poll(() => videoTimeOf(learner)).toBeGreaterThan(1)
  expect(await learner.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(240)
  await learner.context().close()
})

test('a camera’s transport stream is put into an MP4, with its AC-3 as audio that is read', async ({ page }) => {
  const calls = watchUpload(page)
  const policies = new Map<string, string | undefined>()
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    policies.set(pathname.replace(/-[\w-]{8}\.js$/, ''), response.headers()['content-security-policy'])
  })
  await select(page, makeOdd('camera.ts'))
  await expect(filesOf(page).getByText('Adapt cannot read MPEG-TS files')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Upload anyway' })).toHaveCount(0)
  expect(calls).toEqual([])
  await page.getByRole('button', { name: 'Convert and upload' }).click()
  await onModulePage(page)
  await untilReady(page)
  const module = await readModule(page)
  expect(module).toMatchObject({ status: 'READY', videoCodec: expect.stringMatching(/^avc1\./) })
  expect(module.steps.length).toBeGreaterThan(0)
  expect(policies.get('/assets/mediabunny-ac3')).toBeDefined()
  // WebAssembly may run where the file is read, and on no page.
  const canRun = [...policies].filter(([, policy]) => policy?.includes('wasm-unsafe-eval'))
  expect(canRun.map(([path]) => path)).toEqual(['/assets/file.worker'])
})

test('a conversion can be ended, and nothing of it stays', async ({ page }) => {
  await select(page, makeLong('new.mkv'))
  await page.getByRole('button', { name: 'Convert and upload' }).click()
  await expect(page.getByText(/Converting [1-9]\d*%/).first()).toBeVisible()
  expect(await listConverted(page)).toHaveLength(1)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('canceled', { exact: true })).toBeVisible()
  await expect.poll(() => apiOf(page, '/api/upload')).toMatchObject({ uploads: [] })
  await expect.poll(() => listConverted(page)).toEqual([])
})
