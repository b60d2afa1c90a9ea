import { type Context, Hono } from 'hono'
import {
  type AccountLearnerAnswer,
  LearnerRequest,
  type LearningAnswer,
  LearningExportRequest,
  type LearningMetricsAnswer,
  LearningReport,
  Pseudonym,
  type SessionAnswer,
  SessionRequest,
} from '#contract/learning.ts'
import type { Done } from '#contract/module.ts'
import { openDb } from '#worker/db/db.ts'
import { exportLearning } from '#worker/domain/learning/export-learning.ts'
import { findLearnerId } from '#worker/domain/learning/export-store.ts'
import { accountLearnerId, readSession, signAccountToken } from '#worker/domain/learning/learner-token.ts'
import { removeLearner } from '#worker/domain/learning/move-learner.ts'
import { findProgress, noteLearning } from '#worker/domain/learning/note-learning.ts'
import { readMetrics } from '#worker/domain/learning/read-metrics.ts'
import { findWatcher, startSession } from '#worker/domain/learning/start-session.ts'
import { getModule, getOwnModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import { currentSecret } from '#worker/domain/signed-payload.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { hasRoom, limitNewLearner, limitReports, networkOf } from '#worker/http/limits.ts'
import { findCaller, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'

const FILES = {
  csv: { name: 'learners.csv', type: 'text/csv; charset=utf-8; header=present' },
  xapi: { name: 'statements.json', type: 'application/json' },
} as const

function depsOf(c: Context<AppEnv>) {
  return {
    d1: c.env.DB,
    secrets: c.env.TICKET_SECRET,
    secret: currentSecret(c.env.TICKET_SECRET),
    network: networkOf(c.req.header('cf-connecting-ip')),
    nowMs: Date.now(),
  }
}

/** Reports come from anyone who can watch; a person who is signed in is known by the account. */
export const learningRoutes = new Hono<AppEnv>()
  .post('/', async (c) => {
    const { moduleId, session: token, ...report } = await readJson(c, LearningReport)
    const caller = await findCaller(c)
    const db = openDb(c.env.DB)
    const found = caller === null ? null : await getModule(db, caller, moduleId)
    const module = found?.module ?? (await getSharedModule(db, moduleId))
    const session = await readSession(c.env.TICKET_SECRET, token, moduleId)
    const isOwn = caller === null || !session?.learnerId || session.learnerId === accountLearnerId(caller.userId)
    if (session === null || !isOwn)
      throw new AppError('session_invalid', 'This page cannot save progress any more. It starts again by itself.')
    await limitReports(c, session.sessionId)
    const learnerId = found?.role === 'owner' ? null : session.learnerId
    const progress = await noteLearning(depsOf(c), module, { session: { ...session, learnerId }, report })
    return c.json({ success: true, progress } satisfies LearningAnswer)
  })
  .post('/account', requireUser, async (c) => {
    const learner = await signAccountToken(c.env.TICKET_SECRET, c.var.caller.userId, Date.now())
    return c.json({ success: true, learner } satisfies AccountLearnerAnswer)
  })
  .post('/:moduleId/sessions', async (c) => {
    const asked = { ...(await readJson(c, SessionRequest)), moduleId: c.req.param('moduleId') }
    const deps = { ...depsOf(c), limitNewLearner: (moduleId: string) => limitNewLearner(c, moduleId) }
    return c.json((await startSession(deps, await findCaller(c), asked)) satisfies SessionAnswer)
  })
  .get('/:moduleId/mine', async (c) => {
    const asked = { learner: readQuery(c, LearnerRequest).learner, moduleId: c.req.param('moduleId') }
    const { module, watcher } = await findWatcher(depsOf(c), await findCaller(c), asked)
    const progress = await findProgress(c.env.DB, module, watcher?.learnerId ?? null)
    return c.json({ success: true, progress } satisfies LearningAnswer)
  })
  .get('/:moduleId', requireUser, async (c) => {
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const mayRecount = () => hasRoom(c.env.CALLER_LIMIT, `recount:${module.id}`)
    return c.json((await readMetrics(c.env.DB, module, mayRecount)) satisfies LearningMetricsAnswer)
  })
  .delete('/:moduleId/learners/:pseudonym', requireUser, async (c) => {
    const pseudonym = readParam(c, 'pseudonym', Pseudonym)
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const learnerId = await findLearnerId(depsOf(c), module.id, pseudonym)
    if (learnerId === null || !(await removeLearner(c.env.DB, module, learnerId)))
      throw new AppError(
        'not_found',
        'There is no learner with this pseudonym. Download the table again and copy it from there.',
      )
    return c.json({ success: true } satisfies Done)
  })
  .get('/:moduleId/export', requireUser, async (c) => {
    const { format } = readQuery(c, LearningExportRequest)
    const module = await getOwnModule(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))
    const { d1, secret } = depsOf(c)
    const { name, type } = FILES[format]
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
    return c.body(await exportLearning({ d1, secret, origin: new URL(c.req.url).origin }, module, format), 200, headers)
  })
