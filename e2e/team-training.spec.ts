import { openAsBlob, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { type Browser, expect, type Page, test } from '@playwright/test'
import { makeZip } from 'client-zip'
import { DAY_MS } from '#contract/time/day.ts'
import { readZip } from '#records/read-zip.ts'
import { readCodes } from './read-codes.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { sweep } from './sweep.ts'
import { Team } from './team.ts'
import { watch } from './training.ts'

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const FILTER = 'Change the filter'
const PRESS = 'Start the press'
const STEPS = ['Close the valve', 'Open the housing', 'Take the filter out'] as const
/** All of the steps have been played by then. */
const END_S = 6.3
const WATCHED = { reached: true, confirmed: true, signedOff: false }
const SHOWN = { reached: false, confirmed: false, signedOff: true }

let trainer: Page
let team: Team
let line: { id: string; path: string }
let filter: string
let press: string
const people = { ana: '', bo: '', cem: '', dina: '' }

test.describe.configure({ mode: 'serial' })

test.beforeAll(async ({ browser }) => {
  trainer = await (await browser.newContext()).newPage()
  team = await Team.found(trainer, 'South Works')
  filter = await team.addTraining(FILTER, STEPS)
  press = await team.addTraining(PRESS, STEPS)
  line = await team.addGroup('Line 3')
  people.ana = await team.addPerson('Ana Cruz', [line.id])
  people.bo = await team.addPerson('Bo Lind', [line.id])
  people.cem = await team.addPerson('Cem Kaya', [line.id])
  people.dina = await team.addPerson('Dina Wolf', [line.id])
  await team.assign(filter, { groupIds: [line.id], rule: WATCHED })
  await team.assign(press, { personIds: [people.cem], rule: SHOWN, everyMonths: 1 })
})

test.afterAll(() => trainer?.context().close())

/** What the own page says of a training. */
const cardOf = (page: Page, title: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title }) })

async function openLink(browser: Browser, personId: string, options = {}): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  await page.goto(await team.linkOf(personId))
  await expect(page.getByRole('heading', { name: 'My trainings' })).toBeVisible()
  return page
}

/** Opens a training from the own page, and plays it as far as that. */
async function follow(page: Page, title: string, [fromS, toS]: readonly [number, number]): Promise<void> {
  await cardOf(page, title)
    .getByRole('link', { name: /^(Begin|Continue)$/ })
    .click()
  await expect(page.locator('video')).toBeVisible()
  await watch(page, fromS, toS)
}

/** The own page knows what was reported a moment ago. */
async function confirm(page: Page, path: string): Promise<void> {
  // A kept copy loads its page anew once there is a network, which may get in between.
  await expect(() => page.goto(path)).toPass()
  await expect(cardOf(page, FILTER).getByText('All steps watched')).toBeVisible({ timeout: 60_000 })
  await cardOf(page, FILTER).getByRole('button', { name: 'Confirm' }).click()
  await expect(cardOf(page, FILTER).getByText(/^Done /)).toBeVisible()
}

async function keep(page: Page): Promise<void> {
  await cardOf(page, FILTER).getByRole('link', { name: 'Begin' }).click()
  await page.getByRole('button', { name: 'Keep on this phone' }).click()
  await page.getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Kept on this phone' })).toBeVisible()
}

test('a person with a personal link completes a training offline on a phone, and it counts once', async ({
  browser,
}) => {
  const phone = await openLink(browser, people.ana, PHONE)
  expect(phone.url()).not.toContain('#')
  await expectAccessible(phone, 'own trainings')
  await expectReflow(phone, 'own trainings')
  // The page is kept behind what it shows, and after it the one that is shown for trainings that are not kept.
  const isKept = () =>
    phone.evaluate(async () => {
      const workers = (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.state)
      const list = await (await caches.open('adapt_kept')).match('/kept')
      return list !== undefined && workers.filter((state) => state === 'activated').length === 3
    })
  await expect.poll(isKept, { timeout: 60_000 }).toBe(true)
  await phone.context().setOffline(true)
  await phone.goto(`/share/${filter}`)
  await expect(phone.getByText('the training that you opened is not kept on this device')).toBeVisible()
  await phone.goto('/my')
  await expect(cardOf(phone, FILTER).getByText('Not kept on this device: it needs a network.')).toBeVisible()
  await phone.context().setOffline(false)
  await phone.goto('/my')
  await keep(phone)
  await phone.context().setOffline(true)
  await phone.goto('/my')
  await expect(phone.getByText(/This is the copy on this device, as it was/)).toBeVisible()
  await expectAccessible(phone, 'own trainings without a network')
  await expectReflow(phone, 'own trainings without a network')
  await follow(phone, FILTER, [0, END_S])
  await expect(phone.getByText(/^\d+% watched$/)).toBeVisible()
  expect(await team.records('reached')).toEqual([])

  await phone.context().setOffline(false)
  await confirm(phone, '/my')
  await phone.goto(`/share/${filter}`)
  await expect(phone.locator('video')).toBeVisible()
  await watch(phone, 0, 1)
  await phone.goto('/my')
  await expect(cardOf(phone, FILTER).getByText(/^Done /)).toBeVisible()
  const [reached, ...others] = await team.records('reached')
  expect(others).toEqual([])
  expect(reached).toMatchObject({ knownBy: 'personal_link', offlineAt: expect.any(String) })
  expect(await team.records('confirmed')).toHaveLength(1)
  await phone.context().close()
})

test('three people share a tablet by their codes, and the next one finds nothing of the last', async ({ browser }) => {
  const tablet = await (await browser.newContext()).newPage()
  const stored = () =>
    tablet.evaluate(() => Object.keys(localStorage).filter((key) => /^adapt_(learn|my_page|whose|positions)/.test(key)))
  async function begin(personId: string, name: string) {
    await tablet.getByLabel('Your code').fill((await team.codeOf(personId)).toLowerCase())
    await tablet.getByRole('button', { name: 'Begin' }).click()
    await expect(tablet.getByText(name)).toBeVisible()
  }
  async function next(name: string) {
    await tablet.getByRole('button', { name: 'Next person' }).click()
    await expect(tablet.getByLabel('Your code')).toHaveValue('')
    await expect(tablet.getByText(name)).toHaveCount(0)
    expect(await stored()).toEqual([])
  }
  await tablet.goto(line.path)
  await tablet.getByLabel('Your code').fill('AAAAAAAA')
  await tablet.getByRole('button', { name: 'Begin' }).click()
  await expect(tablet.getByText('Nobody in this group has this code. Look at it again.')).toBeVisible()
  await expectAccessible(tablet, 'a code that is nobody’s')
  await begin(people.bo, 'Bo Lind')
  await follow(tablet, FILTER, [0, END_S])
  await confirm(tablet, line.path)
  await next('Bo Lind')

  await begin(people.cem, 'Cem Kaya')
  await follow(tablet, FILTER, [0, 1])
  // Of what Bo has seen, nothing counts for Cem.
  await expect(tablet.getByText(/^\d+% watched$/)).toBeVisible()
  await expect(tablet.getByText('Completed')).toHaveCount(0)
  await tablet.goto(line.path)
  await expect(cardOf(tablet, FILTER).getByRole('link', { name: 'Continue' })).toBeVisible()
  await next('Cem Kaya')

  await begin(people.dina, 'Dina Wolf')
  await expect(cardOf(tablet, FILTER).getByRole('link', { name: 'Begin' })).toBeVisible()
  await next('Dina Wolf')
  const reached = await team.records('reached')
  expect(reached.map(({ knownBy, people: who }) => [who[0]?.name, knownBy])).toEqual([
    ['Bo Lind', 'code'],
    ['Ana Cruz', 'personal_link'],
  ])
  await tablet.context().close()
})

async function openSignOff(): Promise<ReturnType<Page['getByRole']>> {
  await trainer.goto('/team/matrix')
  await trainer.getByRole('button', { name: new RegExp(`^Cem Kaya, ${PRESS}: `) }).click()
  const dialog = trainer.getByRole('dialog', { name: 'Sign off Cem Kaya' })
  await expect(dialog.getByRole('radio', { name: 'Shown' }).first()).toBeVisible()
  return dialog
}

test('a supervisor refuses one step, the learner is asked for exactly that one, and is signed off', async ({
  browser,
}) => {
  const first = await openSignOff()
  await expect(first.getByRole('group')).toHaveCount(3)
  await first.getByRole('group', { name: STEPS[1] }).getByRole('radio', { name: 'Show again' }).check()
  await first.getByRole('textbox', { name: 'What has to be different' }).fill('Wear the gloves.')
  await first.getByRole('button', { name: 'All steps were shown' }).click()
  await first.getByRole('textbox', { name: 'Your name' }).fill('Tara Trainer')
  await expect(first.getByText(/^Signed by Tara Trainer as supervisor, meaning: /)).toBeVisible()
  await first.getByRole('button', { name: 'Sign and ask for it again' }).click()
  await expect(first).toBeHidden()

  const learner = await openLink(browser, people.cem)
  await expect(cardOf(learner, PRESS).getByText('Steps to show again: 1')).toBeVisible()
  const asked = cardOf(learner, PRESS).getByRole('listitem')
  await expect(asked).toHaveCount(1)
  await expect(asked).toContainText(STEPS[1])
  await expect(asked).toContainText('Wear the gloves.')
  await expectAccessible(learner, 'a step that is asked for again')

  const second = await openSignOff()
  await expect(second.getByRole('group')).toHaveCount(1)
  await second.getByRole('group', { name: STEPS[1] }).getByRole('radio', { name: 'Shown' }).check()
  await second.getByRole('textbox', { name: 'Your name' }).fill('Tara Trainer')
  await second.getByRole('button', { name: 'Sign', exact: true }).click()
  await expect(second).toBeHidden()
  await learner.reload()
  await expect(cardOf(learner, PRESS).getByText(/^Done /)).toBeVisible()
  await learner.context().close()
})

/** Clerk's own dialog, above the page. */
const verificationOf = (page: Page) => page.getByRole('dialog').filter({ hasText: 'Verification required' })

async function giveAgain(page: Page, password: string): Promise<void> {
  const dialog = verificationOf(page)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
}

test('a supervisor scans the code of a learner, and gives the password again before signing', async ({ browser }) => {
  await team.assign(press, { personIds: [people.bo], rule: SHOWN })
  await trainer.goto('/team/records')
  await trainer
    .getByRole('combobox', { name: /^Ask supervisors for their password again/ })
    .selectOption({ label: 'If they last entered it more than 5 minutes ago' })
  await expect(trainer.getByText('Saved')).toBeVisible()
  await team.ageSignIns()

  const phone = await openLink(browser, people.bo, PHONE)
  await cardOf(phone, PRESS).getByRole('button', { name: 'Show this to your supervisor' }).click()
  const code = cardOf(phone, PRESS).getByRole('img', { name: 'Show this to your supervisor' })
  const [link = ''] = await readCodes(await code.screenshot())
  expect(new URL(link).pathname).toBe(`/team/sign-off/${people.bo}/${press}`)
  await expectAccessible(phone, 'the code of a learner')
  await expectReflow(phone, 'the code of a learner')
  // It opens nothing for the learner.
  await phone.goto(link)
  await expect(phone).toHaveURL(/\/sign-in/)
  await phone.context().close()

  await trainer.goto(link)
  await expect(trainer.getByRole('heading', { name: 'Sign off Bo Lind' })).toBeVisible()
  await expectAccessible(trainer, 'a training of a person that is signed off')
  await trainer.getByRole('button', { name: 'All steps were shown' }).click()
  await trainer.getByRole('textbox', { name: 'Your name' }).fill('Tara Trainer')
  await trainer.getByRole('button', { name: 'Sign', exact: true }).click()
  await giveAgain(trainer, 'not-the-password')
  await expect(trainer.getByText(/^Password is incorrect/).first()).toBeVisible()
  expect(await team.stateOf(people.bo, press)).toBe('assigned')
  await giveAgain(trainer, team.password)
  await expect(trainer.getByText('Bo Lind is signed off')).toBeVisible()
  expect(await team.stateOf(people.bo, press)).toBe('done')
})

test('the password is asked for above the dialog of the matrix, which has all that was filled in', async () => {
  await team.assign(press, { personIds: [people.dina], rule: SHOWN })
  await team.ageSignIns()
  await trainer.goto('/team/matrix')
  await trainer.getByRole('button', { name: new RegExp(`^Dina Wolf, ${PRESS}: `) }).click()
  const dialog = trainer.getByRole('dialog', { name: 'Sign off Dina Wolf' })
  await dialog.getByRole('button', { name: 'All steps were shown' }).click()
  await dialog.getByRole('textbox', { name: 'Your name' }).fill('Tara Trainer')
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
  const asked = verificationOf(trainer)
  await expect(asked.getByLabel('Password', { exact: true })).toBeVisible()
  await expect(dialog).toBeHidden()
  await asked.getByRole('button', { name: 'Close modal' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Your name' })).toHaveValue('Tara Trainer')
  await expect(dialog.getByRole('radio', { name: 'Shown' }).first()).toBeChecked()
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
  await giveAgain(trainer, team.password)
  await expect(trainer.getByText('Dina Wolf is signed off')).toBeVisible()
  await expect(dialog).toBeHidden()
})

test('a step changes, and two of three people are asked for that one step', async ({ browser }) => {
  await team.saveSteps(filter, [STEPS[0], 'Open the housing with gloves', STEPS[2]])
  await trainer.goto(`/training/${filter}/versions`)
  await trainer.getByRole('button', { name: 'Publish the draft…' }).click()
  const dialog = trainer.getByRole('dialog', { name: 'Publish a version' })
  await dialog
    .getByRole('combobox', { name: 'Who has to do the training again?' })
    .selectOption({ label: 'Everyone, only the changed steps' })
  await expect(dialog.getByText('Asked: 2 people × 1 of 3 steps')).toBeVisible()
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(trainer.getByText('Learners see version 2.')).toBeVisible()
  await sweep(trainer)

  const ana = await openLink(browser, people.ana)
  await expect(cardOf(ana, FILTER).getByText('Changed or new steps: 1')).toBeVisible()
  await expect(cardOf(ana, FILTER).getByRole('listitem')).toContainText('with gloves')
  await follow(ana, FILTER, [2, 4.2])
  await confirm(ana, '/my')
  expect(await team.stateOf(people.ana, filter)).toBe('done')
  expect(await team.stateOf(people.bo, filter)).toBe('assigned')
  const dina = await openLink(browser, people.dina)
  await expect(cardOf(dina, FILTER).getByRole('link', { name: 'Begin' })).toBeVisible()
  await expect(dina.getByText(/^Changed or new steps/)).toHaveCount(0)
  await ana.context().close()
  await dina.context().close()
})

test('what is to be done again every month has expired after the month', async ({ browser }) => {
  expect(await team.stateOf(people.cem, press)).toBe('done')
  const later = { 'adapt-later-ms': String(40 * DAY_MS) }
  const learner = await openLink(browser, people.cem, { extraHTTPHeaders: later })
  await expect(cardOf(learner, PRESS).getByText(/^Done /)).toHaveCount(0)
  const supervisor = await (await browser.newContext({ extraHTTPHeaders: later })).newPage()
  await team.signIn(supervisor)
  await supervisor.goto('/team/matrix')
  await expect(supervisor.getByRole('button', { name: new RegExp(`^Cem Kaya, ${PRESS}: Expired on `) })).toBeVisible()
  await supervisor.context().close()
  await learner.context().close()
})

async function exportRecords(): Promise<Map<string, Blob>> {
  await trainer.goto('/team/records')
  const downloading = trainer.waitForEvent('download')
  await trainer.getByRole('button', { name: 'Export' }).click()
  return readZip(await openAsBlob(await (await downloading).path()))
}

test('an export proves itself on its own page, and one changed byte is found and named', async ({
  browser,
}, testInfo) => {
  const files = await exportRecords()
  const lines = ((await files.get('records.jsonl')?.text()) ?? '').split('\n')
  const last = lines.at(-2) ?? ''
  const verifyPath = testInfo.outputPath('verify.html')
  writeFileSync(verifyPath, (await files.get('verify.html')?.text()) ?? '')
  const auditor = await (await browser.newContext({ offline: true })).newPage()
  await auditor.goto(pathToFileURL(verifyPath).href)
  const choose = auditor.getByLabel('Choose ZIP file')
  async function drop(changed: ReadonlyMap<string, Blob>) {
    const zip = makeZip([...changed].map(([name, input]) => ({ name, input })))
    const buffer = Buffer.from(await new Response(zip).arrayBuffer())
    await choose.setInputFiles({ name: 'training-records.zip', mimeType: 'application/zip', buffer })
  }
  await drop(files)
  await expect(auditor.getByRole('heading', { name: 'Nothing was changed' })).toBeVisible()
  await expectAccessible(auditor, 'an export in which nothing was changed')
  await auditor.getByRole('textbox', { name: /that you kept/ }).fill(/"hash":"(\w+)"/.exec(last)?.[1] ?? '')
  await auditor.keyboard.press('Enter')
  await expect(auditor.getByText(`Record ${lines.length - 1} is the one of your checkpoint.`)).toBeVisible()
  await auditor.getByRole('textbox', { name: /that you kept/ }).fill('0'.repeat(64))
  await auditor.keyboard.press('Enter')
  await expect(auditor.getByText('Your checkpoint is not among these records.')).toBeVisible()
  await expectReflow(auditor, 'an export that is not the one of a checkpoint')
  await auditor.getByRole('textbox', { name: /that you kept/ }).fill('')

  const index = lines.findIndex((line) => line.includes('"kind":"confirmed"'))
  const changed = lines.with(index, (lines[index] ?? '').replace('"wasOffline":false', '"wasOffline":fals3'))
  await drop(new Map(files).set('records.jsonl', new Blob([changed.join('\n')])))
  await expect(auditor.getByRole('heading', { name: 'This export was changed' })).toBeVisible()
  await expect(auditor.getByText(`Record ${index + 1}: its text was changed.`)).toBeVisible()
  await expectAccessible(auditor, 'an export in which a byte was changed')
  await auditor.context().close()
})
