import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { AccountExport, ERASE_WORD } from '#contract/account.ts'
import { ReportCountsAnswer, SettleAnswer, SettledAnswer, StepReportsAnswer } from '#contract/feedback/step-report.ts'
import { LearningMetricsAnswer, SessionAnswer } from '#contract/learning.ts'
import { REPORT_PHOTO_MAX_BYTES, SHOWN_REPORTS_MAX } from '#contract/limits.ts'
import { Done } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { LEARNING_PATH, seedLessons } from '#local/testing/learners.ts'
import { seedDeletion } from '#local/testing/modules.ts'
import { eraseModule } from '#worker/domain/lifecycle/erase-module.ts'
import { photosOf, removeExpiredReports } from '#worker/domain/step-report/report-photo.ts'
import { REPORTS_OF_DAY } from '#worker/domain/step-report/step-report-limits.ts'
import { openContext } from '#worker/entry/open-context.ts'

const PATH = '/api/step-reports'
const DAY_MS = 24 * 60 * 60_000
/** The least that is known as a JPEG by its first bytes. */
const JPEG = btoa(String.fromCharCode(0xff, 0xd8, 0xff, 0xdb, 1, 2, 3, 4))

/** A training whose learners report, and devices of theirs. */
async function seedReported(fields = {}) {
  const lessons = await seedLessons({ takesReports: true, ...fields })
  const { moduleId, as } = lessons
  const path = `${PATH}/${moduleId}`
  const openDevice = async (
    address = `2001:db8:${nanoid(4)
      .toLowerCase()
      .replaceAll(/[^0-9a-f]/g, '1')}:1::1`,
  ) => {
    const { learner } = await answerOf(SessionAnswer, `${LEARNING_PATH}/${moduleId}/sessions`, { json: {} })
    const headers = { 'cf-connecting-ip': address }
    return {
      /** @returns the id of the report, and the answer */
      send: async (report: object = {}) => {
        const json = { id: nanoid(), stepId: 'first', kind: 'wrong', text: '', learner, ...report }
        return { id: json.id, answer: await call(path, { json, headers }) }
      },
    }
  }
  const list = () => answerOf(StepReportsAnswer, path, { as })
  return { ...lessons, path, openDevice, list }
}

const photosIn = async (moduleId: string) => (await env.MEDIA.list({ prefix: photosOf(moduleId) })).objects.length

describe('what learners report from a step', () => {
  it('is one entry a step and kind with a count, dangers first, for owners only', async () => {
    const { as, path, openDevice, list } = await seedReported()
    const [one, other] = [await openDevice(), await openDevice()]
    const { id } = await one.send({ text: '  The  bolt\nturns <b>left</b>. ' })
    await one.send({ text: 'Once more.' })
    await other.send()
    await other.send({ stepId: 'second', kind: 'dangerous', photo: JPEG })
    const { entries } = await list()
    expect(entries.map(({ stepId, kind, count }) => [stepId, kind, count])).toEqual([
      ['second', 'dangerous', 1],
      ['first', 'wrong', 2],
    ])
    expect(entries[1]?.reports.map(({ text }) => text)).toEqual(['Once more.', 'The bolt turns <b>left</b>.', ''])
    expect(entries[1]?.reports[1]).toMatchObject({ id, hasPhoto: false })
    expect(entries[0]?.reports).toMatchObject([{ text: '', hasPhoto: true }])
    const counts = await answerOf(ReportCountsAnswer, PATH, { as })
    expect(counts.modules).toMatchObject([{ title: 'Change the filter', open: 4, dangerous: 1 }])
    expect((await problemOf(path, { as: 'user_else' })).code).toBe('not_found')
    const metrics = await answerOf(LearningMetricsAnswer, path.replace(PATH, LEARNING_PATH), { as })
    expect(metrics.steps.map(({ reports }) => reports)).toEqual([3, 1])
  })

  it('counts once however often it comes, also where the photo was lost on the way', async () => {
    const { moduleId, openDevice, list } = await seedReported()
    const { send } = await openDevice()
    const report = { id: nanoid(), photo: JPEG }
    expect((await send(report)).answer.status).toBe(200)
    await env.MEDIA.delete(`${photosOf(moduleId)}${report.id}`)
    const again = await Promise.all([send(report), send(report)])
    expect(again.map(({ answer }) => answer.status)).toEqual([200, 200])
    expect((await list()).entries).toMatchObject([{ count: 1, reports: [{ hasPhoto: true }] }])
    expect(await photosIn(moduleId)).toBe(1)
    const { results } = await env.DB.prepare('SELECT id FROM step_reports WHERE module_id = ?').bind(moduleId).run()
    expect(results).toHaveLength(1)
  })

  it('is taken from who is signed in, and asks others for a token', async () => {
    const { path, list } = await seedReported()
    const json = { id: nanoid(), stepId: 'first', kind: 'unclear' }
    expect((await problemOf(path, { json })).code).toBe('session_invalid')
    expect((await problemOf(path, { json: { ...json, learner: 'forged.token' } })).code).toBe('session_invalid')
    await answerOf(Done, path, { as: 'user_learning', json })
    expect((await list()).entries).toMatchObject([{ kind: 'unclear', count: 1 }])
  })

  it('has a photo that is one by its bytes, small enough, and seen by owners as nothing but an image', {
    tags: 'asked-9',
  }, async () => {
    const { as, path, openDevice, list } = await seedReported()
    const { send } = await openDevice()
    const page = await send({ photo: btoa('<script>alert(1)</script>') })
    expect(page.answer.status).toBe(415)
    const large = btoa(`\xff\xd8\xff${'x'.repeat(REPORT_PHOTO_MAX_BYTES)}`)
    expect([400, 413]).toContain((await send({ photo: large })).answer.status)
    expect((await list()).entries).toEqual([])
    const { id } = await send({ photo: JPEG })
    const photo = await call(`${path}/photos/${id}`, { as })
    const headers = ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control']
    expect(headers.map((name) => photo.headers.get(name))).toEqual([
      'image/jpeg',
      'nosniff',
      "default-src 'none'; frame-ancestors 'none'; sandbox",
      'no-store',
    ])
    expect(btoa(String.fromCharCode(...new Uint8Array(await photo.arrayBuffer())))).toBe(JPEG)
    expect((await problemOf(`${path}/photos/${id}`, { as: 'user_else' })).code).toBe('not_found')
    expect((await problemOf(`${path}/photos/${id}`)).code).toBe('unauthenticated')
  })

  it('is settled with or without a word, which its device reads, and can be opened again', async () => {
    const { as, path, openDevice, list } = await seedReported()
    const { send } = await openDevice()
    const { id } = await send({ text: 'It turns left.' })
    const [entry] = (await list()).entries
    const { stepId, kind, lastAt } = entry ?? { stepId: '', kind: 'wrong', lastAt: 0 }
    const settledIds = async () => (await answerOf(SettledAnswer, `${path}/settled?ids=${id},${nanoid()}`)).settled
    expect(await settledIds()).toEqual([])
    const json = { stepId, kind, lastAt, answer: 'It turns right now.' }
    const { settledAt } = await answerOf(SettleAnswer, `${path}/settle`, { as, json })
    expect((await list()).entries).toEqual([])
    const said = { id, settledAt: new Date(settledAt).toISOString(), answer: 'It turns right now.' }
    expect(await settledIds()).toEqual([said])
    await answerOf(Done, `${path}/reopen`, { as, json: { stepId, kind, settledAt } })
    expect(await settledIds()).toEqual([])
    expect((await list()).entries).toHaveLength(1)
  })

  it('leaves open what came after the trainer had read', async () => {
    const { as, path, openDevice, list } = await seedReported()
    const { send } = await openDevice()
    await send({ text: 'Seen.' })
    const lastAt = (await list()).entries[0]?.lastAt
    await expect.poll(() => Date.now()).toBeGreaterThan(lastAt ?? 0)
    await send({ text: 'Not seen yet.' })
    await answerOf(SettleAnswer, `${path}/settle`, { as, json: { stepId: 'first', kind: 'wrong', lastAt } })
    expect((await list()).entries).toMatchObject([{ reports: [{ text: 'Not seen yet.' }] }])
  })

  it('is off unless the owner or an organization has it on', async () => {
    const off = await seedReported({ takesReports: null })
    const device = await off.openDevice()
    expect((await device.send()).answer.status).toBe(404)
    const shared = async (moduleId: string) =>
      (await answerOf(ShareAnswer, `/api/share/${moduleId}`)).module.takesReports
    expect(await shared(off.moduleId)).toBe(false)
    await answerOf(Done, `/api/modules/${off.moduleId}`, { as: off.as, method: 'PATCH', json: { takesReports: true } })
    expect((await device.send()).answer.status).toBe(200)
    const team = await seedReported({ takesReports: null, orgId: 'org_of_reports' })
    expect(await shared(team.moduleId)).toBe(true)
    await answerOf(Done, `/api/modules/${team.moduleId}`, {
      as: team.as,
      method: 'PATCH',
      json: { takesReports: false },
    })
    expect((await (await team.openDevice()).send()).answer.status).toBe(404)
  })
})

describe('a hostile visitor', () => {
  it('fills ten entries of the list with a device at most, and none with steps that are invented', async () => {
    const { openDevice, list } = await seedReported()
    const { send } = await openDevice()
    for (let at = 0; at < 10; at += 1) expect((await send({ stepId: `invented-${at}` })).answer.status).toBe(200)
    const over = await send({ kind: 'dangerous' })
    expect([over.answer.status, over.answer.headers.get('retry-after')]).toEqual([429, '1800'])
    expect((await list()).entries).toMatchObject([{ stepId: null, kind: 'wrong', count: 1 }])
    expect((await (await openDevice()).send()).answer.status).toBe(200)
  })

  it('uses up 30 of a day with new devices of one network, and 60 with those of a site', {
    tags: 'asked-10',
  }, async () => {
    const { openDevice } = await seedReported()
    const statuses: number[] = []
    for (let device = 0; device < 4; device += 1) {
      const { send } = await openDevice(`2001:db8:77:1::${device}`)
      for (let report = 0; report < 9; report += 1) statuses.push((await send()).answer.status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(REPORTS_OF_DAY.network)
    const sendFrom = async (address: string) => (await (await openDevice(address)).send()).answer.status
    expect(await sendFrom('2001:db8:77:2::1')).toBe(200)
    // As another network of the site would.
    const plant = 'UPDATE learning_uses SET reports = ? WHERE reports = ?'
    await env.DB.prepare(plant)
      .bind(REPORTS_OF_DAY.site, REPORTS_OF_DAY.network + 1)
      .run()
    expect(await sendFrom('2001:db8:77:3::1')).toBe(429)
    expect(await sendFrom('2001:db8:78:1::1')).toBe(200)
  })

  it('uses up the day of a training, and of no other', { tags: 'asked-10' }, async () => {
    const { openDevice } = await seedReported()
    const report = async (from: { openDevice: typeof openDevice }) =>
      (await (await from.openDevice()).send()).answer.status
    for (const _ of [1, 2, 3]) expect(await report({ openDevice })).toBe(200)
    // The sum of the training is the only one of three.
    const raise = 'UPDATE learning_uses SET reports = ? WHERE reports = 3 AND learners = 0'
    await env.DB.prepare(raise).bind(REPORTS_OF_DAY.module).run()
    expect(await report({ openDevice })).toBe(429)
    expect(await report(await seedReported())).toBe(200)
  })

  it('is ignored as a whole, without being told', async () => {
    const { as, path, openDevice, list } = await seedReported()
    const [hostile, other] = [await openDevice(), await openDevice()]
    await hostile.send({ kind: 'dangerous' })
    const { id } = await hostile.send({ text: 'Buy now.' })
    await other.send({ text: 'It turns left.' })
    await answerOf(Done, `${path}/ignored`, { as, method: 'PUT', json: { id, isIgnored: true } })
    const shown = async () => (await list()).entries.map(({ kind, count }) => [kind, count])
    expect(await shown()).toEqual([['wrong', 1]])
    expect((await hostile.send({ kind: 'unclear' })).answer.status).toBe(200)
    expect(await shown()).toEqual([['wrong', 1]])
    await answerOf(Done, `${path}/ignored`, { as, method: 'PUT', json: { id, isIgnored: false } })
    expect(await shown()).toEqual([
      ['dangerous', 1],
      ['wrong', 2],
    ])
  })
})

it('lists bare reports as well, one of a device, so that each can be ignored', async () => {
  const { as, path, openDevice, list } = await seedReported()
  const [hostile, other] = [await openDevice(), await openDevice()]
  for (let at = 0; at < SHOWN_REPORTS_MAX + 1; at += 1) await other.send({ kind: 'dangerous', text: `Hot ${at}.` })
  for (let at = 0; at < 2; at += 1) await hostile.send({ kind: 'dangerous' })
  const reports = async () => (await list()).entries[0]?.reports ?? []
  const bare = (await reports()).filter(({ text, hasPhoto }) => text === '' && !hasPhoto)
  expect([(await reports()).length, bare.length]).toEqual([SHOWN_REPORTS_MAX + 1, 1])
  const json = { id: bare[0]?.id, isIgnored: true }
  await answerOf(Done, `${path}/ignored`, { as, method: 'PUT', json })
  expect((await list()).entries).toMatchObject([{ kind: 'dangerous', count: 1 }])
})

describe('what is kept of reports', () => {
  it('loses photos and settled reports after 180 days, and keeps what is open', async () => {
    const { as, path, moduleId, openDevice, list } = await seedReported()
    const { send } = await openDevice()
    await send({ text: 'Open.', photo: JPEG })
    await send({ kind: 'unclear', photo: JPEG })
    const settled = { stepId: 'first', kind: 'unclear', lastAt: Date.now() }
    await answerOf(SettleAnswer, `${path}/settle`, { as, json: settled })
    const sweepIn = (days: number) =>
      removeExpiredReports({ ...openContext(env), nowMs: () => Date.now() + days * DAY_MS })
    await sweepIn(179)
    expect(await photosIn(moduleId)).toBe(2)
    await sweepIn(181)
    expect(await photosIn(moduleId)).toBe(0)
    expect((await list()).entries).toMatchObject([{ reports: [{ text: 'Open.', hasPhoto: false }] }])
    const { results } = await env.DB.prepare('SELECT id FROM step_reports WHERE module_id = ?').bind(moduleId).run()
    expect(results).toHaveLength(1)
  })

  it('goes with the account that sent it, and with the training', { tags: 'asked-11' }, async () => {
    const { moduleId, path, openDevice, list } = await seedReported()
    const json = { id: nanoid(), stepId: 'first', kind: 'dangerous', text: 'Mine.', photo: JPEG }
    await answerOf(Done, path, { as: 'user_reporting', json })
    const exported = await answerOf(AccountExport, '/api/account/export', { as: 'user_reporting' })
    expect(exported.stepReports).toMatchObject([{ moduleId, kind: 'dangerous', text: 'Mine.', hasPhoto: true }])
    const erase = { as: 'user_reporting', method: 'DELETE', json: { confirm: ERASE_WORD } }
    expect((await call('/api/account', erase)).status).toBe(200)
    expect([(await list()).entries, await photosIn(moduleId)]).toEqual([[], 0])
    await (await openDevice()).send({ photo: JPEG })
    await seedDeletion(moduleId, Date.now())
    const context = openContext(env)
    await eraseModule(context, { id: moduleId, sourceKey: `none/${moduleId}`, uploadId: null })
    const left = await env.DB.prepare('SELECT id FROM step_reports WHERE module_id = ?').bind(moduleId).run()
    expect([left.results, await photosIn(moduleId)]).toEqual([[], 0])
  })
})
