import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { StepsAnswer } from '#contract/step.ts'
import { answerOf } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { openContext } from '#worker/entry/open-context.ts'
import { makeVersion } from './make-version.ts'

/** Of a version of this step, made before steps had a focus. */
const HASH = 'c797328274e22d0358de0a9241f67c327e388b410a50d0cf3fa90f27a0f81ff4'

it('gives equal content the name that it has always had', async () => {
  const context = openContext(env)
  const ready = { status: 'READY', runStatus: 'READY', durationMs: 60_000, language: 'en', title: 'Filter' } as const
  const { id, userId } = await seedModule(ready)
  const json = { steps: [{ id: 'a', title: 'Open it', start: 0, end: 9 }] }
  await answerOf(StepsAnswer, `/api/steps/${id}`, { as: userId, json })
  const make = async () => {
    const module = await findModule(context.db, id)
    if (module === null) throw new Error('The module is missing.')
    return makeVersion(context, module)
  }
  const { hash, texts } = await make()
  expect(texts.get(hash)).not.toContain('focus')
  expect(hash).toBe(HASH)
  const focus = { x: 10, y: 10, width: 40, height: 40 }
  await env.DB.prepare('UPDATE steps SET focus = ? WHERE module_id = ?').bind(JSON.stringify(focus), id).run()
  const marked = await make()
  expect(marked.texts.get(marked.hash)).toContain('"focus":{')
})
