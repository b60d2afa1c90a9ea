import { type APIRequestContext, expect, test } from '@playwright/test'
import { SEEDED_ADMIN, SEEDED_ORGANIZATION, SEEDED_PASSWORD } from '#local/clerk/store/seeded-team.ts'
import { signInByCall, tokenByCall } from './people.ts'
import { makeSample } from './sample-module.ts'
import { expectAccessible, expectReflow } from './screen.ts'
import { runSql } from './seed-modules.ts'
import { watch } from './training.ts'

const step = (id: string, title: string, start: number) => ({ id, title, description: '', start, end: start + 2 })
const LID = step('a', 'Open the lid', 0)
const FILTER = step('b', 'Take the filter out', 2)
const CHANGED = { ...FILTER, title: 'Take the red filter out', description: 'Wear gloves.' }

/** Calls as the admin of the seeded organization, while it is active. */
async function openTeam(request: APIRequestContext) {
  await signInByCall(request, { email: SEEDED_ADMIN.email, password: SEEDED_PASSWORD })
  const client = (await (await request.get('/__clerk/v1/client')).json()) as {
    response: { last_active_session_id: string }
  }
  const touch = `/__clerk/v1/client/sessions/${client.response.last_active_session_id}/touch`
  await request.post(touch, { form: { active_organization_id: SEEDED_ORGANIZATION.id, intent: 'select_org' } })
  return async <Answer>(method: 'GET' | 'POST' | 'PUT', path: string, data?: object): Promise<Answer> => {
    const headers = { authorization: `Bearer ${await tokenByCall(request)}` }
    const answer = await request.fetch(path, { method, headers, ...(data && { data }) })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as Answer
  }
}

test('after a publish a person is asked for the changed step alone, marked with what it said, and done with it', async ({
  page,
  browser,
  baseURL,
}) => {
  const origin = baseURL ?? ''
  const id = await makeSample(page)
  await runSql(origin, 'UPDATE modules SET org_id = ?1, user_id = ?2 WHERE id = ?3', [
    SEEDED_ORGANIZATION.id,
    SEEDED_ADMIN.id,
    id,
  ])
  const team = await openTeam((await browser.newContext({ baseURL: origin })).request)
  await team('POST', `/api/steps/${id}`, { steps: [LID, FILTER] })
  const anna = await team<{ person: { id: string } }>('POST', '/api/people', {
    name: 'Anna Berg',
    number: null,
    groupIds: [],
  })
  await team('POST', '/api/assignments', {
    subject: { kind: 'training', id },
    groupIds: [],
    personIds: [anna.person.id],
    rule: { reached: true, confirmed: false, signedOff: false },
    due: null,
    everyMonths: null,
    byName: 'Ada Brandt',
    timeZone: 'Europe/Berlin',
  })
  const { path } = await team<{ path: string }>('POST', `/api/people/${anna.person.id}/link`)

  const learner = await (await browser.newContext({ baseURL: origin })).newPage()
  const readOwn = async () => {
    const own = (await (await learner.request.get('/api/my?lang=en')).json()) as {
      trainings: { isOpen: boolean; changedSteps: number | null }[]
    }
    return own.trainings.map(({ isOpen, changedSteps }) => ({ isOpen, changedSteps }))
  }
  await learner.goto(path)
  await learner.getByRole('link', { name: 'Begin' }).click()
  await watch(learner, 0, 4.2)
  await expect.poll(readOwn, { timeout: 20_000 }).toEqual([{ isOpen: false, changedSteps: null }])

  await team('POST', `/api/steps/${id}`, { steps: [LID, CHANGED] })
  const { hash: draft } = await team<{ hash: string }>('GET', `/api/versions/${id}/draft`)
  await team('POST', `/api/versions/${id}`, { draft, published: 1, note: '', retraining: 'changed' })
  expect((await page.request.get('/cdn-cgi/local/scheduled?cron=*+*+*+*+*', { timeout: 60_000 })).ok()).toBe(true)
  await expect.poll(readOwn, { timeout: 20_000 }).toEqual([{ isOpen: true, changedSteps: 1 }])

  await learner.setViewportSize({ width: 320, height: 640 })
  await learner.reload()
  const [lid, filter] = [learner.locator('#step-1'), learner.locator('#step-2')]
  await expect(filter.getByText('Changed', { exact: true })).toBeVisible()
  await expect(lid.getByText('Changed', { exact: true })).toHaveCount(0)
  await filter.getByText('What it said before').click()
  await expect(filter.locator('ins').first()).toHaveText('red')
  await expectReflow(learner, 'a step that is asked again')
  await expectAccessible(learner, 'a step that is asked again')
  await watch(learner, 2, 4.2)
  await expect.poll(readOwn, { timeout: 20_000 }).toEqual([{ isOpen: false, changedSteps: null }])
  await learner.context().close()
})
