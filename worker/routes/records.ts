import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { ExportRequest } from '#contract/records/export-request.ts'
import { ProofRequest } from '#contract/records/proof.ts'
import { CorrectionRequest, ErasureRequest, KeepingRequest, RecordFilter } from '#contract/records/record-list.ts'
import { VersionHash } from '#contract/version.ts'
import { numberedFile } from '#records/export-parts.ts'
import { eraseTrained } from '#worker/domain/account/erase-trained.ts'
import { toRecorded } from '#worker/domain/person/person-store.ts'
import { requireManaged } from '#worker/domain/person/require-team.ts'
import { ensureAccountPerson } from '#worker/domain/person/write-people.ts'
import { correctRecord } from '#worker/domain/record/correct-record.ts'
import { exportRecords } from '#worker/domain/record/export/export-records.ts'
import { listRecords } from '#worker/domain/record/list-records.ts'
import { readProof } from '#worker/domain/record/read-proof.ts'
import { changeKeeping } from '#worker/domain/record/record-keeping.ts'
import { serveRecordPhoto } from '#worker/domain/record/record-photo.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { answerDone, readJson, readParam, readQuery, requireUser } from '#worker/http/request.ts'
import { builtPage, chooseInterface } from '#worker/http/visitor-language.ts'

/** It becomes part of a key of the bucket. */
const PersonId = z.string().regex(/^[\w-]{1,64}$/)

/** The training records of the active organization, for those who manage it. */
export const recordRoutes = new Hono<AppEnv>()
  .use(requireUser)
  .get('/', async (c) => {
    const orgId = requireManaged(c.var.caller)
    return c.json(await listRecords(c.var.context, orgId, readQuery(c, RecordFilter)))
  })
  .get('/export', async (c) => {
    const orgId = requireManaged(c.var.caller)
    const request = readQuery(c, ExportRequest)
    const zip = await exportRecords(c.var.context, { orgId, request, verifyPage: await readVerifyPage(c) })
    // Whether there are several, the first of them knows at its end.
    const filename = request.part === 1 ? 'training-records.zip' : numberedFile(request.part)
    return c.body(zip, 200, {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="${filename}"`,
    })
  })
  .get('/proof', async (c) => {
    const orgId = requireManaged(c.var.caller)
    return c.json(await readProof(c.var.context, orgId, readQuery(c, ProofRequest)))
  })
  .get('/photos/:recordedId/:hash', async (c) => {
    const orgId = requireManaged(c.var.caller)
    const [personId, hash] = [readParam(c, 'recordedId', PersonId), readParam(c, 'hash', VersionHash)]
    return serveRecordPhoto(c.var.context.bucket, { orgId, personId, hash })
  })
  .put('/keeping', async (c) => {
    const { name, ...keeping } = await readJson(c, KeepingRequest)
    const orgId = requireManaged(c.var.caller)
    await changeKeeping(c.var.context, orgId, { ...keeping, by: await recordCaller(c, orgId, name) })
    return answerDone(c)
  })
  .post('/:seq/correction', async (c) => {
    const { name, reason } = await readJson(c, CorrectionRequest)
    const orgId = requireManaged(c.var.caller)
    const seq = readParam(c, 'seq', z.coerce.number().int().min(1))
    await correctRecord(c.var.context, orgId, { seq, reason, by: await recordCaller(c, orgId, name) })
    return answerDone(c)
  })
  .delete('/people/:recordedId', async (c) => {
    const { name } = await readJson(c, ErasureRequest)
    const orgId = requireManaged(c.var.caller)
    const by = await recordCaller(c, orgId, name)
    await eraseTrained(c.var.context, orgId, { personId: c.req.param('recordedId'), by })
    return answerDone(c)
  })

async function recordCaller({ var: { caller, context } }: Context<AppEnv>, orgId: string, name: string) {
  return toRecorded(await ensureAccountPerson(context, orgId, { userId: caller.userId, name }))
}

/** Reads the page that checks exports, in the language of its visitor. */
async function readVerifyPage(c: Context<AppEnv>): Promise<string> {
  const url = new URL(builtPage('/verify', chooseInterface(c)), c.req.url)
  return (await c.env.ASSETS.fetch(url)).text()
}
