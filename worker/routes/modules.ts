import { type Context, Hono } from 'hono'
import { MODULES_PAGE_DEFAULT, MODULES_PAGE_MAX } from '#contract/limits.ts'
import {
  type DeletedListAnswer,
  Language,
  type ModuleAnswer,
  type ModuleListAnswer,
  ModuleListRequest,
  type ModulePageAnswer,
  ModulePatch,
  NewLink,
  type NewLinkAnswer,
} from '#contract/module.ts'
import { type ScreenAnswer, ScreenCorrection, ScreenReadingSent } from '#contract/screen.ts'
import { type SearchAnswer, SearchRequest } from '#contract/search.ts'
import { sharePath } from '#contract/share-page.ts'
import { type LanguagesAnswer, type TranslationAnswer, TranslationEdit } from '#contract/translation.ts'
import { AppError } from '#worker/core/errors.ts'
import { deleteModule, restoreModule, takeOver } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { roomOf, WATCHER_HEADER, watcherOf } from '#worker/domain/live/publish.ts'
import { currentRoleOf, issueLiveTicket, readTicket } from '#worker/domain/live/ticket.ts'
import { replaceLink, toLinkChange } from '#worker/domain/module/change-link.ts'
import { listRestorable, presentDeleted } from '#worker/domain/module/deleted-store.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { listPage, selectAtWork } from '#worker/domain/module/module-list-store.ts'
import { findModule, listModules, type ModuleRow, updateModule } from '#worker/domain/module/module-store.ts'
import { requireSameVideo, videoIdOf } from '#worker/domain/module/video-id.ts'
import { managesModules } from '#worker/domain/organization/membership.ts'
import { toTrackChange } from '#worker/domain/run/audio-track-store.ts'
import { applyReading } from '#worker/domain/screen/apply-reading.ts'
import { listScreenCorrections, saveScreenCorrection } from '#worker/domain/screen/screen-corrections.ts'
import { findReading, removeIgnored, removeReading, saveReading } from '#worker/domain/screen/screen-reading.ts'
import { isScreenRead, readsScreens } from '#worker/domain/screen/screen-switch.ts'
import { searchModules } from '#worker/domain/search/search-modules.ts'
import { forgetShareNow, forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { writeTranscript, writeZip } from '#worker/domain/share/write-files.ts'
import {
  editTranslation,
  listLanguages,
  readTranslation,
  switchLanguages,
} from '#worker/domain/translation/manage-translations.ts'
import { requestTranslations } from '#worker/domain/translation/request-translations.ts'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { listOrigins } from '#worker/http/headers.ts'
import { answerDone, getOpen, getOwn, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'
import { REQUEST_ID_HEADER } from '#worker/http/trace-request.ts'
import { presentAll, presentCard, presentOpened } from './present-modules.ts'

/** Settings that a version is made of, now or by the next run or translation. */
const OF_VERSIONS = ['title', 'language', 'languages', 'glossary', 'audioTrack', 'ignoredArea', 'readsScreen'] as const

export const moduleRoutes = new Hono<AppEnv>()
  .get('/:moduleId/live', (c) => openSocket(c, c.req.param('moduleId')))
  .use(requireUser)
  // No module has an id as short as this.
  .get('/deleted', async (c) => {
    const rows = await listRestorable(c.var.context.db, c.var.caller, c.var.context.nowMs())
    return c.json({ success: true, modules: rows.map(presentDeleted) } satisfies DeletedListAnswer)
  })
  .post('/:moduleId/restore', async (c) => {
    const moduleId = c.req.param('moduleId')
    await restoreModule(c.var.context, c.var.caller, moduleId)
    // The edge may have kept that there is nothing at its link.
    await forgetShareNow(c.var.context, moduleId)
    return answerDone(c)
  })
  .get('/', async (c) => {
    const { db } = c.var.context
    const request = readQuery(c, ModuleListRequest)
    if (Object.keys(request).length === 0) {
      const modules = await presentAll(c, await listModules(db, c.var.caller))
      return c.json({ success: true, modules } satisfies ModuleListAnswer)
    }
    const page = await listPage(db, c.var.caller, { limit: MODULES_PAGE_DEFAULT, search: '', ...request })
    const modules = await presentAll(c, page.rows)
    return c.json({ success: true, modules, nextCursor: page.nextCursor } satisfies ModulePageAnswer)
  })
  // No module has an id as short as this.
  .get('/processing', async (c) => {
    const rows = await selectAtWork(c.var.context.db, c.var.caller, MODULES_PAGE_MAX)
    return c.json({ success: true, modules: await presentAll(c, rows) } satisfies ModuleListAnswer)
  })
  .get('/search', async (c) => {
    const { query } = readQuery(c, SearchRequest)
    const found = await searchModules(c.var.context, c.var.caller, query)
    const modules = found.map(async ({ row, hits }) => ({
      module: await presentCard(c, row),
      hits,
    }))
    return c.json({ success: true, found: await Promise.all(modules) } satisfies SearchAnswer)
  })
  .get('/:moduleId', async (c) => {
    const { module, role } = await getOpen(c)
    return c.json({ success: true, module: await presentOpened(c, module, role) } satisfies ModuleAnswer)
  })
  .get('/:moduleId/screen', async (c) => {
    const module = await getOwn(c)
    const { caller, context } = c.var
    const { ignoredArea, orgId } = module
    const [reading, corrections, readsScreen, organization] = await Promise.all([
      findReading(context.bucket, module),
      listScreenCorrections(context.db, module.id),
      isScreenRead(context.db, module),
      orgId === null ? null : readsScreens(context.db, orgId),
    ])
    const videoId = videoIdOf(module)
    const answer = { success: true, readsScreen, ignoredArea, videoId, reading, corrections } as const
    const mayChange = caller.orgId === orgId && managesModules(caller)
    return c.json({
      ...answer,
      organization: organization === null ? null : { readsScreen: organization, mayChange },
    } satisfies ScreenAnswer)
  })
  .put('/:moduleId/screen', async (c) => {
    const { videoId, ...reading } = await readJson(c, ScreenReadingSent)
    const module = await getOwn(c)
    requireSameVideo(module, videoId)
    await saveReading(c.var.context, module, reading)
    await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    await takeIntoSteps(c.var.context, module)
    return answerDone(c)
  })
  .put('/:moduleId/screen/corrections', async (c) => {
    const correction = await readJson(c, ScreenCorrection)
    const module = await getOwn(c)
    await saveScreenCorrection(c.var.context, module, correction)
    await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    await takeIntoSteps(c.var.context, module)
    return answerDone(c)
  })
  .get('/:moduleId/transcript.txt', async (c) => {
    const text = await writeTranscript(c.var.context, await getOwn(c))
    return c.body(text, 200, { 'content-type': 'text/plain; charset=utf-8' })
  })
  .get('/:moduleId/files.zip', async (c) => {
    const module = await getOwn(c)
    const [origin = ''] = listOrigins(c.env)
    return c.body(await writeZip(c.var.context, module, { origin, nowMs: c.var.context.nowMs() }), 200, {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="training.zip"',
    })
  })
  .patch('/:moduleId', async (c) => {
    const patch = await readJson(c, ModulePatch)
    const module = await getOwn(c)
    const { languages, linkEndsAt, linkPassword, ...tracked } = toTrackChange(module, patch)
    const linkChange = await toLinkChange({ linkEndsAt, linkPassword })
    const fields = {
      ...tracked,
      ...(patch.glossary === '' && { glossary: null }),
      ...(patch.readsScreen !== undefined && { readsScreenAnyway: patch.readsScreen }),
      ...linkChange,
    }
    if (languages !== undefined) await switchLanguages(c.var.context, module, languages)
    if (Object.keys(fields).length > 0) await updateModule(c.var.context.db, module.id, fields)
    if (patch.readsScreen === false) await removeReading(c.var.context, module)
    else if (patch.ignoredArea) await removeIgnored(c.var.context, { ...module, ignoredArea: patch.ignoredArea })
    if (OF_VERSIONS.some((name) => patch[name] !== undefined))
      await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    if (fields.title !== undefined || fields.glossary !== undefined)
      await requestTranslations(c.var.context, { ...module, ...patch })
    if (patch.shared === false || Object.keys(linkChange).length > 0) await endOpenLinks(c, module.id)
    else if (
      patch.title !== undefined ||
      patch.linkAnswersPerDay !== undefined ||
      patch.takesReports !== undefined ||
      patch.readsScreen === false ||
      languages !== undefined
    )
      await forgetShareSoon(c.var.context, module.id)
    return answerDone(c)
  })
  .post('/:moduleId/link', async (c) => {
    const request = await readJson(c, NewLink)
    const module = await getOwn(c)
    const code = await replaceLink(c.var.context, module, request)
    await endOpenLinks(c, module.id)
    return c.json({ success: true, shareUrl: sharePath(code) } satisfies NewLinkAnswer)
  })
  .get('/:moduleId/languages', async (c) =>
    c.json((await listLanguages(c.var.context, await getOwn(c))) satisfies LanguagesAnswer),
  )
  .get('/:moduleId/translations/:language', async (c) => {
    const language = readParam(c, 'language', Language)
    const items = await readTranslation(c.var.context, await getOwn(c), language)
    return c.json({ success: true, items } satisfies TranslationAnswer)
  })
  .put('/:moduleId/translations/:language', async (c) => {
    const language = readParam(c, 'language', Language)
    const edit = await readJson(c, TranslationEdit)
    const module = await getOwn(c)
    await editTranslation(c.var.context, { module, language }, edit)
    await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
    await forgetShareSoon(c.var.context, module.id)
    return answerDone(c)
  })
  .delete('/:moduleId', async (c) => {
    const moduleId = c.req.param('moduleId')
    await deleteModule(c.var.context, c.var.caller, moduleId)
    await forgetShareNow(c.var.context, moduleId)
    await roomOf(c.var.context, moduleId).endWatching()
    return answerDone(c)
  })
  .post('/:moduleId/take-over', async (c) => {
    await takeOver(c.var.context, c.var.caller, c.req.param('moduleId'))
    await roomOf(c.var.context, c.req.param('moduleId')).endWatching()
    return answerDone(c)
  })
  .post('/:moduleId/live-ticket', async (c) => {
    const { module, role } = await getOpen(c)
    const ticketOptions = { moduleId: module.id, role, caller: c.var.caller, nowMs: c.var.context.nowMs() }
    return c.json(await issueLiveTicket(c.var.context.secrets, ticketOptions))
  })

/** Ends what the edge and open pages have of a link that opens less than before. */
async function endOpenLinks(c: Context<AppEnv>, moduleId: string): Promise<void> {
  await forgetShareNow(c.var.context, moduleId)
  await roomOf(c.var.context, moduleId).endWatching()
}

/** What counts of the screen changes the steps at once. */
async function takeIntoSteps(context: Context<AppEnv>['var']['context'], module: ModuleRow): Promise<void> {
  if (!(await applyReading(context, module.id))) return
  await requestTranslations(context, module)
  await forgetShareSoon(context, module.id)
}

/** `GET /api/modules/{id}/live?ticket=…&cursor=…`: the module's socket. The ticket is the permission. */
async function openSocket(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  if (c.req.header('upgrade')?.toLowerCase() !== 'websocket') {
    throw new AppError('upgrade_required', 'Open this address as a WebSocket.')
  }
  const origin = c.req.header('origin')
  const expected = { kinds: ['live'], moduleId, nowMs: c.var.context.nowMs() } as const
  const ticket = await readTicket(c.var.context.secrets, c.req.query('ticket') ?? '', expected)
  const isOurs = origin === undefined || listOrigins(c.env).includes(origin)
  if (ticket === null || !isOurs) throw new AppError('unauthenticated', 'This live ticket is not valid any more.')
  const headers = new Headers(c.req.raw.headers)
  headers.set(REQUEST_ID_HEADER, c.var.requestId)
  headers.set(WATCHER_HEADER, watcherOf(ticket))
  const answer = await roomOf(c.var.context, moduleId).fetch(new Request(c.req.raw, { headers }))
  try {
    // The ticket outlives the module and its sharing. Checked once the socket is open: a later end closes the socket.
    const module = await findModule(c.var.context.db, moduleId)
    if (module === null || (await currentRoleOf(c.var.context, ticket, module)) === null) throw moduleNotFound()
    if (ticket.userId === null && module.status !== 'PROCESSING') throw moduleNotFound()
    return answer
  } catch (error) {
    answer.webSocket?.accept()
    answer.webSocket?.close()
    throw error
  }
}
