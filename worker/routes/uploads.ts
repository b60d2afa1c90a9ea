import { Hono } from 'hono'
import { type ReprocessAnswer, ReprocessRequest } from '#contract/module.ts'
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
import { cancelUpload } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { roomOf } from '#worker/domain/live/publish.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { receiveAudio, signAudio } from '#worker/domain/upload/receive-audio.ts'
import { completeUpload } from '#worker/domain/upload/receive-upload.ts'
import { changeUpload, readUpload, readUploads, recordPart, signParts } from '#worker/domain/upload/send-parts.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { answerDone, getOwn, readJson, readParam, requireUser } from '#worker/http/request.ts'

export const reprocessRoutes = new Hono<AppEnv>().use(requireUser).post('/:moduleId', async (c) => {
  const module = await getOwn(c)
  // A plain client sends nothing at all, though it may say of what type.
  const hasBody = c.req.raw.body !== null && c.req.header('content-length') !== '0'
  const request = hasBody ? await readJson(c, ReprocessRequest) : {}
  const { moduleId, run } = await reprocessModule(c.var.context, module, request)
  return c.json({ success: true, moduleId, run } satisfies ReprocessAnswer)
})

export const uploadRoutes = new Hono<AppEnv>()
  .post('/presigned-upload/presigned-url', requireUser, async (c) => {
    const request = await readJson(c, PresignRequest)
    return c.json(await presignUpload(c.var.context, c.var.caller, request))
  })
  .post('/upload/complete', requireUser, async (c) => {
    const request = await readJson(c, CompleteRequest)
    return c.json(await completeUpload(c.var.context, c.var.caller, request))
  })
  .get('/upload', requireUser, async (c) => c.json(await readUploads(c.var.context.db, c.var.caller)))
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
