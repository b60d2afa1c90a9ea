import { Hono } from 'hono'
import { type Done, type ReprocessAnswer, ReprocessRequest } from '#contract/module.ts'
import {
  AudioArrived,
  AudioUrlsRequest,
  CompleteRequest,
  PartArrived,
  PartNumber,
  PartUrlsRequest,
  PresignRequest,
} from '#contract/upload.ts'
import { openDb } from '#worker/db/db.ts'
import { cancelUpload } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { getOwnModule, moduleNotFound } from '#worker/domain/module/get-module.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { openRunDeps } from '#worker/domain/run/run-deps.ts'
import { presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { receiveAudio, signAudio } from '#worker/domain/upload/receive-audio.ts'
import { completeUpload, openUploadDeps } from '#worker/domain/upload/receive-upload.ts'
import { readUpload, readUploads, recordPart, signParts } from '#worker/domain/upload/send-parts.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson, readParam, requireUser } from '#worker/http/request.ts'

export const reprocessRoutes = new Hono<AppEnv>().use(requireUser).post('/:moduleId', async (c) => {
  const deps = openRunDeps(c.env)
  const module = await getOwnModule(deps.db, c.var.caller, c.req.param('moduleId'))
  const request = hasBody(c.req.raw) ? await readJson(c, ReprocessRequest) : {}
  const { moduleId, run } = await reprocessModule(deps, module, request)
  return c.json({ success: true, moduleId, run } satisfies ReprocessAnswer)
})

/** A plain client sends nothing at all, though it may say of what type. */
function hasBody(request: Request): boolean {
  return request.body !== null && request.headers.get('content-length') !== '0'
}

export const uploadRoutes = new Hono<AppEnv>()
  .post('/presigned-upload/presigned-url', requireUser, async (c) => {
    const request = await readJson(c, PresignRequest)
    const deps = { ...openUploadDeps(c.env), nowMs: Date.now() }
    return c.json(await presignUpload(deps, c.var.caller, request))
  })
  .post('/upload/complete', requireUser, async (c) => {
    const request = await readJson(c, CompleteRequest)
    return c.json(await completeUpload(openUploadDeps(c.env), c.var.caller, request))
  })
  .get('/upload', requireUser, async (c) => c.json(await readUploads(openDb(c.env.DB), c.var.caller)))
  .get('/upload/:moduleId', requireUser, async (c) =>
    c.json(await readUpload(openDb(c.env.DB), c.var.caller, c.req.param('moduleId'))),
  )
  .delete('/upload/:moduleId', requireUser, async (c) => {
    const moduleId = c.req.param('moduleId')
    if (!(await cancelUpload(openUploadDeps(c.env), c.var.caller, moduleId))) throw moduleNotFound()
    await c.env.MODULE_ROOM.get(c.env.MODULE_ROOM.idFromName(moduleId)).endWatching()
    return c.json({ success: true } satisfies Done)
  })
  .post('/upload/:moduleId/part-urls', requireUser, async (c) => {
    const request = { ...(await readJson(c, PartUrlsRequest)), moduleId: c.req.param('moduleId') }
    return c.json(await signParts(openUploadDeps(c.env), c.var.caller, request))
  })
  .put('/upload/:moduleId/parts/:part', requireUser, async (c) => {
    const part = readParam(c, 'part', PartNumber)
    const arrived = { ...(await readJson(c, PartArrived)), moduleId: c.req.param('moduleId'), part }
    return c.json(await recordPart(openUploadDeps(c.env), c.var.caller, arrived))
  })
  .post('/upload/:moduleId/audio-urls', requireUser, async (c) => {
    const request = { ...(await readJson(c, AudioUrlsRequest)), moduleId: c.req.param('moduleId') }
    return c.json(await signAudio(openUploadDeps(c.env), c.var.caller, request))
  })
  .post('/upload/:moduleId/audio', requireUser, async (c) => {
    const arrived = { ...(await readJson(c, AudioArrived)), moduleId: c.req.param('moduleId') }
    return c.json(await receiveAudio(openUploadDeps(c.env), c.var.caller, arrived))
  })
