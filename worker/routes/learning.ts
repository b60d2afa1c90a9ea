import { Hono } from 'hono'
import {
  LearnerRequest,
  type LearningAnswer,
  LearningExportRequest,
  type LearningMetricsAnswer,
  LearningReport,
} from '#contract/learning.ts'
import { openDb } from '#worker/db/db.ts'
import { exportLearning } from '#worker/domain/learning/export-learning.ts'
import { findWatcher } from '#worker/domain/learning/find-watcher.ts'
import { findProgress, noteLearning } from '#worker/domain/learning/note-learning.ts'
import { readMetrics } from '#worker/domain/learning/read-metrics.ts'
import { currentSecret } from '#worker/domain/live/ticket.ts'
import { getOwnModule } from '#worker/domain/module/get-module.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson } from '#worker/http/read-body.ts'
import { readQuery } from '#worker/http/read-query.ts'
import { findCaller, requireUser } from '#worker/http/require-user.ts'

const FILES = {
  csv: { name: 'learners.csv', type: 'text/csv; charset=utf-8; header=present' },
  xapi: { name: 'statements.json', type: 'application/json' },
} as const

/** Reports come from anybody who can watch; whoever is signed in is known by the account. */
export const learningRoutes = new Hono<AppEnv>()
  .post('/', async (c) => {
    const report = await readJson(c, LearningReport)
    const watcher = await findWatcher(openDb(c.env.DB), await findCaller(c), report)
    const progress = await noteLearning({ d1: c.env.DB, nowMs: Date.now() }, watcher, report)
    return c.json({ success: true, progress } satisfies LearningAnswer)
  })
  .get('/:moduleId/mine', async (c) => {
    const asked = { ...readQuery(c, LearnerRequest), moduleId: c.req.param('moduleId') }
    const watcher = await findWatcher(openDb(c.env.DB), await findCaller(c), asked)
    return c.json({ success: true, progress: await findProgress(c.env.DB, watcher) } satisfies LearningAnswer)
  })
  .get('/:moduleId', requireUser, async (c) => {
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    return c.json((await readMetrics(c.env.DB, module)) satisfies LearningMetricsAnswer)
  })
  .get('/:moduleId/export', requireUser, async (c) => {
    const { format } = readQuery(c, LearningExportRequest)
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const deps = { d1: c.env.DB, secret: currentSecret(c.env.TICKET_SECRET), origin: new URL(c.req.url).origin }
    const { name, type } = FILES[format]
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
    return c.body(await exportLearning(deps, module, format), 200, headers)
  })
