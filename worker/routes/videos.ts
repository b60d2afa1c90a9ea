import { type Context, Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { ImageName, ImageQuery, maxBytesOf } from '#contract/image.ts'
import { seesDraft, type VideoUrlAnswer } from '#contract/module.ts'
import { sharedVideoPath } from '#contract/share-page.ts'
import { type SmallCopiesAnswer, SmallCopyArrived, SmallCopyRequest } from '#contract/small-copy.ts'
import {
  AudioArrived,
  AudioUrlsRequest,
  CompleteRequest,
  PartArrived,
  PartNumber,
  PartUrlsRequest,
  PresignRequest,
  UploadPatch,
} from '#contract/upload.ts'
import { saveImage, serveImage } from '#worker/domain/image/image.ts'
import { cancelUpload } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import {
  currentRoleOf,
  issueVideoTicket,
  mediaPath,
  readTicket,
  type Ticket,
  VIDEO_TICKET_TTL_MS,
  videoPath,
} from '#worker/domain/live/ticket.ts'
import { getSharedModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { asLearnersSee } from '#worker/domain/module/learner-source.ts'
import { isOpenById } from '#worker/domain/module/link-state.ts'
import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { getSource, serveSource } from '#worker/domain/module/serve-source.ts'
import { getSmallSource } from '#worker/domain/module/small-copy.ts'
import { requireSameVideo } from '#worker/domain/module/video-id.ts'
import { forgetShareSoon } from '#worker/domain/share/forget-share.ts'
import { completeUpload } from '#worker/domain/upload/complete-upload.ts'
import { presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { receiveAudio, signAudio } from '#worker/domain/upload/receive-audio.ts'
import { receiveSmallCopy, signSmallCopy } from '#worker/domain/upload/receive-small-copy.ts'
import { changeUpload, readUpload, readUploads, recordPart, signParts } from '#worker/domain/upload/upload-parts.ts'
import { listAwaitingCopy, requireCopySender } from '#worker/domain/version/copy-right.ts'
import { recordEditor } from '#worker/domain/version/review-store.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import {
  answerDone,
  getEdited,
  getOpen,
  getOwn,
  readBytes,
  readJson,
  readParam,
  readQuery,
  requireUser,
} from '#worker/http/request.ts'

/** How the bytes of a video come. */
export const uploadRoutes = new Hono<AppEnv>()
  .post('/presigned-upload/presigned-url', requireUser, async (c) => {
    const request = await readJson(c, PresignRequest)
    return c.json(await presignUpload(c.var.context, c.var.caller, request))
  })
  .post('/upload/complete', requireUser, async (c) => {
    const request = await readJson(c, CompleteRequest)
    return c.json(await completeUpload(c.var.context, c.var.caller, request))
  })
  .get('/upload', requireUser, async (c) => c.json(await readUploads(c.var.context, c.var.caller)))
  .get('/upload/:moduleId', requireUser, async (c) =>
    c.json(await readUpload(c.var.context.db, c.var.caller, c.req.param('moduleId'))),
  )
  .patch('/upload/:moduleId', requireUser, async (c) => {
    const patch = { ...(await readJson(c, UploadPatch)), moduleId: c.req.param('moduleId') }
    return c.json(await changeUpload(c.var.context, c.var.caller, patch))
  })
  .delete('/upload/:moduleId', requireUser, async (c) => {
    const moduleId = c.req.param('moduleId')
    await cancelUpload(c.var.context, c.var.caller, moduleId)
    await roomOf(c.var.context, moduleId).endWatching()
    return answerDone(c)
  })
  .post('/upload/:moduleId/part-urls', requireUser, async (c) => {
    const request = { ...(await readJson(c, PartUrlsRequest)), moduleId: c.req.param('moduleId') }
    return c.json(await signParts(c.var.context, c.var.caller, request))
  })
  .put('/upload/:moduleId/parts/:part', requireUser, async (c) => {
    const part = readParam(c, 'part', PartNumber)
    const arrived = { ...(await readJson(c, PartArrived)), moduleId: c.req.param('moduleId'), part }
    return c.json(await recordPart(c.var.context, c.var.caller, arrived))
  })
  .post('/upload/:moduleId/audio-urls', requireUser, async (c) => {
    const request = { ...(await readJson(c, AudioUrlsRequest)), moduleId: c.req.param('moduleId') }
    return c.json(await signAudio(c.var.context, c.var.caller, request))
  })
  .post('/upload/:moduleId/audio', requireUser, async (c) => {
    const arrived = { ...(await readJson(c, AudioArrived)), moduleId: c.req.param('moduleId') }
    return c.json(await receiveAudio(c.var.context, c.var.caller, arrived))
  })

/** An image of a module's video, sent by the browser of an owner, or of a step by that of an editor. */
export const imageRoutes = new Hono<AppEnv>().put('/:moduleId/images/:name', requireUser, async (c) => {
  const name = readParam(c, 'name', ImageName)
  const { videoId } = readQuery(c, ImageQuery)
  // The poster stands for the whole training, and is of no version.
  const module = await (name === 'poster' ? getOwn(c) : getEdited(c))
  requireSameVideo(module, videoId)
  const bytes = await readBytes(c, maxBytesOf(name))
  const isOther = await saveImage(c.var.context, module, { name, bytes })
  // Each owner's browser fills in what is missing by itself.
  if (isOther) await recordEditor(c.var.context.d1, module.id, c.var.caller.userId)
  // The edge keeps the page of a module in progress for seconds only.
  if (name === 'poster' && module.status !== 'PROCESSING') await forgetShareSoon(c.var.context, module.id)
  return answerDone(c)
})

/** The small copy of a module's video, made by its owner's browser. */
export const smallCopyRoutes = new Hono<AppEnv>()
  // No module has an id as short as this.
  .get('/small-copies', requireUser, async (c) => {
    const modules = await listAwaitingCopy(c.var.context, c.var.caller)
    return c.json({ success: true, modules } satisfies SmallCopiesAnswer)
  })
  .post('/:moduleId/small-copy', requireUser, async (c) => {
    const request = await readJson(c, SmallCopyRequest)
    const module = await getOwn(c)
    await requireCopySender(c.var.context, module, c.var.caller)
    return c.json(await signSmallCopy(c.var.context, module, request))
  })
  .put('/:moduleId/small-copy', requireUser, async (c) => {
    const arrived = await readJson(c, SmallCopyArrived)
    const module = await getOwn(c)
    const answer = await receiveSmallCopy(c.var.context, module, { arrived, caller: c.var.caller })
    await forgetShareSoon(c.var.context, module.id)
    return c.json(answer)
  })

/** Holds a person's newest ticket for one module's video, and is sent to that module's media only. */
const MEDIA_COOKIE = 'adapt_media'

/** Three addresses of one answer: two for signed-in people, and the bare one for anyone with the link. */
export const videoUrlRoutes = new Hono<AppEnv>()
  .on('GET', ['/module/:moduleId', '/url/:moduleId'], requireUser, async (c) => {
    const { module, role } = await getOpen(c)
    return answerUrl(c, module, { role, caller: c.var.caller })
  })
  .get('/:moduleId', async (c) => {
    const linkId = c.req.param('moduleId')
    const module = await getSharedModule(c.var.context, linkId)
    // A ticket is of the module; the page's own address knows the password.
    if (!isOpenById(module, c.var.context.nowMs()))
      return c.json({ success: true, url: sharedVideoPath(linkId) } satisfies VideoUrlAnswer)
    return answerUrl(c, module, { role: 'viewer', caller: null })
  })

type Whose = Pick<Parameters<typeof issueVideoTicket>[1], 'role' | 'caller'>

async function answerUrl(c: Context<AppEnv>, { id, sourceEtag }: ModuleRow, whose: Whose): Promise<Response> {
  if (sourceEtag === null) throw moduleNotFound()
  const ticket = await issueVideoTicket(c.var.context.secrets, { moduleId: id, ...whose, nowMs: c.var.context.nowMs() })
  // A player keeps its address, since another one would interrupt it; the ticket beside the address is renewed.
  if (whose.caller !== null)
    setCookie(c, MEDIA_COOKIE, ticket, {
      path: mediaPath(id),
      maxAge: VIDEO_TICKET_TTL_MS / 1000,
      httpOnly: true,
      sameSite: 'Strict',
      secure: new URL(c.req.url).protocol === 'https:',
    })
  return c.json({ success: true, url: videoPath(id, ticket) } satisfies VideoUrlAnswer)
}

/** What a page shows by address, with a ticket for it. Hono answers HEAD through GET. */
export const mediaRoutes = new Hono<AppEnv>()
  .get('/:moduleId/video', async (c) => {
    const module = await findTicketed(c, ['video'], c.req.param('moduleId'))
    return serveSource(c.var.context.bucket, getSource(module), c.req.raw)
  })
  .get('/:moduleId/video/small', async (c) => {
    const module = await findTicketed(c, ['video'], c.req.param('moduleId'))
    return serveSource(c.var.context.bucket, getSmallSource(module), c.req.raw)
  })
  .get('/:moduleId/images/:name', async (c) => {
    const { moduleId, name } = c.req.param()
    await findTicketed(c, name === 'poster' ? ['poster', 'images'] : ['images'], moduleId)
    return serveImage(c.var.context.bucket, { moduleId, name }, c.req.raw)
  })

async function findTicketed(
  c: Context<AppEnv>,
  kinds: readonly Ticket['kind'][],
  moduleId: string,
): Promise<ModuleRow> {
  const { secrets, nowMs, db } = c.var.context
  const expected = { moduleId, nowMs: nowMs() }
  // The ticket of the address or, once that has expired, the one that the page has renewed meanwhile.
  const ticket =
    (await readTicket(secrets, c.req.query('ticket') ?? '', { ...expected, kinds })) ??
    (await readTicket(secrets, getCookie(c, MEDIA_COOKIE) ?? '', { ...expected, kinds: ['video'] }))
  const module = ticket === null ? null : await findModule(db, moduleId)
  if (ticket === null || module === null) throw moduleNotFound()
  const role = await currentRoleOf(c.var.context, ticket, module)
  if (role === null) throw moduleNotFound()
  return seesDraft(role) ? module : asLearnersSee(module)
}
