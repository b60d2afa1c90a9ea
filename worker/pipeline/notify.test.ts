import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import type { RecordBody } from '#contract/records/training-record.ts'
import { about, body, hashOf } from '#contract/testing/records.ts'
import { seedModule } from '#local/testing/modules.ts'
import { AppError } from '#worker/core/errors.ts'
import { storeSettings } from '#worker/domain/notice/notice-settings.ts'
import { countWaiting, findWebhook, resumeWebhook, storeWebhook } from '#worker/domain/notice/notice-store.ts'
import { NOTICE_SUBJECT } from '#worker/domain/notice/notice-subject.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { takeCheckpoint } from '#worker/domain/record/checkpoint.ts'
import { erasePerson } from '#worker/domain/record/erase-person.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { daysAt, listToPlan, planReminders } from '#worker/domain/reminder/plan-reminders.ts'
import { listDue } from '#worker/domain/reminder/reminder-store.ts'
import { linesOf } from '#worker/log/testing/lines.ts'
import type { Mail } from '#worker/ports/mailer.ts'
import { NotTaken, type SignedEvent } from '#worker/ports/webhook.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import { TASK_HANDLERS } from './task-handlers.ts'
import { openDriver } from './testing/drive.ts'
import { holdTasks } from './testing/seed-tasks.ts'

holdTasks()

const DAY_MS = 86_400_000
const START_MS = Date.parse('2026-11-02T12:00:00Z')
const END_OF_DAY = 'T23:59:59.999Z'
const LOCAL_SECRET = `whsec_${btoa('secret')}`

/** An organization with a training and these people, a clock that is moved by hand, and receivers of mails and events. */
async function openWorld(
  people: readonly { id: string; email?: string }[] = [{ id: 'anna', email: 'anna@example.com' }],
) {
  const orgId = `org_${nanoid(8)}`
  const { id: moduleId } = await seedModule({ orgId, status: 'READY', title: 'Forklift', language: 'de' })
  await seedPeople(
    orgId,
    people.map(({ id }) => ({ id, name: `${id} Berg` })),
  )
  for (const { id, email } of people)
    await env.DB.prepare('UPDATE people SET email = ? WHERE org_id = ? AND id = ?')
      .bind(email ?? null, orgId, id)
      .run()
  const clock = { nowMs: START_MS }
  const mails: Mail[] = []
  const events: {
    id: string
    url: string
    event: { type: string; timestamp: string; data: Record<string, unknown> }
  }[] = []
  const receivers = {
    mail: async (mail: Mail): Promise<void> => void mails.push(mail),
    event: async ({ id, url, body: text }: SignedEvent): Promise<void> =>
      void events.push({ id, url, event: JSON.parse(text) }),
  }
  const { deps } = openDriver({
    mailer: { origin: 'https://adapt.example.com', send: (mail) => receivers.mail(mail) },
    webhooks: { allows: () => true, post: (event) => receivers.event(event) },
  })
  const context = { ...deps, canMail: true, nowMs: () => clock.nowMs }
  const record = (of: RecordBody, personId = 'anna') =>
    appendRecords(context, orgId, { bodies: [about(of, { personId, moduleId })] })
  /** What is due by the clock is sent. */
  async function send(): Promise<number> {
    const claim = { kind: 'notify', subject: NOTICE_SUBJECT, limit: 60, bytes: 1, isIdle: true } as const
    const tasks = await claimTasks(env.DB, { ...claim, nowMs: clock.nowMs })
    await runTasks(tasks, context, TASK_HANDLERS)
    return tasks.length
  }
  /** A day of the sweep, at noon of the first day and so many days later. */
  async function dayAfter(days: number): Promise<string[]> {
    clock.nowMs = START_MS + days * DAY_MS
    for (const org of (await listToPlan(context)).filter((each) => each.orgId === orgId))
      await planReminders(context, org)
    await send()
    return mails.splice(0).map(({ to, text }) => `${to}: ${text.split('\n\n')[1]}`)
  }
  const listen = (url = 'https://h.example.org') =>
    storeWebhook(env.DB, orgId, { url, secret: LOCAL_SECRET, nowMs: clock.nowMs })
  return { orgId, moduleId, clock, mails, events, receivers, context, record, send, dayAfter, listen }
}

const dueOn = (day: string) => body.assigned({ dueAt: `${day}${END_OF_DAY}` })

it('reminds a person a week before, on the day and after it, once each, in the language of the training', async () => {
  const { record, dayAfter } = await openWorld()
  await record(dueOn('2026-11-12'))
  const told = []
  for (let days = 0; days < 14; days++) told.push(...(await dayAfter(days)).map((line) => [days, line]))
  expect(told).toEqual([
    [3, 'anna@example.com: - Forklift: bis 12. November 2026'],
    [10, 'anna@example.com: - Forklift: heute (12. November 2026)'],
    [11, 'anna@example.com: - Forklift: war fällig am 12. November 2026'],
  ])
})

it('reminds nobody who has done it, has no address, has left or was erased, and of no earlier date twice', async () => {
  const people = [
    { id: 'done', email: 'd@example.com' },
    { id: 'plain' },
    { id: 'left', email: 'l@example.com' },
    { id: 'gone', email: 'g@example.com' },
  ]
  const { orgId, record, dayAfter, context, send, mails } = await openWorld(people)
  for (const { id } of people) await record(dueOn('2026-11-02'), id)
  await record(body.reached(), 'done')
  await env.DB.prepare("UPDATE people SET is_active = 0 WHERE org_id = ? AND id = 'left'").bind(orgId).run()
  const [org] = (await listToPlan(context)).filter((each) => each.orgId === orgId)
  if (org === undefined) throw new Error('nothing is planned')
  await planReminders(context, org)
  await erasePerson(context, orgId, { personId: 'gone', by: null })
  await send()
  expect(mails).toEqual([])
  expect(await dayAfter(1)).toEqual([])
})

it('reminds again of a date that has come again, in the language in which the person has confirmed', async () => {
  const { record, dayAfter } = await openWorld()
  await record(body.assigned({ rule: { reached: false, confirmed: true }, everyMonths: 1 }))
  await record({ ...(body.confirmed() as Extract<RecordBody, { kind: 'confirmed' }>), language: 'en' })
  const days = []
  for (const day of [20, 24, 29, 30, 31, 32]) days.push([day, await dayAfter(day)])
  expect(days).toEqual([
    [20, []],
    [24, ['anna@example.com: - Forklift: until December 2, 2026']],
    [29, []],
    [30, ['anna@example.com: - Forklift: today (December 2, 2026)']],
    [31, ['anna@example.com: - Forklift: was due December 2, 2026']],
    [32, []],
  ])
})

it('sends no reminder where the organization has switched them off, before the day or after it was planned', async () => {
  const { orgId, record, dayAfter, context } = await openWorld()
  await storeSettings(context, orgId, { sendsReminders: false })
  await record(dueOn('2026-11-05'))
  expect(await dayAfter(0)).toEqual([])
  await storeSettings(context, orgId, { sendsReminders: true })
  expect(await dayAfter(1)).toHaveLength(1)
})

it('plans no reminder where no mail can be sent, and tells what is late all the same', async () => {
  const { orgId, record, dayAfter, context, events, listen } = await openWorld()
  await listen()
  context.canMail = false
  await record(dueOn('2026-11-01'))
  const [org] = (await listToPlan(context)).filter((each) => each.orgId === orgId)
  if (org === undefined) throw new Error('nothing is planned')
  await planReminders(context, org)
  const waiting = 'SELECT subject_id AS id FROM task_queue WHERE subject_id > ?1 AND subject_id < ?1 || ?2'
  const { results } = await env.DB.prepare(waiting).bind(`${orgId}/`, '~').all<{ id: string }>()
  expect(results.map(({ id }) => id.split('/')[1])).toEqual(['event'])
  expect(await dayAfter(0)).toEqual([])
  expect(events).toHaveLength(1)
})

it('sends no more mails of an organization, and of all, than fit into a day; the others on the next', async () => {
  const people = ['a', 'b', 'c'].map((id) => ({ id, email: `${id}@example.com` }))
  for (const mails of [
    { organization: 2, everyone: null },
    { organization: null, everyone: 2 },
  ]) {
    const { record, dayAfter, context } = await openWorld(people)
    await env.DB.prepare("DELETE FROM quota_uses WHERE kind = 'mails'").run()
    for (const { id } of people) await record(dueOn('2026-11-05'), id)
    context.quotas = { ...context.quotas, mails }
    const [first, second, third] = [await dayAfter(0), await dayAfter(1), await dayAfter(2)]
    expect([first.length, second.length, third.length]).toEqual([2, 1, 0])
  }
})

it('lists what is late and untold before all else, and nothing else where no mail is wanted', async () => {
  const { orgId, record } = await openWorld(['soon', 'late'].map((id) => ({ id, email: `${id}@example.com` })))
  await record(dueOn('2026-11-05'), 'soon')
  await record(dueOn('2026-11-01'), 'late')
  const list = async (of: Parameters<typeof listDue>[2]) => {
    const due = await listDue(env.DB, daysAt(START_MS, { orgId, timeZone: 'UTC' }), of)
    return due.map(({ personId, isToRemind, isToTell }) => [personId, isToRemind, isToTell])
  }
  const late = ['late', 1, 1]
  expect(await list({ wantsMail: true })).toEqual([late, ['soon', 1, 0]])
  expect(await list({ wantsMail: true, personId: 'late' })).toEqual([late])
  expect(await list({ wantsMail: false })).toEqual([['late', 0, 1]])
})

it('tries a mail again that was not taken, and not one that never will be', async () => {
  const { record, dayAfter, receivers, mails, clock, send, context } = await openWorld()
  // What was not taken does not count.
  context.quotas = { ...context.quotas, mails: { organization: 1, everyone: null } }
  await record(dueOn('2026-11-05'))
  const take = receivers.mail
  receivers.mail = () => Promise.reject(new AppError('unavailable', 'Busy.'))
  expect(await dayAfter(0)).toEqual([])
  receivers.mail = take
  clock.nowMs += 60_000
  await send()
  expect(mails.splice(0)).toHaveLength(1)
  receivers.mail = () => Promise.reject(new AppError('invalid_request', 'No such address.'))
  expect(await dayAfter(3)).toEqual([])
  receivers.mail = take
  expect(await dayAfter(3)).toEqual([])
})

it('tells what was signed off, done and overdue, each once, with names as they are then', async () => {
  const { orgId, moduleId, record, send, events, dayAfter, listen } = await openWorld([{ id: 'anna' }, { id: 'bob' }])
  await record(body.assigned({ rule: { signedOff: true } }))
  await record(body.reached())
  expect(await send()).toBe(0)
  await listen()
  await record(body.signedOff())
  await record(dueOn('2026-11-01'), 'bob')
  expect(await send()).toBe(2)
  await dayAfter(0)
  await dayAfter(1)
  const training = { id: moduleId, title: 'Forklift' }
  const person = { id: 'anna', name: 'anna Berg', number: null }
  const signed = {
    organization: orgId,
    person,
    training,
    version: { hash: hashOf(1), number: 1 },
    knownBy: 'personal_link',
  }
  expect(events.map(({ event }) => event).toSorted((a, b) => a.type.localeCompare(b.type))).toMatchObject([
    {
      type: 'training.completed',
      timestamp: new Date(START_MS).toISOString(),
      data: { ...signed, record: { seq: 3 } },
    },
    { type: 'training.overdue', timestamp: `2026-11-01${END_OF_DAY}`, data: { person: { id: 'bob' }, training } },
    { type: 'training.signed_off', data: { ...signed, record: { seq: 3 } } },
  ])
  expect(new Set(events.map(({ id }) => id)).size).toBe(3)
})

it('tells no name that was erased meanwhile', async () => {
  const { orgId, record, send, events, context, listen } = await openWorld()
  await listen()
  await record(body.assigned())
  await record(body.reached())
  await erasePerson(context, orgId, { personId: 'anna', by: null })
  await send()
  expect(events.map(({ event }) => event.data)).toMatchObject([{ person: { id: 'anna', name: null, number: null } }])
})

it('sends the checkpoint of a day to webhook and address', async () => {
  const { orgId, record, send, events, mails, context, listen } = await openWorld()
  await listen()
  await storeSettings(context, orgId, { checkpointMail: { email: 'audit@example.com', language: 'en' } })
  await record(body.assigned())
  const { seq, hash, day } = await takeCheckpoint(context, orgId)
  await send()
  expect(events.map(({ event }) => event)).toMatchObject([{ type: 'records.checkpoint', data: { seq, hash, day } }])
  expect(mails).toMatchObject([{ to: 'audit@example.com', subject: `Training records: checkpoint of ${day}` }])
  expect(mails[0]?.text).toContain(hash)
})

it('leaves the checkpoint of a day to the next days, where no more mails fit into this one', async () => {
  const { orgId, record, send, mails, context, clock } = await openWorld()
  await storeSettings(context, orgId, { checkpointMail: { email: 'audit@example.com', language: 'en' } })
  await record(body.assigned())
  await takeCheckpoint(context, orgId)
  const { quotas } = context
  context.quotas = { ...quotas, mails: { organization: 0, everyone: null } }
  for (let day = 0; day < 9; day++) {
    expect(await send()).toBe(1)
    clock.nowMs += DAY_MS
  }
  context.quotas = { ...quotas, mails: { organization: 1, everyone: null } }
  clock.nowMs -= DAY_MS / 2 + 60_000
  expect(await send()).toBe(0)
  clock.nowMs += 2 * 60_000
  expect(await send()).toBe(1)
  expect(mails).toMatchObject([{ to: 'audit@example.com' }])
})

it('tries an event again for a day, then stops until somebody has it tried again; nothing is lost', async () => {
  const { orgId, record, send, events, receivers, clock, listen } = await openWorld()
  await listen()
  await record(body.assigned())
  await record(body.reached())
  const take = receivers.event
  receivers.event = () => Promise.reject(new NotTaken('503'))
  let tries = 0
  for (let hour = 0; hour < 30; hour++) {
    tries += await send()
    clock.nowMs += DAY_MS / 24
  }
  expect(tries).toBe(7)
  expect(await findWebhook(env.DB, orgId)).toMatchObject({ failure: '503', stoppedAt: expect.any(Number) })
  await record(body.confirmed())
  await record(body.signedOff())
  receivers.event = take
  expect([await send(), await countWaiting(env.DB, orgId)]).toEqual([0, 2])
  await resumeWebhook(env.DB, orgId, clock.nowMs)
  await send()
  expect(events.map(({ event }) => event.type).toSorted()).toEqual(['training.completed', 'training.signed_off'])
  expect(await findWebhook(env.DB, orgId)).toMatchObject({ failure: null, stoppedAt: null, okAt: clock.nowMs })
  expect(await countWaiting(env.DB, orgId)).toBe(0)
})

it('stops at once where the receiver is gone, and keeps no more than the events of a week', async () => {
  const { orgId, record, send, receivers, clock, listen } = await openWorld()
  await listen()
  receivers.event = () => Promise.reject(new NotTaken('410'))
  await record(body.signedOff())
  await send()
  expect(await findWebhook(env.DB, orgId)).toMatchObject({ failure: '410', stoppedAt: clock.nowMs })
  clock.nowMs += 8 * DAY_MS
  await record(body.signedOff())
  expect(await countWaiting(env.DB, orgId)).toBe(1)
})

it('keeps an event after a fault of ours, and goes on sending the others', async () => {
  const { orgId, record, send, events, receivers, clock, listen } = await openWorld()
  await listen()
  const take = receivers.event
  receivers.event = () => Promise.reject(new Error('a fault of ours'))
  await record(body.signedOff())
  let tries = 0
  for (let minute = 0; minute < 60; minute++) {
    tries += await send()
    clock.nowMs += 60_000
  }
  expect([tries, await countWaiting(env.DB, orgId)]).toEqual([7, 1])
  receivers.event = take
  await record(body.signedOff())
  await send()
  expect(events).toHaveLength(1)
  expect(await findWebhook(env.DB, orgId)).toMatchObject({ failure: null, stoppedAt: null })
  await resumeWebhook(env.DB, orgId, clock.nowMs)
  await send()
  expect([events.length, await countWaiting(env.DB, orgId)]).toEqual([2, 0])
})

it('notes nothing of a new address that the old one has answered, and sends what it refused there', async () => {
  const { orgId, record, send, events, receivers, listen } = await openWorld()
  await listen()
  const take = receivers.event
  const url = 'https://new.example.org'
  receivers.event = async () => {
    await listen(url)
    throw new NotTaken('410')
  }
  await record(body.signedOff())
  await send()
  expect(await findWebhook(env.DB, orgId)).toMatchObject({ url, failure: null, stoppedAt: null })
  receivers.event = take
  await send()
  expect(events.map((event) => event.url)).toEqual([url])
})

it('gives up an event alone that its receiver never takes, while it takes others', async () => {
  const { orgId, record, send, events, receivers, clock, listen } = await openWorld()
  await listen()
  const take = receivers.event
  receivers.event = (event) => (event.id.includes('completed') ? Promise.reject(new NotTaken('413')) : take(event))
  await record(body.assigned())
  await record(body.reached())
  let tries = 0
  const lines = await linesOf(async () => {
    for (let hour = 0; hour < 30; hour++) {
      if (hour === 9) await record(body.signedOff())
      tries += await send()
      clock.nowMs += DAY_MS / 24
    }
  })
  expect(tries).toBe(8)
  expect(events.map(({ event }) => event.type)).toEqual(['training.signed_off'])
  expect(await findWebhook(env.DB, orgId)).toMatchObject({ failure: '413', stoppedAt: null })
  expect(await countWaiting(env.DB, orgId)).toBe(0)
  expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', event: 'task', outcome: 'refused' }))
})

it('sends to a new address at once what waits for its next attempt', async () => {
  const { record, send, events, receivers, listen } = await openWorld()
  await listen()
  const take = receivers.event
  receivers.event = () => Promise.reject(new NotTaken('503'))
  await record(body.signedOff())
  await send()
  receivers.event = take
  expect(await send()).toBe(0)
  const url = 'https://new.example.org'
  await listen(url)
  await send()
  expect(events.map((event) => event.url)).toEqual([url])
})
