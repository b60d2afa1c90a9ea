import { type Context, Hono } from 'hono'
import {
  IgnoreDevice,
  NewStepReport,
  ReopenReports,
  type ReportCountsAnswer,
  ReportId,
  SettledRequest,
  SettleReports,
} from '#contract/feedback/step-report.ts'
import { REPORT_ENTRIES_MAX } from '#contract/limits.ts'
import { AppError } from '#worker/core/errors.ts'
import { accountLearnerId } from '#worker/domain/learning/learner-token.ts'
import { findWatcher } from '#worker/domain/learning/start-session.ts'
import { getModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import { readSettled, readStepReports } from '#worker/domain/step-report/read-step-reports.ts'
import { servePhoto } from '#worker/domain/step-report/report-photo.ts'
import { reportStep } from '#worker/domain/step-report/step-report.ts'
import {
  countOpenReports,
  findReport,
  reopenReports,
  setIgnored,
  settleReports,
} from '#worker/domain/step-report/step-report-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import { answerDone, findCaller, getOwn, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'

/** What learners report from a step, and what its owner does with it. */
export const stepReportRoutes = new Hono<AppEnv>()
  .get('/', requireUser, async (c) => {
    const modules = await countOpenReports(c.var.context.d1, c.var.caller, REPORT_ENTRIES_MAX)
    return c.json({ success: true, modules } satisfies ReportCountsAnswer)
  })
  .post('/:moduleId', async (c) => {
    const { learner, ...report } = await readJson(c, NewStepReport)
    const { module, learnerId } = await findReporter(c, learner)
    const address = c.req.header('cf-connecting-ip')
    const from = { network: networkOf(address), site: siteOf(address) }
    await reportStep(c.var.context, module, { report, learnerId, ...from })
    return answerDone(c)
  })
  // No sign-in says whose they are: the device alone knows the ids of what it has reported.
  .get('/:moduleId/settled', async (c) => {
    const { ids } = readQuery(c, SettledRequest)
    const { context } = c.var
    const [caller, moduleId] = [await findCaller(c), c.req.param('moduleId')]
    const { id } =
      caller === null ? await getSharedModule(context, moduleId) : (await getModule(context, caller, moduleId)).module
    return c.json(await readSettled(context.db, id, ids))
  })
  .get('/:moduleId', requireUser, async (c) => c.json(await readStepReports(c.var.context.d1, (await getOwn(c)).id)))
  .get('/:moduleId/photos/:reportId', requireUser, async (c) => {
    const reportId = readParam(c, 'reportId', ReportId)
    const { id } = await getOwn(c)
    const { db, bucket } = c.var.context
    const report = await findReport(db, id, reportId)
    const photo = report && (await servePhoto(bucket, report))
    if (photo === null) throw new AppError('not_found', 'This photo is not there any more.')
    return photo
  })
  .post('/:moduleId/settle', requireUser, async (c) => {
    const { lastAt, answer, ...entry } = await readJson(c, SettleReports)
    const { id: moduleId } = await getOwn(c)
    const settledAt = c.var.context.nowMs()
    await settleReports(c.var.context.d1, { ...entry, moduleId }, { lastAt, answer, settledAt })
    return c.json({ success: true, settledAt })
  })
  .post('/:moduleId/reopen', requireUser, async (c) => {
    const { settledAt, ...entry } = await readJson(c, ReopenReports)
    const { id: moduleId } = await getOwn(c)
    await reopenReports(c.var.context.d1, { ...entry, moduleId }, settledAt)
    return answerDone(c)
  })
  .put('/:moduleId/ignored', requireUser, async (c) => {
    const { id, isIgnored } = await readJson(c, IgnoreDevice)
    const { id: moduleId } = await getOwn(c)
    await setIgnored(c.var.context.d1, { moduleId, id, isIgnored })
    return answerDone(c)
  })

/**
 * Finds who reports: an account, or the learner whom the token names. An owner who tries it is an account like others.
 * @throws {AppError} not_found, session_invalid: the page gets a token and sends the report again
 */
async function findReporter(c: Context<AppEnv>, learner: string | undefined) {
  const moduleId = c.req.param('moduleId') ?? ''
  const caller = await findCaller(c)
  const { module, watcher } = await findWatcher(c.var.context, caller, { moduleId, learner })
  const userId = watcher?.userId ?? null
  const learnerId = watcher?.learnerId ?? (userId === null ? null : accountLearnerId(userId))
  // Which of the two is meant, a page has to say.
  const isOne = caller === null || learner === undefined
  if (learnerId !== null && isOne) return { module, learnerId }
  throw new AppError('session_invalid', 'This page cannot send reports any more. It starts again by itself.')
}
