import { type Browser, expect, type Page, test } from '@playwright/test'
import { expectAccessible, expectReflow } from './screen.ts'
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
    .getByRole('link', { name: /^(Begin|Go on)$/ })
    .click()
  await expect(page.locator('video')).toBeVisible()
  await watch(page, fromS, toS)
}

/** The own page knows what was reported a moment ago. */
async function confirm(page: Page, path: string): Promise<void> {
  await page.goto(path)
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
  await expect(cardOf(tablet, FILTER).getByRole('link', { name: 'Go on' })).toBeVisible()
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
