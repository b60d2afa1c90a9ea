import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { AskTrainerAnswer, QuestionsAnswer } from '#contract/feedback/questions.ts'
import { answerOf } from '#local/testing/api.ts'
import { seedTutored } from '#local/testing/tutored.ts'
import { openDb } from '#worker/db/db.ts'
import { removeAnswer } from '#worker/domain/answer/answer-store.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { NOTICE_SUBJECT } from '#worker/domain/notice/notice-subject.ts'
import { seedPeople } from '#worker/domain/record/testing/seed-people.ts'
import { removeTurnsOf } from '#worker/domain/tutor/turn-store.ts'
import { TASK_HANDLERS } from '#worker/pipeline/task-handlers.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'
import type { Mail } from '#worker/ports/mailer.ts'
import { claimTasks } from '#worker/tasks/claim-tasks.ts'
import { runTasks } from '#worker/tasks/run-tasks.ts'
import { giveAnswer } from './answer-questions.ts'

holdTasks()

const WINTER = 'How much does the insurance of the car cost in winter?'
const TEXT = 'In winter it costs 90 euros a month.'

/** A training that people ask about, who are on the list of its organization as far as they have an address there. */
async function openWorld({ orgId = `org_${nanoid(8)}` }: { orgId?: string | null } = {}) {
  const { as, moduleId } = await seedTutored({ orgId, title: 'Forklift\nsafety' })
  await env.DB.prepare('UPDATE modules SET link_answers_per_day = 0 WHERE id = ?').bind(moduleId).run()
  const mails: Mail[] = []
  const mailer = { origin: 'https://adapt.example.com', send: async (mail: Mail) => void mails.push(mail) }
  const { deps } = openDriver({ mailer })
  /** A person of the organization with an account. */
  const join = async (id: string, { email, isActive = true }: { email: string | null; isActive?: boolean }) => {
    await seedPeople(orgId ?? '', [{ id, name: `${id} Berg` }])
    const userId = `user_${nanoid(8)}`
    await env.DB.prepare('UPDATE people SET email = ?, user_id = ?, is_active = ? WHERE org_id = ? AND id = ?')
      .bind(email, userId, Number(isActive), orgId, id)
      .run()
    return userId
  }
  const ask = async (userId: string | null, { question = WINTER, language = 'de' } = {}) => {
    const json = { question, turnId: nanoid() }
    const from = { json, headers: { 'accept-language': language, 'cf-connecting-ip': '192.0.2.77' } }
    await answerOf(AskTrainerAnswer, `/api/asked/${moduleId}`, { ...from, ...(userId !== null && { as: userId }) })
  }
  const answer = async (context = deps) => {
    const module = await findModule(openDb(env.DB), moduleId)
    const rows = await env.DB.prepare('SELECT id FROM questions WHERE module_id = ?')
      .bind(moduleId)
      .all<{ id: string }>()
    if (module === null) throw new Error('The module is missing.')
    const ids = rows.results.map(({ id }) => id)
    await giveAnswer(context, module, { ids, question: WINTER, text: TEXT, inPrint: false })
  }
  const countTasks = () =>
    env.DB.prepare("SELECT count(*) AS count FROM task_queue WHERE kind = 'notify' AND payload LIKE ?")
      .bind(`%${moduleId}%`)
      .first('count')
  const send = async () => {
    const claim = { kind: 'notify', subject: NOTICE_SUBJECT, limit: 60, bytes: 1, isIdle: true } as const
    await runTasks(await claimTasks(env.DB, { ...claim, nowMs: Date.now() }), deps, TASK_HANDLERS)
    return mails.splice(0)
  }
  return { as, orgId, moduleId, deps, join, ask, answer, countTasks, send }
}

it('sends one mail to each person who asked with an account and has an address, in the language of the app then', {
  tags: 'asked-4',
}, async () => {
  const { moduleId, join, ask, answer, countTasks, send } = await openWorld()
  const anna = await join('anna', { email: 'anna@example.com' })
  await ask(anna, { language: 'en' })
  await ask(anna, { question: 'How much is the insurance of the car in winter?' })
  await ask(await join('bert', { email: null }))
  await ask(await join('carl', { email: 'carl@example.com', isActive: false }))
  await ask(`user_${nanoid(8)}`)
  await ask(null)
  await answer()
  expect(await countTasks()).toBe(1)
  const [mail, ...others] = await send()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ to: 'anna@example.com', subject: 'Ihre Frage ist beantwortet: Forklift safety' })
  expect(mail?.text.split('\n\n')).toEqual([
    'Hallo anna Berg,',
    'Ihre Frage zu Forklift safety:\nHow much is the insurance of the car in winter?',
    expect.stringMatching(/^Vom Trainer beantwortet am \d+\. \S+:\nIn winter it costs 90 euros a month\.$/),
    `Schulung öffnen: https://adapt.example.com/share/${moduleId}`,
    expect.stringContaining('Adapt'),
  ])
  expect(await send()).toEqual([])
})

it('says the day of the answer as the organization has it', async () => {
  const { orgId, deps, join, ask, answer, send } = await openWorld()
  const setZone = "INSERT INTO glossaries (org_id, words, time_zone, updated_at) VALUES (?, '', 'Asia/Tokyo', 1)"
  await env.DB.prepare(setZone).bind(orgId).run()
  await ask(await join('anna', { email: 'anna@example.com' }))
  await answer({ ...deps, nowMs: () => Date.UTC(2026, 0, 31, 20) })
  const [mail] = await send()
  expect(mail?.text).toContain('Vom Trainer beantwortet am 1. Februar:')
})

it('adds nothing to be done where no mail can be sent, or the training is nobody’s but its uploader’s', async () => {
  const { deps, join, ask, answer, countTasks } = await openWorld()
  await ask(await join('anna', { email: 'anna@example.com' }))
  await answer({ ...deps, services: { ...deps.services, mailer: null } })
  expect(await countTasks()).toBe(0)
  const alone = await openWorld({ orgId: null })
  await alone.ask(`user_${nanoid(8)}`)
  await alone.answer()
  expect(await alone.countTasks()).toBe(0)
})

it('tells nobody where the organization has switched mails to its people off, also before the mail went out', async () => {
  const off = "INSERT INTO glossaries (org_id, words, sends_reminders, updated_at) VALUES (?, '', 0, 1)"
  const before = await openWorld()
  await env.DB.prepare(off).bind(before.orgId).run()
  await before.ask(await before.join('anna', { email: 'anna@example.com' }))
  await before.answer()
  expect(await before.countTasks()).toBe(0)
  const after = await openWorld()
  await after.ask(await after.join('anna', { email: 'anna@example.com' }))
  await after.answer()
  expect(await after.countTasks()).toBe(1)
  await env.DB.prepare(off).bind(after.orgId).run()
  expect(await after.send()).toEqual([])
})

it('sends nothing of what was taken back, or of an account that was erased, before the mail went out', {
  tags: 'asked-11',
}, async () => {
  const taken = await openWorld()
  await taken.ask(await taken.join('anna', { email: 'anna@example.com' }))
  await taken.answer()
  const { answers } = await answerOf(QuestionsAnswer, `/api/questions/${taken.moduleId}`, { as: taken.as })
  expect(answers).toHaveLength(1)
  await removeAnswer(env.DB, { id: answers[0]?.id ?? '', moduleId: taken.moduleId })
  expect(await taken.send()).toEqual([])
  const erased = await openWorld()
  const userId = await erased.join('anna', { email: 'anna@example.com' })
  await erased.ask(userId)
  await erased.answer()
  expect(await erased.countTasks()).toBe(1)
  while (!(await removeTurnsOf(openDb(env.DB), userId, Date.now() + 1_000)));
  expect(await erased.send()).toEqual([])
})
