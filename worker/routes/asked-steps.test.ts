import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { AskedStepsAnswer } from '#contract/records/asked-steps.ts'
import { SignOffAnswer } from '#contract/records/sign-off.ts'
import { StepsAnswer } from '#contract/step.ts'
import { SettleAnswer } from '#contract/team/assignment.ts'
import { PersonAnswer, SecretLinkAnswer } from '#contract/team/people.ts'
import { VersionAnswer, VersionsAnswer } from '#contract/version.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { askAgain } from '#worker/domain/retraining/ask-again.ts'
import { listUnasked } from '#worker/domain/retraining/retraining-store.ts'

const context = { d1: env.DB, bucket: env.MEDIA, nowMs: Date.now }
const STEP = { description: 'Turn the screw.', start: 0, end: 10 }

it('shows a person the steps that are asked again, with what they said before and why', async () => {
  const boss = { as: 'user_boss', orgId: `org_${nanoid(8)}`, orgRole: 'org:admin' }
  const ready = { status: 'READY', runStatus: 'READY', durationMs: 60_000, shared: false } as const
  const { id } = await seedModule({ userId: boss.as, orgId: boss.orgId, ...ready })
  const save = (titles: readonly string[]) =>
    answerOf(StepsAnswer, `/api/steps/${id}`, {
      ...boss,
      json: { steps: titles.map((title) => ({ ...STEP, id: title[0], title })) },
    })
  await save(['a', 'b', 'c'])
  const { person } = await answerOf(PersonAnswer, '/api/people', {
    ...boss,
    json: { name: 'Anna', number: null, groupIds: [] },
  })
  const rule = { reached: false, confirmed: false, signedOff: true }
  const by = { byName: 'Bea Holm', timeZone: 'Europe/Berlin', due: null, everyMonths: null, groupIds: [] }
  await answerOf(SettleAnswer, '/api/assignments', {
    ...boss,
    json: { subject: { kind: 'training', id }, personIds: [person.id], rule, ...by },
  })
  const { path } = await answerOf(SecretLinkAnswer, `/api/people/${person.id}/link`, { ...boss, method: 'POST' })
  const opened = await call('/api/my/open', { json: { key: path.slice('/my#'.length) } })
  const device = { headers: { cookie: opened.headers.getSetCookie().at(-1)?.split(';')[0] ?? '' } }
  const readAsked = async () =>
    (await answerOf(AskedStepsAnswer, `/api/my/trainings/${id}/asked`, device)).steps.map(
      ({ id: step, why, earlier, note }) => [step, why, earlier?.title ?? null, note],
    )
  async function sign(shown: string, again = '') {
    const about = await answerOf(SignOffAnswer, `/api/sign-off/${person.id}/${id}`, boss)
    const steps = `${shown}${again}`.split('').map((step) => {
      return { step, isShown: shown.includes(step), note: again.includes(step) ? 'Wear gloves.' : '' }
    })
    const json = { version: about.version.hash, steps, name: 'Bo Boss', meaning: 'It was shown to me.' }
    await answerOf(SignOffAnswer, `/api/sign-off/${person.id}/${id}`, { ...boss, json })
  }
  expect(await readAsked()).toEqual([])
  await sign('abc')
  await save(['a', 'b, changed', 'c', 'd'])
  const { hash: draft } = await answerOf(VersionAnswer, `/api/versions/${id}/draft`, boss)
  const publish = { draft, published: 1, note: '', retraining: 'changed' }
  await answerOf(VersionsAnswer, `/api/versions/${id}`, { ...boss, json: publish })
  for (const version of await listUnasked(env.DB, 100)) if (version.moduleId === id) await askAgain(context, version)
  const changed = ['b', 'changed', 'b', '']
  expect(await readAsked()).toEqual([changed, ['d', 'new', null, '']])
  await sign('b', 'd')
  expect(await readAsked()).toEqual([changed, ['d', 'again', null, 'Wear gloves.']])
  await sign('bd')
  expect(await readAsked()).toEqual([])
  expect((await problemOf(`/api/my/trainings/${id}/asked`)).code).toBe('not_found')
})
