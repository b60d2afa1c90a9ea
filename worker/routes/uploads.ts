import { Hono } from 'hono'
import { CompleteRequest, PresignRequest } from '#contract/upload.ts'
import { openDb } from '#worker/db/db.ts'
import { completeUpload } from '#worker/domain/upload/complete-upload.ts'
import { presignUpload, readUploadConfig } from '#worker/domain/upload/presign-upload.ts'
import { openUploadDeps } from '#worker/domain/upload/receive-upload.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { readJson } from '#worker/http/read-body.ts'
import { requireUser } from '#worker/http/require-user.ts'

export const uploadRoutes = new Hono<AppEnv>()
  .post('/presigned-upload/presigned-url', requireUser, async (c) => {
    const request = await readJson(c, PresignRequest)
    const deps = { db: openDb(c.env.DB), config: readUploadConfig(c.env), nowMs: Date.now() }
    return c.json(await presignUpload(deps, c.var.caller, request))
  })
  .post('/upload/complete', requireUser, async (c) => {
    const request = await readJson(c, CompleteRequest)
    return c.json(await completeUpload(openUploadDeps(c.env), c.var.caller, request))
  })
