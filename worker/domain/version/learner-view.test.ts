import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { makeVersionContent } from '#contract/testing/examples.ts'
import { seedModule } from '#local/testing/modules.ts'
import { insertAnswer } from '#worker/domain/answer/answer-store.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { openVersion } from './learner-view.ts'

it('shows the answers of its time with a version that says nothing of answers', async () => {
  const context = openContext(env)
  const { id: moduleId } = await seedModule({ status: 'READY', runStatus: 'READY' })
  const answer = {
    moduleId,
    question: 'How?',
    wordings: [],
    stepId: null,
    momentMs: null,
    stepsHash: '',
    inPrint: true,
  }
  await insertAnswer(
    env.DB,
    { ...answer, id: `${moduleId}-1`, text: 'By hand', answeredAt: 1_000 },
    { questionIds: [], tell: [] },
  )
  await insertAnswer(
    env.DB,
    { ...answer, id: `${moduleId}-2`, text: 'By foot', answeredAt: 3_000 },
    { questionIds: [], tell: [] },
  )
  const module = await findModule(context.db, moduleId)
  if (module === null) throw new Error('The module is missing.')
  const row = { isAsked: true, hash: '', note: '', retraining: 'none', userId: 'u', approval: null, title: '' } as const
  const version = { ...row, moduleId, number: 1, publishedAt: 2_000, stepCount: 0, stepsVersion: 1 }
  const printedIn = async (change: Parameters<typeof makeVersionContent>[1]) => {
    const content = makeVersionContent([], change)
    const printed = await openVersion(context, module, { version, content }).readPrinted(null)
    return printed.map(({ text }) => text)
  }
  expect(await printedIn({})).toEqual(['By hand'])
  expect(await printedIn({ answers: [] })).toEqual([])
})
