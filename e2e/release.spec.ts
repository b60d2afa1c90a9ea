import { type APIRequestContext, type Browser, expect, type Page, test } from '@playwright/test'
import { SEEDED_ADMIN, SEEDED_MEMBER, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { signUpAsOwner } from './own-modules.ts'
import { createAccount, signInByCall, tokenByCall } from './people.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql, seedModules } from './seed-modules.ts'
import { activate } from './team.ts'
import { stepsOf } from './training.ts'

const LID = { id: 'a', title: 'Open the lid', description: 'Turn the screw to the left.', start: 0, end: 20 }
const FILTER = { id: 'b', title: 'Take the filter out', description: 'Pull it straight up.', start: 20, end: 40 }

async function callAs(request: APIRequestContext, method: string, path: string, data: object): Promise<void> {
  const headers = { authorization: `Bearer ${await tokenByCall(request)}` }
  const answer = await request.fetch(path, { method, headers, data })
  expect(answer.status(), await answer.text()).toBe(200)
}

const saveSteps = (page: Page, id: string, steps: readonly object[]) =>
  callAs(page.request, 'POST', `/api/steps/${id}`, { steps })

async function openContext(browser: Browser, baseURL: string | undefined): Promise<Page> {
  return (await browser.newContext({ baseURL: baseURL ?? '', reducedMotion: 'reduce' })).newPage()
}

/** Somebody at work in the organization that is there from the beginning. */
async function openColleague(
  browser: Browser,
  baseURL: string | undefined,
  { email }: { email: string },
): Promise<Page> {
  const page = await openContext(browser, baseURL)
  await signInByCall(page.request, { email, password: SEEDED_PASSWORD })
  await activate(page.request, SEEDED_ORGANIZATION.id)
  return page
}

/** Asks for a release of the draft as it is now. */
async function askForRelease(page: Page, note: string): Promise<void> {
  await page.getByRole('button', { name: 'Ask for release…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Ask for release' })
  await dialog.getByRole('textbox', { name: 'What is new (optional)' }).fill(note)
  await dialog.getByRole('textbox', { name: 'Your name' }).fill('Max Okafor')
  await dialog.getByRole('button', { name: 'Ask for release' }).press('Enter')
  await expect(page.getByText(/^Max Okafor asks for release/)).toBeVisible()
}

// Other journeys share the organization: its rules are those of before also where one of these fails.
test.afterEach(async ({ browser, baseURL }) => {
  const admin = await openColleague(browser, baseURL, SEEDED_ADMIN)
  await callAs(admin.request, 'PUT', '/api/account/publishers', { publishers: 'anyone' })
  await admin.context().close()
})

test('a colleague sends a draft back with a reason, and releases the next one', { tag: '@threat-1' }, async ({
  browser,
  baseURL,
}) => {
  const [member, admin] = await Promise.all([
    openColleague(browser, baseURL, SEEDED_MEMBER),
    openColleague(browser, baseURL, SEEDED_ADMIN),
  ])
  const origin = baseURL ?? ''
  const [id = ''] = await seedModules(origin, SEEDED_MEMBER.id, [{ title: 'Change the filter' }])
  await runSql(origin, 'UPDATE modules SET org_id = ?1 WHERE id = ?2', [SEEDED_ORGANIZATION.id, id])
  await saveSteps(member, id, [LID, FILTER])
  await callAs(admin.request, 'PUT', '/api/account/publishers', { publishers: 'four_eyes' })
  const approval = { name: 'Ada Brandt', meaning: 'approved', words: '' }
  await callAs(admin.request, 'PUT', `/api/versions/${id}`, { isOn: true, approval })
  await saveSteps(member, id, [{ ...LID, title: 'Open the hood' }, FILTER])

  await Promise.all([member, admin].map((page) => page.goto(`/training/${id}/versions`)))
  await askForRelease(member, 'The new pump has a hood.')

  await test.step('sent back', async () => {
    await admin.reload()
    await admin.getByRole('button', { name: 'Review…' }).press('Enter')
    const review = admin.getByRole('dialog', { name: 'Review and release' })
    await expect(review.locator('ins')).toHaveText('hood')
    await review.getByRole('textbox', { name: 'Your name' }).fill('Ada Brandt')
    await review.getByRole('textbox', { name: 'What has to change, if you send it back' }).fill('Say which screw.')
    await review.getByRole('button', { name: 'Send back' }).press('Enter')
    await expect(admin.getByText('The draft was sent back')).toBeVisible()
    await member.reload()
    await expect(member.getByText(/^Ada Brandt sent the draft back/)).toBeVisible()
    await expect(member.getByText('Say which screw.')).toBeVisible()
    await expectAccessible(member, 'a draft that was sent back')
  })

  await test.step('approved, once all of it was seen', async () => {
    await saveSteps(member, id, [{ ...LID, title: 'Open the hood', description: 'Turn the left screw.' }, FILTER])
    await askForRelease(member, 'The new pump has a hood.')
    await admin.reload()
    await admin.getByRole('button', { name: 'Review…' }).press('Enter')
    const review = admin.getByRole('dialog', { name: 'Review and release' })
    await review.getByRole('textbox', { name: 'Your name' }).fill('Ada Brandt')
    // The draft changes while it is read.
    await saveSteps(member, id, [{ ...LID, title: 'Open the hood', description: 'Turn the left screw.' }])
    await review.getByRole('button', { name: 'Release and publish' }).press('Enter')
    await expect(review.getByText(/^Someone has changed the draft, or published/)).toBeVisible()
    await expect(review.getByText('Removed')).toBeVisible()
    await review.getByRole('button', { name: 'Release and publish' }).press('Enter')
    await expect(admin.getByText('Learners see version 2.')).toBeVisible()
    await expect(admin.getByText(/Ada Brandt/).first()).toBeVisible()
  })

  await Promise.all([member, admin].map((page) => page.context().close()))
})

test('an invited person edits one training and sees only that, while two tabs publish it', {
  tag: '@threat-1',
}, async ({ page, browser, baseURL }) => {
  const [id = '', otherId = ''] = await signUpAsOwner(page, [
    { title: 'Change the filter' },
    { title: 'Oil the hinge' },
  ])
  await saveSteps(page, id, [LID, FILTER])
  await callAs(page.request, 'PATCH', `/api/modules/${id}`, { shared: false })
  await callAs(page.request, 'PUT', `/api/versions/${id}`, { isOn: true })
  const invited = await openContext(browser, baseURL)
  await createAccount(invited.request)

  await page.goto(`/training/${id}`)
  await page.getByRole('button', { name: 'Share: Change the filter' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share this training' })
  await dialog.getByRole('button', { name: 'Invited people' }).press('Enter')
  await dialog.getByRole('textbox', { name: 'Name of the person' }).fill('Kim Lee')
  await dialog.getByRole('textbox', { name: 'Name of the person' }).press('Enter')
  const link = await dialog.getByRole('textbox', { name: 'Invitation link for Kim Lee' }).inputValue()
  await expectAccessible(page, 'invited people')
  await expectReflow(page, 'invited people')

  await invited.goto(link)
  await expectReflow(invited, 'an invitation')
  await expectAccessible(invited, 'an invitation')
  await invited.getByRole('button', { name: 'Accept' }).press('Enter')
  await expect(invited).toHaveURL(`/training/${id}`)
  await expect(invited.getByRole('button', { name: /^Share/ })).toHaveCount(0)
  await expect(invited.getByRole('navigation', { name: 'Sections of this training' })).toHaveCount(0)
  await invited.getByRole('button', { name: /^Edit step 1:/ }).press('Enter')
  const form = invited.getByRole('form', { name: /^Edit step/ })
  await form.getByRole('textbox', { name: 'Title', exact: true }).fill('Open the hood')
  await expect(form.getByText('Saved', { exact: true })).toBeVisible()
  await expectReflow(invited, 'a training that an invited person edits')

  await test.step('two tabs publish what is there, and the slower one sees what has changed', async () => {
    const second = await page.context().newPage()
    for (const tab of [page, second]) {
      await tab.goto(`/training/${id}/versions`)
      await tab.getByRole('button', { name: 'Publish the draft…' }).press('Enter')
      await expect(tab.getByRole('dialog', { name: 'Publish a version' }).locator('ins')).toHaveText('hood')
    }
    await second.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
    await expect(second.getByText('Learners see version 2.')).toBeVisible()
    const late = page.getByRole('dialog', { name: 'Publish a version' })
    await late.getByRole('button', { name: 'Publish', exact: true }).press('Enter')
    await expect(late.getByText(/^Someone has changed the draft, or published/)).toBeVisible()
    await expect(late.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
    await second.close()
  })

  await invited.goto('/dashboard')
  await expect(invited.getByRole('region', { name: 'Trainings you edit' }).getByRole('listitem')).toHaveCount(1)
  await expect(invited.getByText('Oil the hinge')).toHaveCount(0)
  await expectAccessible(invited, 'a dashboard with a training to edit')
  await invited.goto(`/training/${otherId}`)
  await expect(invited.getByRole('button', { name: /^Edit step/ })).toHaveCount(0)
  await invited.goto(`/training/${id}/versions`)
  await invited.getByRole('button', { name: 'Read version 2' }).press('Enter')
  await expect(invited.getByRole('dialog').getByText('Open the hood')).toBeVisible()
  await expect(invited.getByRole('button', { name: /draft again|the draft/ })).toHaveCount(0)
  expect(await stepsOf(invited).count()).toBe(0)
  await invited.context().close()
})
