import { expect, type Page, test } from '@playwright/test'
import { ModuleAnswer } from '#contract/module.ts'
import {
  holdPartsBut,
  makeClip,
  makeLargeVideo,
  PARTS,
  partOf,
  SIZE_BYTES,
  sorted,
  untilRecorded,
  watchParts,
} from './large-upload.ts'
import { apiOf, createAccount } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { moduleIdOf, stepsOf, untilReady } from './training.ts'

const VIDEO = makeLargeVideo('large.mp4', 1)
const OTHER = makeLargeVideo('other.mp4', 2)

async function select(page: Page, path = VIDEO): Promise<void> {
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles(path)
}

/** That nothing happens can only be seen by waiting. */
const LONG_ENOUGH_MS = 1_500

const onModulePage = (page: Page) => expect(page).toHaveURL(/\/training\/[\w-]{23}/, { timeout: 60_000 })

// The last and longest file: both workers take what is left of it.
test.describe.configure({ mode: 'parallel' })

test.beforeEach(async ({ page }) => {
  page.on('dialog', (dialog) => void dialog.accept())
  await createAccount(page.request)
})

test('a large video goes in parts, and its page shows how far it is', async ({ page }) => {
  const parts = watchParts(page)
  const { release } = await holdPartsBut(page, [1, 2])
  await select(page)
  const moduleId = await untilRecorded(page, 2)
  await page.getByRole('link', { name: 'Open the module of large.mp4' }).click()
  await onModulePage(page)
  await expect(page.getByText(/Video \d\d % uploaded/)).toBeVisible()
  await expect(page.getByText('Keep this tab open until the upload is done.')).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page).toHaveURL(/localhost:\d+\/$/)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).first().click()
  await expect(page.getByText(/Video \d\d % uploaded/)).toBeVisible()
  release()
  await expect(page.getByText('large.mp4 has been uploaded')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('You can close this tab now.')).toBeVisible()
  // The notice that it is ready may lie over this one by now.
  await page.getByRole('button', { name: 'Open the module' }).dispatchEvent('click')
  await expect(page).toHaveURL(new RegExp(`/training/${moduleId}`))
  expect(sorted(parts)).toEqual([1, 2, 3, 4])
})

test('goes on after a reload with the same file and sends only what is missing', { tag: '@fault-2' }, async ({
  page,
}) => {
  const { release } = await holdPartsBut(page, [1, 3])
  await select(page)
  await untilRecorded(page, 2)
  await page.reload()
  release()
  const parts = watchParts(page)
  await expect(page.getByText(/Your upload of large\.mp4 stopped at 64 %/)).toBeVisible()
  await page.getByLabel('Select the same file').setInputFiles(OTHER)
  await expect(page.getByText(/This is another file than large\.mp4/)).toBeVisible()
  expect(parts).toEqual([])
  await page.getByLabel('Select the same file').setInputFiles(VIDEO)
  await onModulePage(page)
  expect(sorted(parts)).toEqual([2, 4])
})

test('continues with one click where the browser has kept the file', { tag: '@fault-2' }, async ({ page }) => {
  // The system's dialog cannot be driven; a file of the page's own storage is the same to the browser.
  await page.addInitScript(() => {
    const open = async () => [await (await navigator.storage.getDirectory()).getFileHandle('kept.mp4')]
    Object.assign(window, { showOpenFilePicker: open })
  })
  await page.goto('/upload')
  const writeFile = async ({ bytes, sizeBytes }: { bytes: number[]; sizeBytes: number }) => {
    const video = new Uint8Array(bytes)
    const free = new Uint8Array(sizeBytes - video.byteLength)
    new DataView(free.buffer).setUint32(0, free.byteLength)
    free.set(new TextEncoder().encode('free'), 4)
    const file = await (await navigator.storage.getDirectory()).getFileHandle('kept.mp4', { create: true })
    const stream = await file.createWritable()
    await stream.write(video)
    await stream.write(free)
    await stream.close()
  }
  await page.evaluate(writeFile, { bytes: [...makeClip()], sizeBytes: SIZE_BYTES })
  const { release } = await holdPartsBut(page, [1])
  await page.getByText('Select video').click()
  await untilRecorded(page, 1)
  await page.reload()
  release()
  const parts = watchParts(page)
  await page.getByRole('button', { name: 'Continue the upload of kept.mp4' }).click()
  await onModulePage(page)
  expect(sorted(parts)).toEqual([2, 3, 4])
})

test('waits while the line is down and goes on by itself', { tag: '@fault-1' }, async ({ page, context }) => {
  const parts = watchParts(page)
  const { release } = await holdPartsBut(page, [1])
  await select(page)
  await untilRecorded(page, 1)
  await context.setOffline(true)
  release()
  await expect(page.getByText('You are offline. The upload goes on by itself')).toBeVisible()
  await page.waitForTimeout(LONG_ENOUGH_MS)
  await expect(page.getByText(/Uploading \d\d%/).first()).toBeVisible()
  await context.setOffline(false)
  await onModulePage(page)
  expect(parts.filter((part) => part === 1)).toHaveLength(1)
})

test('sends a part again that a line has broken without a word', { tag: '@fault-1' }, async ({ page }) => {
  const broken: number[] = []
  await page.route(PARTS, (route) => {
    const part = partOf(route.request().url())
    if (part === 1) return route.continue()
    broken.push(part)
    return route.abort('timedout')
  })
  await select(page)
  await untilRecorded(page, 1)
  await expect.poll(() => broken.length - new Set(broken).size, { timeout: 40_000 }).toBeGreaterThan(1)
  await expect(page.getByText(/Uploading \d\d%/).first()).toBeVisible()
  const parts = watchParts(page)
  await page.unroute(PARTS)
  await onModulePage(page)
  expect(new Set(parts)).toEqual(new Set([2, 3, 4]))
})

test('stands still when paused, and sends nothing twice', { tag: '@fault-1' }, async ({ page }) => {
  const { release } = await holdPartsBut(page, [1])
  await select(page)
  await untilRecorded(page, 1)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByText('Paused at 32%')).toBeVisible()
  release()
  const parts = watchParts(page)
  await page.waitForTimeout(LONG_ENOUGH_MS)
  expect(parts).toEqual([])
  await page.getByRole('button', { name: 'Resume' }).click()
  await onModulePage(page)
  expect(sorted(parts)).toEqual([2, 3, 4])
})

test('nothing starts after a cancel', { tag: '@fault-3' }, async ({ page }) => {
  const completed: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/upload/complete')) completed.push(request.url())
  })
  const { release } = await holdPartsBut(page, [1])
  await select(page)
  const moduleId = await untilRecorded(page, 1)
  const discarded = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('canceled', { exact: true })).toBeVisible()
  expect((await discarded).status()).toBe(200)
  release()
  await page.waitForTimeout(LONG_ENOUGH_MS)
  expect(completed).toEqual([])
  expect(await apiOf(page, `/api/upload/${moduleId}`)).toMatchObject({ status: 404 })
  expect(await apiOf(page, `/api/modules/${moduleId}`)).toMatchObject({ status: 404 })
})

test('an address that has expired is replaced, and the upload goes on', { tag: '@fault-4' }, async ({ page }) => {
  const parts = watchParts(page)
  let refusals = 1
  await page.route(PARTS, (route) => {
    const isRefused = partOf(route.request().url()) === 2 && refusals-- > 0
    return isRefused ? route.fulfill({ status: 403, body: '<Code>ExpiredRequest</Code>' }) : route.continue()
  })
  await select(page)
  await onModulePage(page)
  expect(sorted(parts)).toEqual([1, 2, 2, 3, 4])
})

test('an unfinished upload can be discarded', { tag: '@fault-2' }, async ({ page }) => {
  await holdPartsBut(page, [1])
  await select(page)
  await untilRecorded(page, 1)
  await page.reload()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText(/Your upload of/)).toBeHidden()
  await expect.poll(() => apiOf(page, '/api/upload')).toMatchObject({ uploads: [] })
})

test('images that could not be made from the file are made when its owner opens it again', async ({ page }) => {
  const IMAGES = /\/api\/modules\/[\w-]+\/images\//
  await page.route(IMAGES, (route) => route.abort())
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Try it with a sample' }).click()
  await onModulePage(page)
  await untilReady(page)
  const module = `/api/modules/${moduleIdOf(page)}`
  expect(await apiOf(page, module)).toMatchObject({ module: { posterUrl: null } })
  await page.unroute(IMAGES)
  await page.reload()
  const images = async () => ModuleAnswer.parse(await apiOf(page, module)).module.steps.map(({ image }) => image)
  await expect
    .poll(async () => (await images()).every((image) => image?.startsWith('step-')), { timeout: 60_000 })
    .toBe(true)
  await expect(stepsOf(page).first().locator('img')).toHaveAttribute('src', /\/images\/step-\d+\?ticket=/)
})

test('who can view is chosen before the first byte goes, beside the largest size', async ({ page }) => {
  await page.goto('/upload')
  await expect(page.getByText('MP4 recommended, max a few hundred MB')).toBeVisible()
  await expect(page.getByText('Up to 2 GB')).toBeVisible()
  const choice = page.getByRole('switch', { name: 'Anyone with the link can view' })
  await expect(choice).toBeChecked()
  await choice.click()
  await expectAccessible(page, 'upload that is not shared')
  await expectReflow(page, 'upload that is not shared')
  await page.getByLabel('Select video').setInputFiles(VIDEO)
  await onModulePage(page)
  const id = moduleIdOf(page)
  expect((await page.request.get(`/api/share/${id}`)).status()).toBe(404)
  expect(await apiOf(page, `/api/modules/${id}`)).toMatchObject({ module: { shared: false } })
})
