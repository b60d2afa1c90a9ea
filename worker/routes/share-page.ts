import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { ImageName } from '#contract/image.ts'
import { findLanguage } from '#contract/languages.ts'
import { COLLECTION_QUESTION_MAX_CHARS } from '#contract/limits.ts'
import { OembedRequest, UnlockRequest } from '#contract/share.ts'
import { SHARED_FILES } from '#contract/share-page.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Db } from '#worker/db/db.ts'
import { fillFound, writeSearchFailed } from '#worker/domain/collection/write-collection.ts'
import { issueLiveTicket } from '#worker/domain/live/ticket.ts'
import { readPersonToken } from '#worker/domain/module/assigned-access.ts'
import { getLinked, getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { isLinkToken, unlockLink } from '#worker/domain/module/link-password.ts'
import { isOpenById, linkIdOf } from '#worker/domain/module/link-state.ts'
import { isModuleId } from '#worker/domain/module/module-id.ts'
import { answerSource, type ByteRange, openSource, Source, servedTag } from '#worker/domain/module/serve-source.ts'
import { readNear } from '#worker/domain/share/read-near.ts'
import { openSharedVideo, type Quality, readShare } from '#worker/domain/share/read-share.ts'
import { describeEmbed, moduleIdOfShareUrl } from '#worker/domain/share/write-page.ts'
import { openLearnerView } from '#worker/domain/version/learner-view.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { LINK } from '#worker/http/call-limits.ts'
import { listOrigins } from '#worker/http/headers.ts'
import { checkRateLimit, limitAsking, limitNetwork } from '#worker/http/limits.ts'
import { findLinkToken, setLinkCookie } from '#worker/http/link-cookie.ts'
import { networkOf } from '#worker/http/network-of.ts'
import { answerDone, readJson, readQuery } from '#worker/http/request.ts'
import {
  askEdge,
  chooseLanguage,
  EDGE_ORIGIN,
  EDGE_STATUS_HEADER,
  LINK_TOKEN_HEADER,
  matchesEtag,
  withoutEdgeHeaders,
} from '#worker/http/share-edge.ts'
import { REQUEST_ID_HEADER } from '#worker/http/trace-request.ts'
import { addLanguageCookie, chooseInterface, listWanted, VARIES } from '#worker/http/visitor-language.ts'
import { createShareOrigin } from './share-origin.ts'

/** The collections that a module's page may lead back to, from the edge. */
const CollectionIds = z.array(z.string())

/** Routes for anyone with the link. */
export const shareRoutes = new Hono<AppEnv>()
  .get('/:moduleId', (c) => answerShare(c, c.req.param('moduleId')))
  .post('/:moduleId/live-ticket', async (c) => {
    const module = await getSharedModule(c.var.context, c.req.param('moduleId'))
    // A finished training rarely changes, so its page gets no socket, which would use up a connection of the room.
    // Nor does one that only its link opens, since a socket is opened by the id of the module.
    if (module.status !== 'PROCESSING' || !isOpenById(module, c.var.context.nowMs()))
      throw new AppError('not_in_progress', 'This training is finished, so there is nothing to wait for.')
    const ticketOptions = { moduleId: module.id, role: 'viewer', caller: null, nowMs: c.var.context.nowMs() } as const
    return c.json(await issueLiveTicket(c.var.context.secrets, ticketOptions))
  })
  .post('/:moduleId/unlock', async (c) => {
    const { password } = await readJson(c, UnlockRequest)
    const module = await getLinked(c.var.context, c.req.param('moduleId'))
    const network = networkOf(c.req.header('cf-connecting-ip'))
    await checkRateLimit(c.env.CAPTIONS_LIMIT, network && `unlock:${module.id}:${network}`, MANY_PASSWORDS)
    const token = await unlockLink(c.var.context, module, password)
    if (token !== null) setLinkCookie(c, linkIdOf(module), token)
    return answerDone(c)
  })

const MANY_PASSWORDS = 'Many passwords were tried from your network just now. Please wait a minute, then try again.'

/** A module as anyone with the link sees it, at most a minute old; one that is being made as it is right now. */
async function answerShare(c: Context<AppEnv>, moduleId: string): Promise<Response> {
  return c.json(
    await readShare({ ...c.var.context, db: await openNear(c, moduleId) }, moduleId, findLanguage(c.req.query('lang'))),
  )
}

/** The database near the visitor; the primary for one who has entered a password, which a copy may not know yet. */
async function openNear(c: Context<AppEnv>, moduleId: string): Promise<Db> {
  const { context } = c.var
  if ((await findOwnToken(c, moduleId)) !== null) return context.db
  const near = await readNear(c.env, { id: moduleId, nowMs: context.nowMs() })
  return near?.db ?? context.db
}

/** How other sites find out how to show a share page (oembed.com). */
export const oembedRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const request = readQuery(c, OembedRequest)
  if (request.format !== 'json') throw new AppError('not_implemented', 'Only the format "json" is there.')
  const origins = listOrigins(c.env)
  const [origin = ''] = origins
  const moduleId = moduleIdOfShareUrl(request.url, origins)
  const near = { ...c.var.context, db: await openNear(c, moduleId) }
  const { module } = await openLearnerView(near, await getSharedModule(near, moduleId))
  return c.json(describeEmbed(module, request, origin))
})

/**
 * A browser revalidates after this time. No other cache may store the response: the cache that can be purged is behind
 * this route.
 */
const BROWSER_KEEPS = 'private, max-age=60'

/** `/share/{id}` is a page for browsers and a route for clients that accept JSON. Hono answers HEAD through GET. */
export const sharePageRoutes = new Hono<AppEnv>()
  .get('/:moduleId', async (c) => {
    const moduleId = c.req.param('moduleId')
    const wantsJson = /\bapplication\/json\b/.test(c.req.header('accept') ?? '')
    // No cache answers these, unlike the page.
    if (wantsJson) await limitNetwork(c, LINK)
    const answer = wantsJson ? await answerShare(c, moduleId) : await passPageOn(c, await chooseSharePage(c, moduleId))
    answer.headers.append('vary', 'accept')
    return answer
  })
  .get('/c/:collectionId', async (c) => {
    const tag = chooseInterface(c)
    const words = readWords(c)
    const page = `/collection/${encodeURIComponent(c.req.param('collectionId'))}`
    const answer = await (words === '' ? passOn : askWithWords)(c, tag === 'en' ? page : `${page}/${tag}`)
    addLanguageCookie(c, answer.headers)
    answer.headers.append('vary', VARIES)
    return answer
  })
  .get('/c/:collectionId/found', async (c) => {
    const words = readWords(c)
    const answer = words === '' ? c.body('', 200, { 'content-type': 'text/html; charset=utf-8' }) : await askForWords(c)
    answer.headers.append('vary', VARIES)
    return answer
  })
  .get('/:moduleId/print', (c) =>
    passLinkOn(c, `/print/${encodeURIComponent(c.req.param('moduleId'))}${askedLanguage(c)}`),
  )
  .get('/:moduleId/video', (c) => answerVideo(c, c.req.param('moduleId'), 'original'))
  .get('/:moduleId/video/small', (c) => answerVideo(c, c.req.param('moduleId'), 'small'))
  .get('/:moduleId/images/:name', (c) => {
    const { moduleId, name } = c.req.param()
    if (!ImageName.safeParse(name).success) throw moduleNotFound()
    return passFileOn(c, `/images/${encodeURIComponent(moduleId)}/${encodeURIComponent(name)}`)
  })

for (const name of SHARED_FILES) {
  sharePageRoutes.get(`/:moduleId/${name}`, (c) =>
    passFileOn(c, `/files/${encodeURIComponent(c.req.param('moduleId') ?? '')}/${name}${askedLanguage(c)}`),
  )
}

/** The same for other people's pages, in a frame. */
export const embedRoutes = new Hono<AppEnv>().get('/:moduleId', (c) =>
  passPageOn(c, `/embed/${encodeURIComponent(c.req.param('moduleId'))}`),
)

/**
 * The page of a module, which leads back to the collection that its address names where that has the module. Any other
 * collection gets the page without one, so that invented ids find what the edge has.
 */
async function chooseSharePage(c: Context<AppEnv>, moduleId: string): Promise<string> {
  const page = `/share/${encodeURIComponent(moduleId)}`
  const collectionId = c.req.query('collection') ?? ''
  if (!isModuleId(collectionId)) return page
  const answer = await askForLink(c, moduleId, `/collections-of/${encodeURIComponent(moduleId)}`)
  const ids = answer.ok ? CollectionIds.parse(await answer.json()) : []
  if (!answer.ok) await answer.body?.cancel()
  return ids.includes(collectionId) ? `${page}/from/${collectionId}` : page
}

/** What is asked of a collection: one text for all ways to write it, so that the edge has it. */
function readWords(c: Context<AppEnv>): string {
  const text = (c.req.query('q') ?? '').slice(0, COLLECTION_QUESTION_MAX_CHARS)
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
}

/** What a collection has for the words of the address. */
async function askForWords(c: Context<AppEnv>): Promise<Response> {
  const collectionId = c.req.param('collectionId') ?? ''
  await limitAsking(c, collectionId)
  // Behind a mark: two points alone would name the folder above.
  const path = [collectionId, chooseInterface(c), `~${readWords(c)}`].map(encodeURIComponent).join('/')
  return passOn(c, `/found/${path}`)
}

/** The same as HTML; where very much is asked, or it cannot be read, a sentence that says so. */
async function writeFoundWords(c: Context<AppEnv>): Promise<string> {
  try {
    const found = await askForWords(c)
    if (found.ok) return await found.text()
    await found.body?.cancel()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return writeSearchFailed(chooseInterface(c))
}

/** The page of a collection with what it has for the words of the address. */
async function askWithWords(c: Context<AppEnv>, path: string): Promise<Response> {
  const found = await writeFoundWords(c)
  const page = await askEdge(c.executionCtx, path)
  const headers = withoutEdgeHeaders(page.headers)
  for (const name of ['etag', 'content-length']) headers.delete(name)
  const html = fillFound(await page.text(), c.req.query('q') ?? '', found)
  return new Response(html, { status: page.status, headers })
}

/** Returns the language of the address as the end of the edge's own path. */
function askedLanguage(c: Context<AppEnv>): string {
  const tag = findLanguage(c.req.query('lang'))
  return tag === null ? '' : `/${tag}`
}

/**
 * A page in the visitor's language: the one that the address asks for, which is kept, else the one that was kept, else
 * those of the browser. The original comes first, because it says which others there are, and most pages have none.
 */
async function passPageOn(c: Context<AppEnv>, path: string): Promise<Response> {
  const queryLanguage = findLanguage(c.req.query('lang'))
  if (queryLanguage !== null) {
    const answer = await passLinkOn(c, `${path}/${queryLanguage}`)
    addLanguageCookie(c, answer.headers)
    return answer
  }
  const original = await askForLink(c, linkIdIn(c), path)
  const chosen = chooseLanguage(original.headers, listWanted(c))
  if (chosen !== null) await original.body?.cancel()
  const answer = chosen === null ? await passAnswer(c, original) : await passLinkOn(c, `${path}/${chosen}`)
  answer.headers.append('vary', VARIES)
  return answer
}

/** Passes on the edge's answer, or 304 if the browser has the same version. */
async function passOn(c: Context<AppEnv>, path: string): Promise<Response> {
  return passAnswer(c, await askEdge(c.executionCtx, path))
}

/** The same of what a link opens, which may have a password. */
async function passLinkOn(c: Context<AppEnv>, path: string): Promise<Response> {
  return passAnswer(c, await askForLink(c, linkIdIn(c), path))
}

function linkIdIn(c: Context<AppEnv>): string {
  return c.req.param('moduleId') ?? ''
}

/** The visitor's token of a link, as far as we have signed it; null without, as for every link without a password. */
async function findOwnToken(c: Context<AppEnv>, linkId: string): Promise<string | null> {
  const token = findLinkToken(c, linkId)
  return token !== null && (await isLinkToken(c.var.context, token, linkId)) ? token : null
}

/** The routes behind the edge without the edge, for visitors who have entered a password: no cache has what they get. */
const uncachedRoutes = createShareOrigin()

/** What a link answers that is not open to anyone. */
const CLOSED: readonly number[] = [403, 404, 410]

/**
 * Asks through the cache, or past it for a visitor who has unlocked the link. Where it is closed, it is asked once more for
 * the person whose device this is, to whom the training may be assigned.
 */
async function askForLink(c: Context<AppEnv>, linkId: string, path: string): Promise<Response> {
  const token = await findOwnToken(c, linkId)
  if (token !== null) return askUncached(c, token, path)
  const answer = await askEdge(c.executionCtx, path)
  const { personToken = null } = c.var.context
  if (!CLOSED.includes(answer.status) || personToken === null) return answer
  if ((await readPersonToken(c.var.context)) === null) return answer
  const own = await askUncached(c, personToken, path)
  const [shown, dropped] = own.ok ? [own, answer] : [answer, own]
  await dropped.body?.cancel()
  return shown
}

/** No cache keeps what was answered to one visitor. */
const OWN_ANSWER = 'private, no-store'

async function askUncached(c: Context<AppEnv>, token: string, path: string): Promise<Response> {
  const headers = { [LINK_TOKEN_HEADER]: token, [REQUEST_ID_HEADER]: c.var.requestId }
  const answer = await uncachedRoutes.fetch(new Request(`${EDGE_ORIGIN}${path}`, { headers }), c.env, c.executionCtx)
  const ownHeaders = new Headers(answer.headers)
  ownHeaders.set('cache-control', OWN_ANSWER)
  return new Response(answer.body, { status: answer.status, headers: ownHeaders })
}

async function passAnswer(c: Context<AppEnv>, answer: Response): Promise<Response> {
  const headers = withoutEdgeHeaders(answer.headers)
  headers.set(EDGE_STATUS_HEADER, headers.get('cf-cache-status') ?? 'none')
  // A replaced link that forwards: a second of the video, or a language, goes along.
  const location = headers.get('location')
  if (location !== null) headers.set('location', `${location}${new URL(c.req.url).search}`)
  const isSame = answer.ok && matchesEtag(c.req.header('if-none-match') ?? null, headers.get('etag'))
  if (!isSame) return new Response(answer.body, { status: answer.status, headers })
  await answer.body?.cancel()
  headers.delete('content-length')
  return new Response(null, { status: 304, headers })
}

/** The same for a file that a page shows. */
async function passFileOn(c: Context<AppEnv>, path: string): Promise<Response> {
  const answer = await passLinkOn(c, path)
  if (answer.ok || answer.status === 304) answer.headers.set('cache-control', BROWSER_KEEPS)
  return answer
}

async function answerVideo(c: Context<AppEnv>, moduleId: string, quality: Quality): Promise<Response> {
  const grant = await askForGrant(c, moduleId, quality)
  const path = `/video/${placeOf(moduleId, quality)}/${encodeURIComponent(servedTag(grant))}`
  let edgeStatus = 'none'
  const askVideo = async (range: string | null) => {
    const edgeAnswer = await askEdge(c.executionCtx, path, range === null ? {} : { range })
    edgeStatus = edgeAnswer.headers.get('cf-cache-status') ?? 'none'
    return edgeAnswer
  }
  const keepAlive = (work: Promise<unknown>) => c.executionCtx.waitUntil(work)
  const places = { askEdge: askVideo, bucket: c.var.context.bucket, keepAlive }
  const open = (range: ByteRange | null) =>
    grant.isPublic ? openSharedVideo(places, grant, range) : openSource(c.var.context.bucket, grant, range)
  const answer = await answerSource(grant, c.req.raw, open)
  answer.headers.set('cache-control', BROWSER_KEEPS)
  answer.headers.set(EDGE_STATUS_HEADER, edgeStatus)
  return answer
}

function placeOf(moduleId: string, quality: Quality): string {
  return encodeURIComponent(moduleId) + (quality === 'small' ? '/small' : '')
}

/** What may be watched, and whether anyone may: what is one visitor's own is not taken out of the cache. */
async function askForGrant(
  c: Context<AppEnv>,
  moduleId: string,
  quality: Quality,
): Promise<Source & { isPublic: boolean }> {
  const answer = await askForLink(c, moduleId, `/grant/${placeOf(moduleId, quality)}`)
  const isPublic = answer.headers.get('cache-control') !== OWN_ANSWER
  if (answer.ok) return { ...Source.parse(await answer.json()), isPublic }
  await answer.body?.cancel()
  if (answer.status < 500) throw moduleNotFound()
  throw new AppError('unavailable', 'The video cannot be played right now. Please try again in a moment.')
}
