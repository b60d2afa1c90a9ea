import { Hono } from 'hono'
import type { Done } from '#contract/module.ts'
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
import { cancelUpload } from '#worker/domain/lifecycle/cancel-upload.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { completeUpload } from '#worker/domain/upload/complete-upload.ts'
import { presignUpload } from '#worker/domain/upload/presign-upload.ts'
import { readUpload, readUploads } from '#worker/domain/upload/read-uploads.ts'
import { receiveAudio, signAudio } from '#worker/domain/upload/receive-audio.ts'
import { openUploadDeps } from '#worker/domain/upload/receive-upload.ts'
import { recordPart, signParts } from '#worker/domain/upload/send-parts.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson } from '#worker/http/read-body.ts'
import { readParam } from '#worker/http/read-param.ts'
import { requireUser } from '#worker/http/require-user.ts'

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
