// Behaviour: whoever is responsible for a published version is told by mail, once for each review that is due.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import type { Publishers } from '#contract/review.ts'
import { VersionsAnswer } from '#contract/version.ts'
import { answerOf } from '#local/testing/api.ts'
import { AppError } from '#worker/core/errors.ts'
import { storeSettings } from '#worker/domain/notice/notice-settings.ts'
import { NOTICE_SUBJECT } from '#worker/domain/notice/notice-subject.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { listToPlan, planReminders } from '#worker/domain/reminder/plan-reminders.ts'
import type { Mail } from '#worker/ports/mailer.ts'
import { edit, type Person, publish, seedTeam } from '#worker/routes/testing/team.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import { TASK_HANDLERS } from '../task-handlers.ts'
import { openDriver } from '../testing/drive.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const DAY_MS = 86_400_000
const MONTH_DAYS = 31

/** A training whose version 1 is looked at again each month, its people with addresses, and a clock in days from now. */
async function openWorld(publishers: Publishers = 'anyone') {
  const team = await seedTeam(publishers)
  const { id, uploader, approver } = team
  const { orgId } = uploader
  await seedPeople(orgId, [
    { id: 'owner', name: 'Ola Berg', userId: uploader.as },
    { id: 'approver', name: 'Kim Lee', userId: approver.as },
  ])
  const setEmail = (personId: string, email: string | null) =>
    env.DB.prepare('UPDATE people SET email = ?3 WHERE org_id = ?1 AND id = ?2').bind(orgId, personId, email).run()
  await setEmail('owner', 'ola@example.com')
  await setEmail('approver', 'kim@example.com')
  const schedule = (person: Person, months: number | null = 1) =>
    answerOf(VersionsAnswer, `/api/versions/${id}/schedule`, { ...person, method: 'PUT', json: { months } })
  await schedule(publishers === 'approvers' ? approver : uploader)
  const sent: Mail[] = []
  const mailer = {
    origin: 'https://adapt.example.com',
    send: async (mail: Mail): Promise<void> => void sent.push(mail),
  }
  const { deps } = openDriver({ mailer })
  const clock = { nowMs: Date.now() }
  const context = { ...deps, nowMs: () => clock.nowMs }
  /** What is mailed by the sweep of a day so many days from now. */
  async function dayAfter(days: number): Promise<Mail[]> {
    clock.nowMs = Date.now() + days * DAY_MS
    for (const org of (await listToPlan(context)).filter((each) => each.orgId === orgId))
      await planReminders({ ...context, canMail: true }, org)
    const claim = { kind: 'notify', subject: NOTICE_SUBJECT, limit: 60, bytes: 1, isIdle: true } as const
    await runTasks(await claimTasks(env.DB, { ...claim, nowMs: clock.nowMs }), context, TASK_HANDLERS)
    return sent.splice(0)
  }
  return { ...team, orgId, context, mailer, setEmail, schedule, dayAfter }
}

const toOf = (mails: Mail[]) => mails.map(({ to }) => to)

it('tells the owner once that a review is due, and again of the next version’s', async () => {
  const { id, uploader, dayAfter } = await openWorld()
  expect(await dayAfter(MONTH_DAYS - 5)).toEqual([])
  const [mail] = await dayAfter(MONTH_DAYS + 1)
  expect(mail).toMatchObject({ to: 'ola@example.com', subject: 'Trainings that are due for review' })
  expect(mail?.text).toContain('Hello Ola Berg,')
  expect(mail?.text).toMatch(/- Change the filter: review due since \w+ \d+, \d{4}\n/)
  expect(mail?.text).toContain(`  https://adapt.example.com/training/${id}/versions\n`)
  for (const days of [2, 3, 40]) expect(await dayAfter(MONTH_DAYS + days)).toEqual([])
  await edit(id, uploader, 'Open the lid')
  await publish(id, uploader)
  expect(toOf(await dayAfter(MONTH_DAYS + 41))).toEqual(['ola@example.com'])
})

it('tells all that is due of a person in one mail, the most overdue first', async () => {
  const { id, uploader, schedule, dayAfter, orgId } = await openWorld()
  await env.DB.prepare('UPDATE training_versions SET published_at = published_at - ?2 WHERE module_id = ?1')
    .bind(id, DAY_MS)
    .run()
  await schedule(uploader)
  const other = await seedTeam('anyone')
  await env.DB.prepare('UPDATE modules SET org_id = ?2, user_id = ?3 WHERE id = ?1')
    .bind(other.id, orgId, uploader.as)
    .run()
  const json = { months: 1 }
  await answerOf(VersionsAnswer, `/api/versions/${other.id}/schedule`, { ...uploader, method: 'PUT', json })
  const mails = await dayAfter(MONTH_DAYS + 2)
  expect(mails).toHaveLength(1)
  const addresses = Array.from(mails[0]?.text.matchAll(/training\/([\w-]+)\//g) ?? [], ([, found]) => found)
  expect(addresses).toEqual([id, other.id])
})

it('tells whoever released it where approvers do, and the owner where they have no address', async () => {
  const { id, uploader, approver, setEmail, dayAfter } = await openWorld('approvers')
  await edit(id, uploader, 'Open the lid')
  await publish(id, approver)
  expect(toOf(await dayAfter(MONTH_DAYS + 1))).toEqual(['kim@example.com'])
  await edit(id, uploader, 'Close the lid')
  await publish(id, approver)
  await setEmail('approver', null)
  expect(toOf(await dayAfter(MONTH_DAYS + 2))).toEqual(['ola@example.com'])
})

it('tells nobody without an address, without a mailer, or where the organization wants no mails; then once it can', async () => {
  const { orgId, context, mailer, setEmail, dayAfter } = await openWorld()
  await setEmail('owner', null)
  expect(await dayAfter(MONTH_DAYS + 1)).toEqual([])
  await setEmail('owner', 'ola@example.com')
  await storeSettings(context, orgId, { sendsReminders: false })
  expect(await dayAfter(MONTH_DAYS + 2)).toEqual([])
  await storeSettings(context, orgId, { sendsReminders: true })
  context.services = { ...context.services, mailer: null }
  expect(await dayAfter(MONTH_DAYS + 3)).toEqual([])
  context.services = { ...context.services, mailer }
  expect(toOf(await dayAfter(MONTH_DAYS + 4))).toEqual(['ola@example.com'])
})

it('tells nothing that was looked at or switched off by then, and the next day what was not taken', async () => {
  const { id, uploader, schedule, mailer, dayAfter } = await openWorld()
  const take = mailer.send
  mailer.send = () => Promise.reject(new AppError('unavailable', 'Busy.'))
  expect(await dayAfter(MONTH_DAYS + 1)).toEqual([])
  await schedule(uploader, null)
  mailer.send = take
  expect(await dayAfter(MONTH_DAYS + 2)).toEqual([])
  await schedule(uploader)
  expect(await dayAfter(MONTH_DAYS + 3)).toHaveLength(1)
  await env.DB.prepare('UPDATE modules SET review_due_at = review_due_at + 1 WHERE id = ?').bind(id).run()
  expect(await dayAfter(MONTH_DAYS + 4)).toHaveLength(1)
})
