import { openAsBlob, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { makeZip } from 'client-zip'
import { readZip } from '#records/read-zip.ts'
import { expectAccessible } from './screen.ts'
import { Team } from './team.ts'

const PRESS = 'Start the press'
const STEPS = ['Close the valve', 'Open the housing', 'Take the filter out'] as const
const SHOWN = { reached: false, confirmed: false, signedOff: true }

/** What the camera takes: the page that it is held at. */
const takePhoto = (page: Page) => page.screenshot({ type: 'jpeg', quality: 60 })

/** Judges a step, and adds a photo of it. */
async function judge(form: Page, step: string, { says, photo }: { says: string; photo: Buffer }): Promise<Locator> {
  const group = form.getByRole('group', { name: step })
  await group.getByRole('radio', { name: says }).check()
  await group.getByLabel('Add a photo').setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(group.getByRole('img', { name: /^Photo of step/ })).toBeVisible()
  return group
}

async function sign(form: Page, action: string): Promise<void> {
  await form.getByRole('textbox', { name: 'Your name' }).fill('Tara Trainer')
  await form.getByRole('button', { name: action, exact: true }).click()
  await expect(form).toHaveURL(/\/team\/matrix/)
}

async function exportRecords(trainer: Page): Promise<Map<string, Blob>> {
  await trainer.goto('/team/records')
  const downloading = trainer.waitForEvent('download')
  await trainer.getByRole('button', { name: 'Export' }).click()
  return readZip(await openAsBlob(await (await downloading).path()))
}

test('photos of a refused visit and of the signature are on record, certificate and list, and in an export that proves itself', async ({
  browser,
}, testInfo) => {
  const trainer = await (await browser.newContext()).newPage()
  const team = await Team.found(trainer, 'South Works')
  const press = await team.addTraining(PRESS, STEPS)
  const cem = await team.addPerson('Cem Kaya', [])
  await team.assign(press, { personIds: [cem], rule: SHOWN })
  const signOff = `/team/sign-off/${cem}/${press}`

  await trainer.goto(signOff)
  const photo = await takePhoto(trainer)
  await judge(trainer, STEPS[0], { says: 'Shown', photo })
  await trainer.setViewportSize({ width: 700, height: 500 })
  const refused = await judge(trainer, STEPS[1], { says: 'Show again', photo: await takePhoto(trainer) })
  await refused.getByRole('textbox', { name: 'What has to be different' }).fill('Wear the gloves.')
  await trainer.getByRole('button', { name: 'All steps were shown' }).click()
  await sign(trainer, 'Sign and ask for it again')
  await trainer.goto(signOff)
  await expect(trainer.getByRole('group')).toHaveCount(1)
  await trainer.setViewportSize({ width: 900, height: 700 })
  await judge(trainer, STEPS[1], { says: 'Shown', photo: await takePhoto(trainer) })
  await sign(trainer, 'Sign')

  await trainer.goto('/team/records')
  const photosOf = (kind: string) =>
    trainer
      .getByRole('listitem')
      .filter({ hasText: kind })
      .getByRole('img', { name: /^Photo \d of record \d+$/ })
  await expect(photosOf('To be shown again')).toHaveCount(2)
  await expect(photosOf('Signed off')).toHaveCount(1)
  await trainer.goto(`/team/records/print?person=${cem}`)
  // The one of the step that was refused is on record, and not among what was shown.
  await expect(trainer.getByRole('img', { name: /^Photo \d of record \d+$/ })).toHaveCount(2)
  await expectAccessible(trainer, 'a certificate with photos')
  await trainer.goto(`/team/records/print?training=${press}`)
  await expect(trainer.getByRole('listitem')).toContainText('2 photos')
  await expect(trainer.getByRole('img', { name: /^Photo/ })).toHaveCount(0)

  const files = await exportRecords(trainer)
  const photos = [...files.keys()].filter((name) => name.startsWith('photos/'))
  expect(photos).toHaveLength(3)
  const verifyPath = testInfo.outputPath('verify.html')
  writeFileSync(verifyPath, (await files.get('verify.html')?.text()) ?? '')
  const auditor = await (await browser.newContext({ offline: true })).newPage()
  await auditor.goto(pathToFileURL(verifyPath).href)
  async function drop(changed: ReadonlyMap<string, Blob>) {
    const zip = makeZip([...changed].map(([name, input]) => ({ name, input })))
    const buffer = Buffer.from(await new Response(zip).arrayBuffer())
    await auditor
      .getByLabel('Choose ZIP file')
      .setInputFiles({ name: 'training-records.zip', mimeType: 'application/zip', buffer })
  }
  await drop(files)
  await expect(auditor.getByRole('heading', { name: 'Nothing was changed' })).toBeVisible()
  const [name = ''] = photos
  const bytes = new Uint8Array((await files.get(name)?.arrayBuffer()) ?? new ArrayBuffer())
  bytes[100] = (bytes[100] ?? 0) ^ 1
  await drop(new Map(files).set(name, new Blob([bytes])))
  await expect(auditor.getByRole('heading', { name: 'This export was changed' })).toBeVisible()
  await expect(auditor.getByText(/^Record \d+: a photo was changed\.$/)).toBeVisible()
  await auditor.context().close()
  await trainer.context().close()
})
