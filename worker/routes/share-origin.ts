import { type Context as Call, Hono } from 'hono'
import { ImageName } from '#contract/image.ts'
import { findLanguage, type InterfaceLanguage, interfaceOf, type LanguageTag } from '#contract/languages.ts'
import { embedPath, SHARED_FILES, type SharePageData, sharePath } from '#contract/share-page.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError, faultOf, isDatabaseAway } from '#worker/core/errors.ts'
import { getSharedCollection, readShared, type SharedMember } from '#worker/domain/collection/collection.ts'
import { listCollectionsWith } from '#worker/domain/collection/collection-store.ts'
import { writeCollectionPage } from '#worker/domain/collection/write-collection.ts'
import { searchCollection } from '#worker/domain/found/search-collection.ts'
import { writeFound } from '#worker/domain/found/write-found.ts'
import { serveImage } from '#worker/domain/image/image.ts'
import { isShown } from '#worker/domain/image/image-store.ts'
import { getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { openSource, servedTag } from '#worker/domain/module/serve-source.ts'
import { shareTag } from '#worker/domain/share/forget-share.ts'
import { readNear } from '#worker/domain/share/read-near.ts'
import { getQuality, presentShare, type Quality } from '#worker/domain/share/read-share.ts'
import { markOriginal, tagOfPage, typeOfFile, writePrint, writeSharedFile } from '#worker/domain/share/write-files.ts'
import { type Back, writeSharePage } from '#worker/domain/share/write-page.ts'
import { openContext } from '#worker/entry/open-context.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { listOrigins, publicPageHeaders } from '#worker/http/headers.ts'
import { checkRateLimit, MANY_ASK, QUESTIONS_PERIOD_S } from '#worker/http/limits.ts'
import { answerProblem } from '#worker/http/problem.ts'
import {
  AT_WORK_LIFE,
  BYTES_LIFE,
  type EdgeLife,
  edgeHeaders,
  endLife,
  etagOf,
  LINK_TOKEN_HEADER,
  offerLanguages,
  sharedLife,
} from '#worker/http/share-edge.ts'
import { REQUEST_ID_HEADER, traceRequest } from '#worker/http/trace-request.ts'
import { builtPage } from '#worker/http/visitor-language.ts'
import { logLine } from '#worker/log/log.ts'

interface OriginEnv {
  Bindings: Env
  Variables: Pick<AppEnv['Variables'], 'requestId' | 'fault'> & {
    context: Context
    /** How long the edge may keep what does not change every few seconds. */
    sharedLife: EdgeLife
  }
}

/**
 * Routes behind the edge cache: called only when the edge has no entry, without any data of the visitor, and always
 * answered in full. A response without a lifetime must not be cached at all.
 * @param clock a test's own one
 */
export function createShareOrigin(clock: Partial<Pick<Context, 'nowMs'>> = {}): Hono<OriginEnv> {
  /**
   * Pages for ids without a module. They are the same for all such ids, so that a guess costs only the database read.
   */
  const missing = new Map<string, string>()
  const app = new Hono<OriginEnv>()
  app.onError((error, c) => answerProblem(error, c as never))
  app.use(traceRequest({ event: 'origin', idOf: ({ headers }) => headers.get(REQUEST_ID_HEADER) ?? '' }) as never)
  app.use(async (c, next) => {
    const [, , id = ''] = c.req.path.split('/')
    const context = openContext(c.env, clock)
    const linkToken = c.req.header(LINK_TOKEN_HEADER) ?? null
    // A copy that is behind would know another password than the one that was entered.
    const near = linkToken === null ? await readNear(c.env, { id, nowMs: context.nowMs() }) : null
    c.set('context', Object.assign(context, near, { linkTokenOf: () => linkToken, personToken: linkToken }))
    c.set('sharedLife', sharedLife(near?.ageS ?? 0))
    return next()
  })
  app.notFound(() => {
    throw moduleNotFound()
  })
  return (
    app
      .get('/share/:moduleId/from/:collectionId/:language?', (c) => answerPage(c, 'page', missing))
      .get('/collections-of/:moduleId', async (c) => {
        const module = await getSharedModule(c.var.context, c.req.param('moduleId'))
        const ids = await listCollectionsWith(c.var.context.db, module)
        return c.json(ids, 200, edgeHeaders(lifeOf(c, module), shareTag(module.id, ...ids)))
      })
      .get('/share/:moduleId/:language?', (c) => answerPage(c, 'page', missing))
      .get('/embed/:moduleId/:language?', (c) => answerPage(c, 'embed', missing))
      .get('/collection/:collectionId/:language?', (c) => answerCollection(c, missing))
      .get('/found/:collectionId/:language/:question', answerFound)
      // Cached for as long as a link may outlive its end, so that neither the database nor the bucket is asked for each of a
      // player's many ranges. Never leaves the worker.
      .get('/grant/:moduleId', (c) => answerGrant(c, 'original'))
      .get('/grant/:moduleId/small', (c) => answerGrant(c, 'small'))
      .get('/video/:moduleId/:etag', (c) => answerVideo(c, 'original'))
      .get('/video/:moduleId/small/:etag', (c) => answerVideo(c, 'small'))
      .get('/print/:moduleId/:language?', (c) => answerPrint(c, missing))
      .get('/files/:moduleId/:name/:language?', answerFile)
      .get('/images/:moduleId/:name', answerImage)
  )
}

/** Says that anyone may watch now, and which object it is. */
async function answerGrant(c: Call<OriginEnv>, quality: Quality): Promise<Response> {
  const module = await getSharedModule(c.var.context, c.req.param('moduleId') ?? '')
  const forEdge = edgeHeaders(lifeOf(c, { ...module, status: 'READY' }), shareTag(module.id))
  return c.json(getQuality(module, quality), 200, forEdge)
}

async function answerVideo(c: Call<OriginEnv>, quality: Quality): Promise<Response> {
  const { moduleId: linkId = '', etag } = c.req.param() as { moduleId?: string; etag?: string }
  const module = await getSharedModule(c.var.context, linkId)
  const grant = getQuality(module, quality)
  if (servedTag(grant) !== etag) throw moduleNotFound()
  const body = await openSource(c.var.context.bucket, grant, null)
  const { contentType, sizeBytes } = grant
  const head = { 'content-type': contentType, 'content-length': String(sizeBytes), etag: `"${etag}"` }
  return new Response(body, { headers: { ...edgeHeaders(BYTES_LIFE, shareTag(module.id)), ...head } })
}

type Look = SharePageData['look']

function wantedBy(c: Call<OriginEnv>): LanguageTag | null {
  return findLanguage(c.req.param('language'))
}

async function answerImage(c: Call<OriginEnv>): Promise<Response> {
  const module = await getSharedModule(c.var.context, c.req.param('moduleId') ?? '')
  const name = ImageName.safeParse(c.req.param('name'))
  const isThere = name.success && (name.data === 'poster' || (await isShown(c.var.context.db, module.id, name.data)))
  if (!isThere) throw moduleNotFound()
  const answer = await serveImage(c.var.context.bucket, { moduleId: module.id, name: name.data }, c.req.raw)
  const forEdge = edgeHeaders(lifeOf(c, { ...module, status: 'READY' }), shareTag(module.id))
  const headers = { ...Object.fromEntries(answer.headers), ...forEdge }
  return new Response(answer.body, { status: answer.status, headers })
}

async function answerFile(c: Call<OriginEnv>): Promise<Response> {
  const linkId = c.req.param('moduleId') ?? ''
  const name = SHARED_FILES.find((each) => each === c.req.param('name'))
  if (name === undefined) throw moduleNotFound()
  const [origin = ''] = listOrigins(c.env)
  const { module, text } = await writeSharedFile(c.var.context, { linkId, name, origin, language: wantedBy(c) })
  const head = { 'content-type': typeOfFile(name), etag: await etagOf(text) }
  return c.body(text, 200, { ...edgeHeaders(lifeOf(c, module), shareTag(module.id)), ...head })
}

async function answerPage(c: Call<OriginEnv>, look: Look, missing: Map<string, string>): Promise<Response> {
  const [origin = ''] = listOrigins(c.env)
  const wanted = wantedBy(c)
  const found = await readPageData(c.var.context, { linkId: c.req.param('moduleId') ?? '', look, wanted })
  if ('forwardsTo' in found) {
    const location = look === 'embed' ? embedPath(found.forwardsTo) : sharePath(found.forwardsTo)
    return c.body(null, 302, { location, 'cache-control': 'no-store' })
  }
  const { data, row } = found
  if (data.module === null || row === null) return answerUnread(c, data, missing)
  const tag = tagOfPage(data.module, wanted)
  const back = await findBack(c.var.context, row.id, c.req.param('collectionId'))
  const module = { ...data.module, steps: markOriginal(data.module, tag) }
  const html = writeSharePage(await loadTemplate(c.env, tag), { ...data, module }, { tag, origin, back })
  const forEdge = edgeHeaders(lifeOf(c, row), shareTag(row.id, c.req.param('collectionId')))
  const offer = offerLanguages(data.module)
  const headers = { ...publicPageHeaders(origin, look), ...forEdge, ...offer, etag: await etagOf(html) }
  return new Response(html, { headers })
}

/** Answers with the page that says that there is nothing to show. */
async function answerUnread(c: Call<OriginEnv>, data: SharePageData, missing: Map<string, string>): Promise<Response> {
  const { status, look } = data
  const tag = interfaceOf(wantedBy(c))
  const key = `${look} ${tag}`
  const [origin = ''] = listOrigins(c.env)
  const cachedHtml = status === 404 ? missing.get(key) : undefined
  const html = cachedHtml ?? writeSharePage(await loadTemplate(c.env, tag), data, { tag, origin })
  if (status === 404) missing.set(key, html)
  return new Response(html, { status, headers: { ...publicPageHeaders(origin, look), 'cache-control': 'no-store' } })
}

/** The page that a module is printed from. */
async function answerPrint(c: Call<OriginEnv>, missing: Map<string, string>): Promise<Response> {
  const [origin = ''] = listOrigins(c.env)
  try {
    const linkId = c.req.param('moduleId') ?? ''
    const { module, text } = await writePrint(c.var.context, { linkId, origin, language: wantedBy(c) })
    const forEdge = edgeHeaders(lifeOf(c, module), shareTag(module.id))
    return c.body(text, 200, { ...publicPageHeaders(origin, 'page'), ...forEdge, etag: await etagOf(text) })
  } catch (error) {
    return answerUnread(c, noteUnread(error, 'page'), missing)
  }
}

/** The collection that a learner came from, while it is shared and has the module. */
async function findBack({ db }: Context, moduleId: string, collectionId: string | undefined): Promise<Back | null> {
  if (collectionId === undefined) return null
  try {
    const { id, title, moduleIds } = await getSharedCollection(db, collectionId)
    return moduleIds.includes(moduleId) ? { id, title } : null
  } catch (error) {
    // The module's page is shown without a link back.
    noteUnread(error, 'page')
    return null
  }
}

/** The page of a collection. It has the tags of its modules, so that whatever ends or renames one of them purges it too. */
async function answerCollection(c: Call<OriginEnv>, missing: Map<string, string>): Promise<Response> {
  const [origin = ''] = listOrigins(c.env)
  try {
    const row = await getSharedCollection(c.var.context.db, c.req.param('collectionId') ?? '')
    const members = await readShared(c.var.context, row)
    const html = writeCollectionPage(row, members, { origin, tag: interfaceOf(wantedBy(c)) })
    const forEdge = edgeHeaders(lifeOfAll(c, members), shareTag(row.id, ...row.moduleIds))
    return c.body(html, 200, { ...publicPageHeaders(origin, 'collection'), ...forEdge, etag: await etagOf(html) })
  } catch (error) {
    return answerUnread(c, noteUnread(error, 'page'), missing)
  }
}

/** What a collection has for some words. Counted here, since the edge answers what was asked before. */
async function answerFound(c: Call<OriginEnv>): Promise<Response> {
  const { context } = c.var
  const tag = interfaceOf(wantedBy(c))
  const row = await getSharedCollection(context.db, c.req.param('collectionId') ?? '')
  await checkRateLimit(c.env.TUTOR_MODULE_LIMIT, `collection:${row.id}`, MANY_ASK, QUESTIONS_PERIOD_S)
  const members = await readShared(context, row)
  const found = await searchCollection(context, members, { question: (c.req.param('question') ?? '').slice(1), tag })
  const html = writeFound(found, { collectionId: row.id, tag })
  const [origin = ''] = listOrigins(c.env)
  return c.body(html, 200, {
    ...publicPageHeaders(origin, 'collection'),
    ...edgeHeaders(lifeOfAll(c, members), shareTag(row.id, ...row.moduleIds)),
  })
}

function lifeOf(c: Call<OriginEnv>, { status, linkEndsAt }: Pick<ModuleRow, 'status' | 'linkEndsAt'>): EdgeLife {
  return lifeUntil(c, status === 'PROCESSING' ? AT_WORK_LIFE : c.var.sharedLife, linkEndsAt)
}

/** The life of what shows several modules: until the first of their links ends. */
function lifeOfAll(c: Call<OriginEnv>, members: readonly SharedMember[]): EdgeLife {
  return members.reduce((life, { linkEndsAt }) => lifeUntil(c, life, linkEndsAt), c.var.sharedLife)
}

function lifeUntil(c: Call<OriginEnv>, life: EdgeLife, linkEndsAt: number | null): EdgeLife {
  return linkEndsAt === null ? life : endLife(life, linkEndsAt - c.var.context.nowMs())
}

type PageRead = { data: SharePageData; row: ModuleRow | null } | { forwardsTo: string }

async function readPageData(
  context: Context,
  { linkId, look, wanted }: { linkId: string; look: Look; wanted: LanguageTag | null },
): Promise<PageRead> {
  try {
    const row = await getSharedModule(context, linkId)
    const { module } = await presentShare(context, row, wanted)
    return { data: { module, status: 200, look }, row }
  } catch (error) {
    const forwardsTo = error instanceof AppError ? error.extensions['linkId'] : undefined
    return typeof forwardsTo === 'string' ? { forwardsTo } : { data: noteUnread(error, look), row: null }
  }
}

/** What a page shows of a module that could not be read; logged where it should have been. */
function noteUnread(error: unknown, look: Look): SharePageData {
  const code = error instanceof AppError ? error.code : null
  if (code === 'not_found') return { module: null, status: 404, look }
  if (code === 'link_locked') return { module: null, status: 403, look }
  if (code === 'link_ended' || code === 'link_replaced') return { module: null, status: 410, closed: code, look }
  logLine(isDatabaseAway(error) ? 'warn' : 'error', 'share_unread', faultOf(error))
  return { module: null, status: 503, look }
}

/** The page as it was built, beside the app's own. */
async function loadTemplate(env: Env, tag: InterfaceLanguage): Promise<string> {
  const answer = await env.ASSETS.fetch(`https://assets.local${builtPage('/share', tag)}`)
  return answer.text()
}
