import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequestContext, expect, type Page, test } from '@playwright/test'
import { AwsClient } from 'aws4fetch'
import { PresignAnswer } from '#contract/upload.ts'
import { FIXTURES } from './media.ts'
import { apiOf, createAccount, tokenByCall } from './people.ts'
import { expectAccessible } from './screen.ts'
import { moduleIdOf, openSection, untilReady } from './training.ts'

const TINY = readFileSync(join(FIXTURES, 'tiny.mp4'))

async function pick(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.goto('/upload')
  await page.getByLabel('Select video').setInputFiles([file])
}

/** Calls the API as the signed-in person of these requests. */
async function post(request: APIRequestContext, path: string, data: object) {
  return request.post(path, { headers: { authorization: `Bearer ${await tokenByCall(request)}` }, data })
}

async function presign(request: APIRequestContext, size: { sizeBytes?: number } = {}): Promise<PresignAnswer> {
  const file = { filename: 'tiny.mp4', contentType: 'video/mp4', ...size }
  const response = await post(request, '/api/presigned-upload/presigned-url', file)
  return PresignAnswer.parse(await response.json())
}

function complete(request: APIRequestContext, { moduleId, key }: PresignAnswer) {
  return post(request, '/api/upload/complete', { moduleId, key })
}

test.describe('the upload page', () => {
  test.beforeEach(async ({ page }) => {
    await createAccount(page.request)
  })

  test('refuses what is not a video before anything is sent', { tag: '@spec-5.1' }, async ({ page }) => {
    await pick(page, { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('hello') })
    await expect(page.getByText('Only video files are allowed').first()).toBeVisible()
  })

  test('says that a file is empty', { tag: '@fault-6' }, async ({ page }) => {
    await pick(page, { name: 'empty.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(0) })
    await expect(page.getByText(/is empty/).first()).toBeVisible()
  })

  test('says that a renamed page is not a video', { tag: '@fault-6' }, async ({ page }) => {
    const buffer = Buffer.from('<!doctype html><title>Sign in to download</title>')
    await pick(page, { name: 'page.mp4', mimeType: 'video/mp4', buffer })
    await expect(page.getByText('This file is not a video', { exact: true })).toBeVisible()
  })

  test('says that storage refused the file', { tag: ['@fault-40', '@spec-8.8'] }, async ({ page }) => {
    const refuse = { status: 403, body: '<Error><Code>ExpiredRequest</Code></Error>' }
    await page.route(/\/cdn-cgi\/local\/r2\/s3\//, (route) => route.fulfill(refuse))
    await pick(page, { name: 'tiny.mp4', mimeType: 'video/mp4', buffer: TINY })
    await expect(page.getByText('storage PUT failed: 403', { exact: true })).toBeVisible()
  })
})

/** Russian SRT in Windows-1251, with an arrow that is none of SRT. */
const ODD_CAPTIONS = Buffer.from(
  Array.from(
    '1\n00:00:00,600 -> 00:00:04,000\nСначала откройте крышку фильтра.\n\n' +
      '2\n00:00:05,200 --> 00:00:08,400\nЗатем выньте фильтр и промойте его водой.\n\n' +
      '3\n00:00:09,500 --> 00:00:13,000\nВ конце закройте крышку и включите насос.\n',
    (letter) => {
      const code = letter.charCodeAt(0)
      // In Windows-1251 the Russian alphabet lies as far below its place in Unicode.
      return code < 0x80 ? code : code - 0x3_50
    },
  ),
)

test.describe('a video that cannot become steps', () => {
  test.beforeEach(async ({ page }) => {
    await createAccount(page.request)
  })

  test('a video without audio says so, and lives from captions that are added', async ({ page }) => {
    await page.goto('/upload')
    await page.getByLabel('Select video').setInputFiles(join(FIXTURES, 'silent-track.mp4'))
    await expect(page.getByText('This video has no audio', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Upload anyway' }).click()
    await expect(page).toHaveURL(/\/training\//)
    await expect(page.getByText(/no audio/).first()).toBeVisible({ timeout: 30_000 })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add captions' }).click()
    await (await chooser).setFiles({
      name: 'bad.srt',
      mimeType: 'application/x-subrip',
      buffer: Buffer.from('1\nyesterday --> today\nOpen it.\n'),
    })
    await expect(page.getByText(/[Ll]ine 2/)).toBeVisible()
    const again = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add captions' }).click()
    await (await again).setFiles({ name: 'odd.srt', mimeType: 'application/x-subrip', buffer: ODD_CAPTIONS })
    const report = page.getByRole('dialog', { name: 'Check these captions' })
    await expect(report).toContainText('Сначала откройте крышку фильтра.')
    await expect(report.getByLabel('Encoding')).toHaveValue('windows-1251')
    await expect(report.getByRole('listitem').first()).toHaveText(
      /^Line 2\s*The times are written in an unusual way\.$/,
    )
    await expectAccessible(page, 'the report of a caption file')
    await report.getByLabel('Encoding').selectOption('koi8-r')
    await expect(report).not.toContainText('откройте')
    await report.getByLabel('Encoding').selectOption('windows-1251')
    await expect(report).toContainText('откройте')
    await report.getByRole('button', { name: 'Use captions' }).click()
    await untilReady(page)
    await expect(page.getByRole('region', { name: 'Steps' })).toContainText('крышку')

    await page.getByRole('button', { name: /^Edit step 1:/ }).click()
    const form = page.getByRole('form', { name: /^Edit step/ })
    await form.getByRole('textbox', { name: 'Title', exact: true }).fill('Typed by hand')
    await form.getByRole('textbox', { name: 'Title', exact: true }).press('Enter')
    await expect(page.getByRole('region', { name: 'Steps' })).toContainText('Typed by hand')
    await openSection(page, 'Settings')
    const other = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Replace captions' }).click()
    await (await other).setFiles(join(FIXTURES, 'tiny.vtt'))
    const readApi = async (part: string) => JSON.stringify(await apiOf(page, `/api/${part}/${moduleIdOf(page)}`))
    await expect.poll(() => readApi('transcript'), { timeout: 60_000 }).toContain('open the file menu')
    expect(await readApi('steps')).toContain('Typed by hand')
  })

  for (const [what, name, share] of [
    ['whose index never arrived', 'moov-at-end.mp4', 0.8],
    ['whose second half never arrived', 'tiny.mp4', 0.5],
  ] as const) {
    test(`a video that cannot become steps ${what} is called incomplete`, async ({ page }) => {
      const whole = readFileSync(join(FIXTURES, name))
      const buffer = whole.subarray(0, Math.floor(whole.byteLength * share))
      await pick(page, { name, mimeType: 'video/mp4', buffer })
      await expect(page.getByText(/incomplete/).first()).toBeVisible({ timeout: 30_000 })
    })
  }
})

test.describe('a presigned address', () => {
  test('takes a plain PUT of the file with its content type, and nothing else', { tag: '@spec-7.11' }, async ({
    request,
  }) => {
    await createAccount(request)
    const signed = await presign(request)
    // More would still be on its way when the answer comes, which ends the connection.
    const wrongType = await request.put(signed.uploadUrl, { headers: { 'content-type': 'text/html' }, data: 'x' })
    expect(wrongType.status()).toBe(403)
    const headers = { 'content-type': 'video/mp4' }
    expect((await request.put(signed.uploadUrl, { headers, data: TINY })).status()).toBe(200)
    expect((await complete(request, signed)).status()).toBe(200)
    expect((await complete(request, signed)).status()).toBe(200)
  })

  test('takes exactly as many bytes as were declared', { tag: '@attack-5' }, async ({ request }) => {
    await createAccount(request)
    const { uploadUrl } = await presign(request, { sizeBytes: 2 })
    const headers = { 'content-type': 'video/mp4' }
    // More bytes would still be on their way when the answer comes, which ends the connection.
    for (const data of ['123', '1']) {
      expect((await request.put(uploadUrl, { headers, data })).status()).toBe(403)
    }
    expect((await request.put(uploadUrl, { headers, data: '12' })).status()).toBe(200)
  })

  test('refuses to overwrite when the client asks for that, as ours does', { tag: '@fault-5' }, async ({ request }) => {
    await createAccount(request)
    const { uploadUrl } = await presign(request)
    const headers = { 'content-type': 'video/mp4', 'if-none-match': '*' }
    expect((await request.put(uploadUrl, { headers, data: TINY })).status()).toBe(200)
    expect((await request.put(uploadUrl, { headers, data: 'other bytes' })).status()).toBe(412)
  })

  test('does not lead to bytes that were swapped after complete', { tag: '@fault-5' }, async ({ request }) => {
    await createAccount(request)
    const signed = await presign(request)
    const headers = { 'content-type': 'video/mp4' }
    await request.put(signed.uploadUrl, { headers, data: TINY })
    await complete(request, signed)
    await request.put(signed.uploadUrl, { headers, data: 'other bytes' })
    const { url } = (await (await request.get(`/api/video-url/${signed.moduleId}`)).json()) as { url: string }
    expect((await request.get(url)).status()).toBe(409)
  })

  test('is refused once it has expired', { tag: '@fault-40' }, async ({ request, baseURL }) => {
    const client = new AwsClient({ accessKeyId: 'local', secretAccessKey: 'local-only', service: 's3', region: 'auto' })
    const url = `${baseURL}/cdn-cgi/local/r2/s3/adapt-media/src/expired?X-Amz-Expires=1`
    const datetime = new Date(Date.now() - 60_000).toISOString().replaceAll(/[:-]|\.\d+/g, '')
    const signed = await client.sign(url, { method: 'PUT', aws: { signQuery: true, datetime } })
    // More would still be on its way when the answer comes, which ends the connection.
    const answer = await request.put(signed.url, { data: 'x' })
    expect(answer.status()).toBe(403)
    expect(await answer.text()).toContain('ExpiredRequest')
  })
})
