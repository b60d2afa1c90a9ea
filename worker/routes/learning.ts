import { Hono } from 'hono'
import {
  type AccountLearnerAnswer,
  LearnerRequest,
  type LearningAnswer,
  LearningExportRequest,
  LearningReport,
  Pseudonym,
  SessionRequest,
} from '#contract/learning.ts'
import { seesDraft } from '#contract/module.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { noteReached, noteStarted, placeTime } from '#worker/domain/assignment/note-act.ts'
import { findShownVersion } from '#worker/domain/assignment/shown-version.ts'
import { isOutlived } from '#worker/domain/learning/erased-store.ts'
import { exportLearning } from '#worker/domain/learning/export-learning.ts'
import { findLearnerId } from '#worker/domain/learning/export-store.ts'
import {
  accountLearnerId,
  isAccountLearner,
  personOfLearner,
  readSession,
  signAccountToken,
} from '#worker/domain/learning/learner-token.ts'
import { countSessions } from '#worker/domain/learning/learning-store.ts'
import { removeLearner } from '#worker/domain/learning/move-learner.ts'
import { findProgress, noteLearning } from '#worker/domain/learning/note-learning.ts'
import { readMetrics } from '#worker/domain/learning/read-metrics.ts'
import {
  type FindShown,
  findLearner,
  findSessionAssigned,
  startSession,
} from '#worker/domain/learning/start-session.ts'
import { getModule, getSharedModule } from '#worker/domain/module/get-module.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import { removeReportsOf } from '#worker/domain/step-report/report-photo.ts'
import { moveReports, type ReportsOf } from '#worker/domain/step-report/step-report-store.ts'
import { moveTurns, removeTurns } from '#worker/domain/tutor/turn-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { hasRoom, limitNewLearner, limitReports } from '#worker/http/limits.ts'
import { networkOf, siteOf } from '#worker/http/network-of.ts'
import { answerDone, findCaller, getOwn, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'

/** A device sends some reports a day, so that there is hardly ever a second round. */
async function removeAllReports(context: Context, of: Required<ReportsOf>): Promise<void> {
  const nowMs = context.nowMs()
  while (!(await removeReportsOf(context, of, nowMs)));
}

function sessionInvalid(): AppError {
  return new AppError('session_invalid', 'This page cannot save progress any more. It starts again by itself.')
}

const FILES = {
  csv: { name: 'learners.csv', type: 'text/csv; charset=utf-8; header=present' },
  xapi: { name: 'statements.json', type: 'application/json' },
} as const

/** Reports come from anyone who can watch; a person who is signed in is known by the account. */
export const learningRoutes = new Hono<AppEnv>()
  .post('/', async (c) => {
    const { moduleId, session: token, ...report } = await readJson(c, LearningReport)
    const caller = await findCaller(c)
    const { context } = c.var
    const found = caller === null ? null : await getModule(context, caller, moduleId)
    const session = await readSession(c.var.context.secrets, token, moduleId)
    // Also after the next person of a shared device has begun: the session says whose report it is.
    const assigned = caller === null && session !== null ? await findSessionAssigned(context, session) : null
    // Before anything is said of the module: the device keeps what it has until its person is known again.
    if (assigned === null && personOfLearner(session?.learnerId ?? '') !== null) throw sessionInvalid()
    const module = asLearnersSee(found?.module ?? assigned?.module ?? (await getSharedModule(context, moduleId)))
    const isOwn = caller === null || !session?.learnerId || session.learnerId === accountLearnerId(caller.userId)
    // A signed-in user may report even right after an erasure; without a sign-in, an account's token from before its
    // erasure is refused.
    const isByToken = caller === null && session?.learnerId && isAccountLearner(session.learnerId)
    const clock = { signedMs: session?.startedAtMs ?? 0, nowMs: context.nowMs() }
    const isGone = isByToken && (await isOutlived(context.d1, session.learnerId ?? '', clock))
    if (session === null || !isOwn || isGone) throw sessionInvalid()
    await limitReports(c, session.sessionId)
    const address = c.req.header('cf-connecting-ip')
    const learnerId = found && seesDraft(found.role) ? null : session.learnerId
    const from = { network: networkOf(address), site: siteOf(address) }
    const { progress, verified } = await noteLearning(c.var.context, module, {
      session: { ...session, learnerId },
      report,
      ...from,
    })
    if (assigned !== null) {
      // A device's clock may be wrong.
      const deviceTimeMs = placeTime(report.playedAtMs, session.startedAtMs, context.nowMs())
      const act = { ...assigned, wasOffline: session.isKept === true, deviceTimeMs }
      const countOpenings = () => countSessions(context.d1, { moduleId: module.id, learnerId: learnerId ?? '' })
      await noteReached(context, act, { session, seen: verified, countOpenings })
    }
    return c.json({ success: true, progress } satisfies LearningAnswer)
  })
  .post('/account', requireUser, async (c) => {
    const learner = await signAccountToken(c.var.context.secrets, c.var.caller.userId, c.var.context.nowMs())
    return c.json({ success: true, learner } satisfies AccountLearnerAnswer)
  })
  .post('/:moduleId/sessions', async (c) => {
    const moduleId = c.req.param('moduleId')
    const request = { ...(await readJson(c, SessionRequest)), moduleId }
    const { context } = c.var
    const moveSaid: Parameters<typeof startSession>[2]['moveSaid'] = async ({ userId, ...of }) => {
      await moveReports(context.d1, { ...of, to: accountLearnerId(userId) })
      await moveTurns(context.d1, { ...of, to: userId })
    }
    const noteOpened: Parameters<typeof startSession>[2]['noteOpened'] = ({ person, version, ...of }) =>
      noteStarted(context, { ...of, person, knownBy: person.knownBy }, version)
    const findShown: FindShown = (module, asked) => findShownVersion(context, module, asked)
    const session = { ...request, limitNewLearner: () => limitNewLearner(c, moduleId), moveSaid, noteOpened, findShown }
    return c.json(await startSession(context, await findCaller(c), session))
  })
  .get('/:moduleId/mine', async (c) => {
    const request = { learner: readQuery(c, LearnerRequest).learner, moduleId: c.req.param('moduleId') }
    const findShown: FindShown = (module) => findShownVersion(c.var.context, module, {})
    const of = { ...request, findShown }
    const { module, watcher } = await findLearner(c.var.context, await findCaller(c), of)
    const progress = await findProgress(c.var.context.d1, module, watcher?.learnerId ?? null)
    return c.json({ success: true, progress } satisfies LearningAnswer)
  })
  .get('/:moduleId', requireUser, async (c) => {
    const module = asLearnersSee(await getOwn(c))
    const mayRecount = () => hasRoom(c.env.CALLER_LIMIT, `recount:${module.id}`)
    return c.json(await readMetrics(c.var.context.d1, module, mayRecount))
  })
  .delete('/:moduleId/learners/:pseudonym', requireUser, async (c) => {
    const pseudonym = readParam(c, 'pseudonym', Pseudonym)
    const module = asLearnersSee(await getOwn(c))
    const learnerId = await findLearnerId(c.var.context, module.id, pseudonym)
    // What was reported goes first: once the learner is gone, nothing would find it any more.
    if (learnerId !== null) await removeAllReports(c.var.context, { learnerId, moduleId: module.id })
    if (learnerId === null || !(await removeLearner(c.var.context.d1, module, learnerId)))
      throw new AppError(
        'not_found',
        'There is no learner with this pseudonym. Download the table again and copy it from there.',
      )
    // What the device asked the trainer is under the same id; what an account asked is the account's.
    if (!isAccountLearner(learnerId)) await removeTurns(c.var.context.db, { moduleId: module.id, userId: learnerId })
    return answerDone(c)
  })
  .get('/:moduleId/export', requireUser, async (c) => {
    const { format } = readQuery(c, LearningExportRequest)
    const module = asLearnersSee(await getOwn(c))
    const { name, type } = FILES[format]
    const headers = { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
    const { origin } = new URL(c.req.url)
    return c.body(await exportLearning(c.var.context, module, { format, origin }), 200, headers)
  })
