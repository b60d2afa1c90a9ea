import { Hono } from 'hono'
import { EraseRequest, type GlossaryAnswer, GlossaryEdit, ScreenSwitch } from '#contract/account.ts'
import { type FeedbackAnswer, SubmitFeedback, SubmitImprovement } from '#contract/feedback/feedback.ts'
import type { ModuleRole, OpenedListAnswer } from '#contract/module.ts'
import { type PublishersAnswer, PublishersEdit } from '#contract/review.ts'
import { AppError } from '#worker/core/errors.ts'
import { eraseAccount } from '#worker/domain/account/erase-account.ts'
import { exportAccount } from '#worker/domain/account/export-account.ts'
import { rate, readFeedbackStats, suggest } from '#worker/domain/feedback/feedback.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { issuePosterUrl } from '#worker/domain/live/ticket.ts'
import { leaveInvitation, listEdited } from '#worker/domain/module/invitation-store.ts'
import {
  deleteOpened,
  listOpened,
  presentEdited,
  presentOpened,
  recordOpened,
} from '#worker/domain/opened/opened-store.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import { storeReadsScreens } from '#worker/domain/screen/screen-switch.ts'
import { forgetShareNow } from '#worker/domain/share/forget-share.ts'
import { readOrgGlossary, storeOrgGlossary } from '#worker/domain/translation/glossary-store.ts'
import { readRules, storeRules } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { answerDone, getOpen, readJson, requireUser } from '#worker/http/request.ts'

/** Routes of other owners' trainings that the caller has opened or was invited to edit; `GET /api/modules` lists only the caller's own. */
export const openedModuleRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const { caller, context } = c.var
    const [openedRows, editedRows] = await Promise.all([
      listOpened(context.db, caller, context.nowMs()),
      listEdited(context.db, caller.userId),
    ])
    const posterOf = (module: { id: string; hasPoster: boolean }, role: ModuleRole) =>
      issuePosterUrl(context.secrets, { module, role, caller, opens: 'poster', nowMs: context.nowMs() })
    const editedIds = new Set(editedRows.map(({ id }) => id))
    const modules = await Promise.all(
      openedRows
        .filter(({ id }) => !editedIds.has(id))
        .map(async (row) => presentOpened(row, await posterOf(row, 'viewer'))),
    )
    const edited = await Promise.all(editedRows.map(async (row) => presentEdited(row, await posterOf(row, 'editor'))))
    return c.json({ success: true, modules, edited } satisfies OpenedListAnswer)
  })
  .put('/:moduleId', async (c) => {
    const { module, role } = await getOpen(c)
    const opening = { userId: c.var.caller.userId, moduleId: module.id, openedAt: c.var.context.nowMs() }
    // Owners find their modules in their own list.
    if (role === 'viewer') await recordOpened(c.var.context.db, opening)
    return answerDone(c)
  })
  .delete('/:moduleId', async (c) => {
    const { caller, context } = c.var
    const moduleId = c.req.param('moduleId')
    await deleteOpened(context.db, caller.userId, moduleId)
    if (await leaveInvitation(context.db, moduleId, caller.userId)) await roomOf(context, moduleId).endWatching()
    return answerDone(c)
  })

export const feedbackRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .post('/submit', async (c) => {
    await rate(c.var.context, c.var.caller, await readJson(c, SubmitFeedback))
    return c.json({ success: true, message: 'Thank you for your feedback!' } satisfies FeedbackAnswer)
  })
  .post('/improvement', async (c) => {
    await suggest(c.var.context, c.var.caller, await readJson(c, SubmitImprovement))
    const message = "Thank you for your feedback! We'll use it to improve this training."
    return c.json({ success: true, message } satisfies FeedbackAnswer)
  })
  .get('/stats', async (c) => c.json(await readFeedbackStats(c.var.context.d1, c.var.caller)))

/** Routes of the data that is stored about the caller. Clerk stores the sign-in, and its own page removes that. */
export const accountRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/export', (c) => {
    const { origin } = new URL(c.req.url)
    return c.body(exportAccount(c.var.context, { userId: c.var.caller.userId, origin }), 200, {
      'content-type': 'application/json',
      'content-disposition': 'attachment; filename="adapt-data.json"',
    })
  })
  .get('/glossary', async (c) => {
    const { caller, context } = c.var
    const words = caller.orgId === null ? '' : await readOrgGlossary(context.db, caller.orgId)
    return c.json({ success: true, words, mayChange: managesModules(caller) } satisfies GlossaryAnswer)
  })
  .put('/glossary', async (c) => {
    const { caller, context } = c.var
    const { words } = await readJson(c, GlossaryEdit)
    if (caller.orgId === null || !managesModules(caller))
      throw new AppError('not_found', 'There is no glossary of an organization that you may change.')
    await storeOrgGlossary(context, { orgId: caller.orgId, words })
    return answerDone(c)
  })
  .put('/screen', async (c) => {
    const { caller, context } = c.var
    const { readsScreen } = await readJson(c, ScreenSwitch)
    if (caller.orgId === null || !managesModules(caller))
      throw new AppError('not_found', 'There is no setting of an organization that you may change.')
    await storeReadsScreens(context, { orgId: caller.orgId, readsScreen })
    return answerDone(c)
  })
  .get('/publishers', async (c) => {
    const { caller, context } = c.var
    const rules = await readRules(context.db, caller.orgId)
    return c.json({ success: true, ...rules, mayChange: managesModules(caller) } satisfies PublishersAnswer)
  })
  .put('/publishers', async (c) => {
    const { caller, context } = c.var
    const change = await readJson(c, PublishersEdit)
    if (caller.orgId === null || !managesModules(caller))
      throw new AppError('not_found', 'There are no rules of an organization that you may change.')
    await storeRules(context.d1, { ...change, orgId: caller.orgId, updatedAt: context.nowMs() })
    return answerDone(c)
  })
  .delete('/', async (c) => {
    await readJson(c, EraseRequest)
    const { context, caller } = c.var
    const forget = (ids: string[]) => forgetShareNow(context, ...ids)
    return c.json(await eraseAccount(context, caller.userId, forget))
  })
