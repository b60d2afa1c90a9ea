// Behaviour: teaching notes: who reads them in steps and in answers.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { StepsAnswer } from '#contract/step.ts'
import { TutorAnswerBody } from '#contract/tutor.ts'
import { answerOf, call } from '#local/testing/api.ts'
import { openLanguageServer } from '#local/testing/language-server.ts'
import { seedCollection, seedEditor, seedTutored } from '#local/testing/tutored.ts'
import { CALLERS, EVERY_CALLER, MAY, ORG, whoIs } from '../testing/access-callers.ts'
import { answerTo, requestFor } from '../testing/ask-route.ts'
import { ROUTES } from '../testing/route-table.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const SECRET = 'Learners often ask about the magenta gasket: order it from Acme.'
const OPEN = 'Learners often ask about the turquoise lever: pull it twice.'
const ABOUT_SECRET = 'Where do I order the magenta gasket?'
const ABOUT_OPEN = 'What about the turquoise lever?'

const someone = () => `user_${nanoid(8)}`

/** A module with a private note at its first step and one at its third that may be quoted. */
async function seedNoted(fields: Parameters<typeof seedTutored>[0] = {}) {
  const planted = await seedTutored(fields)
  const path = `/api/steps/${planted.moduleId}`
  const { steps } = await answerOf(StepsAnswer, path, { as: planted.as })
  const notes = [{ notes: SECRET }, {}, { notes: OPEN, notesQuotable: true }, {}]
  await answerOf(StepsAnswer, path, {
    as: planted.as,
    json: { steps: steps.map((step, at) => ({ ...step, ...notes[at] })) },
  })
  await env.DB.prepare(
    `INSERT INTO step_proposals (module_id, id, position, title, description, start_ms, end_ms, run, notes)
     VALUES (?1, 'proposed', 0, 'Proposed', 'What to do here.', 0, 6000, 1, ?2)`,
  )
    .bind(planted.moduleId, SECRET)
    .run()
  return planted
}

async function ask(as: string, moduleId: string, userMessage: string) {
  return answerOf(TutorAnswerBody, '/api/ai/contextual-response', { as, json: { moduleId, userMessage } })
}

describe('notes of steps', () => {
  let noted: { as: string; moduleId: string }
  beforeAll(async () => {
    noted = await seedNoted({ orgId: ORG })
    await seedCollection(noted.as, noted.moduleId, { orgId: ORG })
    await seedEditor(noted.moduleId, CALLERS.invited.as)
  })

  it.each(Object.keys(ROUTES))(
    'notes of steps are in no answer of %s to people who do not edit the module',
    { tags: 'threat-3' },
    async (name) => {
      const { as, moduleId } = noted
      for (const caller of EVERY_CALLER.filter((each) => !MAY.editor.includes(each))) {
        // Those who may take it over or delete it would end it.
        if (MAY[ROUTES[name]?.access ?? 'owner'].includes(caller) && /take-over|DELETE|restore/.test(name)) continue
        const { path, options } = requestFor(name, moduleId, whoIs(caller, as))
        expect((await answerTo(await call(path, options))).text, caller).not.toMatch(/magenta|turquoise/)
      }
    },
  )

  it.each(['/api/steps/:moduleId', '/api/steps/:moduleId/proposals', '/api/account/export'])(
    'notes of steps are in the answer of %s to their owner',
    async (path) => {
      const response = await call(path.replace(':moduleId', noted.moduleId), { as: noted.as })
      expect(await response.text()).toContain('magenta')
    },
  )
})

describe('the tutor and notes', () => {
  it('quotes all of them to owners, and names the step', { tags: ['attack-29', 'spec-3.13'] }, async () => {
    const { as, moduleId } = await seedNoted()
    const answer = await ask(as, moduleId, ABOUT_SECRET)
    expect(answer.answer).toBe(`“${SECRET}” (trainer's note, step 1)`)
    expect(answer).toMatchObject({
      isCovered: true,
      citations: [{ segmentIds: [], start: 6, sentence: SECRET, note: { stepId: 'a', stepNumber: 1 } }],
      step: { id: 'a' },
    })
  })

  it('quotes to learners those that are ticked, and no other, also after their owner has asked', {
    tags: 'attack-29',
  }, async () => {
    const { as, moduleId } = await seedNoted()
    for (const learner of [someone(), someone()]) {
      expect(await ask(learner, moduleId, ABOUT_SECRET)).toMatchObject({ isCovered: false, citations: [] })
      expect((await ask(learner, moduleId, ABOUT_OPEN)).answer).toBe(`“${OPEN}” (trainer's note, step 3)`)
      expect((await ask(as, moduleId, ABOUT_SECRET)).answer).toContain('magenta')
    }
  })

  it('quotes to people with the link those that are ticked alone', { tags: 'attack-29' }, async () => {
    const { as, moduleId } = await seedNoted()
    await call(`/api/modules/${moduleId}`, { as, method: 'PATCH', json: { linkAnswersPerDay: 0 } })
    const askByLink = (question: string) =>
      answerOf(TutorAnswerBody, `/api/share/${moduleId}/questions`, { json: { question } })
    await ask(as, moduleId, ABOUT_SECRET)
    expect(await askByLink(ABOUT_SECRET)).toMatchObject({ isCovered: false, citations: [] })
    expect((await askByLink(ABOUT_OPEN)).answer).toContain('turquoise')
  })

  it('quotes a note no more once its tick is gone', async () => {
    const { as, moduleId } = await seedNoted()
    const path = `/api/steps/${moduleId}`
    const { steps } = await answerOf(StepsAnswer, path, { as })
    await answerOf(StepsAnswer, path, { as, json: { steps: steps.map((step) => ({ ...step, notesQuotable: false })) } })
    expect(await ask(someone(), moduleId, ABOUT_OPEN)).toMatchObject({ isCovered: false, citations: [] })
  })

  it('shows a model the same, as a source with a number of its own', { tags: 'attack-29' }, async () => {
    const calls = openLanguageServer((model) => {
      const line = (model.body.messages[1]?.content ?? '').split('\n').find((each) => each.includes('turquoise'))
      const quote = '{learners often ask about the turquoise lever}'
      model.say(`Learners often ask about the turquoise lever. ${quote} ${/^\[\d+\]/.exec(line ?? '')?.[0]}\n`)
      model.finish()
    })
    const { as, moduleId } = await seedNoted()
    const promptOf = (at: number) => calls[at]?.body.messages.map(({ content }) => content).join('\n') ?? ''
    const learned = await ask(someone(), moduleId, ABOUT_OPEN)
    expect(promptOf(0)).toContain('turquoise')
    expect(promptOf(0)).not.toContain('magenta')
    expect(learned).toMatchObject({
      answer: 'Learners often ask about the turquoise lever.',
      citations: [{ segmentIds: [], start: 36, note: { stepId: 'c', stepNumber: 3 } }],
    })
    const before = calls.length
    await ask(as, moduleId, ABOUT_OPEN)
    expect(promptOf(before)).toContain('magenta')
  })
})
