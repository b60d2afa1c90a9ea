import { Hono } from 'hono'
import type { Done } from '#contract/module.ts'
import { NamedQuestions, type QuestionsAnswer } from '#contract/questions.ts'
import { openDb } from '#worker/db/db.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import { reopenQuestions, settleQuestions } from '#worker/domain/questions/question-store.ts'
import { readQuestions } from '#worker/domain/questions/read-questions.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson } from '#worker/http/read-body.ts'
import { requireUser } from '#worker/http/require-user.ts'

/** What people ask the tutor, for the owner of the module. */
export const questionRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/:moduleId', async (c) => {
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    return c.json((await readQuestions(c.env.DB, module.id)) satisfies QuestionsAnswer)
  })
  .post('/:moduleId/settle', async (c) => {
    const { id: moduleId } = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const { ids } = await readJson(c, NamedQuestions)
    await settleQuestions(c.env.DB, { moduleId, ids, nowMs: Date.now() })
    return c.json({ success: true } satisfies Done)
  })
  .post('/:moduleId/reopen', async (c) => {
    const { id: moduleId } = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const { ids } = await readJson(c, NamedQuestions)
    await reopenQuestions(c.env.DB, { moduleId, ids })
    return c.json({ success: true } satisfies Done)
  })
