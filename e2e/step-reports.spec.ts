import { type Browser, expect, type Page, test } from '@playwright/test'
import { StepReportsAnswer } from '#contract/feedback/step-report.ts'
import { apiOf, createAccount, tokenOf } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { seedModules } from './seed-modules.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const STEPS = ['Open the cover', 'Turn the bolt'].map((title, index) => {
  return { id: `s${index}`, title, description: 'Do this thing.', start: index * 20, end: index * 20 + 20 }
})

/** 48° 8′ 13″ north, as a phone writes where a photo was taken: `Exif`, a TIFF with one entry, and the place it leads to. */
const GPS = Buffer.from(
  [
    '457869660000', // Exif
    '4d4d002a00000008', // TIFF, its first list of entries at 8
    '0001', // one entry: GPS, a list at 26
    '88250004000000010000001a00000000',
    '0002', // two entries: north, and three fractions at 56
    '00010002000000024e000000',
    '000200050000000300000038',
    '00000000',
    '000000300000000100000008000000010000000d00000001',
  ].join(''),
  'hex',
)

/** A JPEG as a camera writes it, with the place where it was taken. */
async function takePhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 1_600
    canvas.height = 1_200
    const draw = canvas.getContext('2d')
    if (draw) draw.fillStyle = 'teal'
    draw?.fillRect(100, 100, 900, 700)
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? ''
  })
  const jpeg = Buffer.from(base64, 'base64')
  const head = Buffer.from([0xff, 0xe1, 0, GPS.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, GPS, jpeg.subarray(2)])
}

/** A training of two steps whose learners report. @returns its id */
async function makeReported(owner: Page): Promise<string> {
  const { origin, userId } = await createAccount(owner.request)
  const [id = ''] = await seedModules(origin, userId, [{ title: 'Change the oil' }])
  await owner.goto('/dashboard')
  const headers = { authorization: `Bearer ${await tokenOf(owner)}` }
  const saved = await owner.request.post(`/api/steps/${id}`, { data: { steps: STEPS }, headers })
  expect(saved.ok()).toBe(true)
  const switched = await owner.request.patch(`/api/modules/${id}`, { data: { takesReports: true }, headers })
  expect(switched.ok()).toBe(true)
  return id
}

async function openPhone(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ ...PHONE, baseURL: baseURL ?? '' })).newPage()
}

const listReports = async (owner: Page, id: string) =>
  StepReportsAnswer.parse(await apiOf(owner, `/api/step-reports/${id}`)).entries

test('a learner reports with a photo without a network; it is sent once, settled and thanked for', {
  tag: '@asked-8',
}, async ({ page: owner, browser, baseURL }) => {
  const id = await makeReported(owner)
  const learner = await openPhone(browser, baseURL)
  await learner.goto(`/share/${id}`)
  const flag = learner.getByRole('button', { name: 'Report from step 2: Turn the bolt' })
  await expect(flag).toBeVisible()
  const photo = await takePhoto(learner)
  expect(photo.includes(GPS)).toBe(true)

  await learner.context().setOffline(true)
  await flag.click()
  const sheet = learner.getByRole('dialog', { name: 'What is wrong with this step?' })
  await sheet.getByRole('button', { name: 'Dangerous' }).click()
  await sheet.getByLabel('In one line (optional)').fill('The bolt <b>turns left</b>.')
  await sheet.getByLabel('Add a photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(sheet.getByRole('img', { name: 'Your photo' })).toBeVisible()
  await expectAccessible(learner, 'the sheet of a report')
  await expectReflow(learner, 'the sheet of a report')
  await sheet.getByRole('button', { name: 'Send' }).click()
  await expect(sheet).toContainText('kept on this device and sent later')
  await sheet.getByRole('button', { name: 'Close' }).last().click()
  expect(await listReports(owner, id)).toEqual([])

  await learner.context().setOffline(false)
  await expect.poll(async () => (await listReports(owner, id)).length).toBe(1)
  await learner.reload()
  await expect(flag).toBeVisible()
  const [entry] = await listReports(owner, id)
  expect(entry).toMatchObject({ stepId: 's1', kind: 'dangerous', count: 1, reports: [{ hasPhoto: true }] })

  const path = `/api/step-reports/${id}/photos/${entry?.reports[0]?.id}`
  const sent = await owner.request.get(path, { headers: { authorization: `Bearer ${await tokenOf(owner)}` } })
  const bytes = await sent.body()
  expect(bytes.length).toBeGreaterThan(1_000)
  expect(bytes.includes(GPS.subarray(-24)) || bytes.includes('Exif') || bytes.includes('EXIF')).toBe(false)

  await owner.goto(`/training/${id}`)
  await expect(owner.getByRole('link', { name: 'A danger was reported at step 2: Turn the bolt' })).toBeVisible()
  await owner.getByRole('button', { name: 'Show the photo' }).click()
  await expect(owner.getByRole('img', { name: 'Photo of the report' })).toBeVisible()
  await expect(owner.getByText('The bolt <b>turns left</b>.')).toBeVisible()
  await expectAccessible(owner, 'reports beside a step')
  await owner.getByRole('button', { name: 'Settle' }).click()
  await owner.getByLabel('What those read who reported it (optional)').fill('It says right now.')
  await owner.getByRole('button', { name: 'Settle' }).click()
  await expect(owner.getByText('The report is settled')).toBeVisible()

  await learner.reload()
  await expect(learner.getByText(/^Changed on .+\. Thank you\.$/)).toBeVisible()
  await expect(learner.getByText('It says right now.')).toBeVisible()
  await learner.context().close()
})
