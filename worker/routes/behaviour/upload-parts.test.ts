// Behaviour: uploads in parts: addresses, completion, cancelling.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { UPLOAD_PART_BYTES } from '#contract/limits.ts'
import { Done, ModuleListAnswer } from '#contract/module.ts'
import { CompleteAnswer, PresignAnswer, UploadAnswer, UploadListAnswer, UrlsAnswer } from '#contract/upload.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { MP4_BEGINNING } from '#media/testing/mp4-beginning.ts'
import { openDb } from '#worker/db/db.ts'
import { cancelUpload } from '#worker/domain/lifecycle/module-lifecycle.ts'
import { isSourceKnown } from '#worker/domain/module/deleted-store.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { handleUploadCreated } from '#worker/domain/upload/handle-upload-created.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const PRESIGN = '/api/presigned-upload/presigned-url'
const COMPLETE = '/api/upload/complete'
const SIZE = 2 * UPLOAD_PART_BYTES + 1000
const DB = openDb(env.DB)
const DAY = 24 * 60 * 60_000

/** An MP4 file as far as `complete` looks at it. */
function fileBytes(): Uint8Array {
  const bytes = new Uint8Array(SIZE)
  bytes.set(MP4_BEGINNING)
  return bytes
}

interface Sending {
  as: string
  moduleId: string
  key: string
}

async function begin(as = `user_${crypto.randomUUID()}`): Promise<Sending> {
  const json = {
    filename: 'long.mp4',
    contentType: 'video/mp4',
    sizeBytes: SIZE,
    multipart: true,
    fingerprint: 'long.mp4/1',
  }
  const { moduleId, key, multipart } = await answerOf(PresignAnswer, PRESIGN, { as, json })
  expect(multipart).toEqual({ partBytes: UPLOAD_PART_BYTES, partCount: 3 })
  return { as, moduleId, key }
}

/** Puts a part as a signed address would. */
async function put({ moduleId, key }: Sending, part: number): Promise<{ etag: string; sizeBytes: number }> {
  const uploadId = (await findModule(DB, moduleId))?.uploadId ?? ''
  const bytes = fileBytes().subarray((part - 1) * UPLOAD_PART_BYTES, part * UPLOAD_PART_BYTES)
  const { etag } = await env.MEDIA.resumeMultipartUpload(key, uploadId).uploadPart(part, bytes)
  return { etag, sizeBytes: bytes.byteLength }
}

async function send(to: Sending, ...parts: number[]): Promise<void> {
  for (const part of parts) {
    const json = await put(to, part)
    await answerOf(Done, `/api/upload/${to.moduleId}/parts/${part}`, { as: to.as, method: 'PUT', json })
  }
}

function moduleOf({ moduleId }: Sending) {
  return findModule(DB, moduleId)
}

function complete({ as, moduleId, key }: Sending) {
  return answerOf(CompleteAnswer, COMPLETE, { as, json: { moduleId, key } })
}

function refusedComplete({ as, moduleId, key }: Sending) {
  return problemOf(COMPLETE, { as, json: { moduleId, key } })
}

describe('an upload in parts', () => {
  it('is refused without a size, or when it is too large', async () => {
    const json = { filename: 'a.mp4', contentType: 'video/mp4', multipart: true }
    expect((await problemOf(PRESIGN, { as: 'user_owner', json })).code).toBe('invalid_request')
    const large = { ...json, sizeBytes: 3 * 1024 ** 3 }
    expect((await problemOf(PRESIGN, { as: 'user_owner', json: large })).code).toBe('payload_too_large')
  })

  it('has no address for the whole file beside those of its parts, which would take it twice', {
    tags: 'attack-68',
  }, async () => {
    const json = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes: SIZE }
    const uploadOf = async (more: object) =>
      (await answerOf(PresignAnswer, PRESIGN, { as: 'user_once', json: { ...json, ...more } })).uploadUrl
    expect(await uploadOf({ multipart: true })).toBe('')
    expect(await uploadOf({})).toContain('X-Amz-Signature')
  })

  it('signs an address for each part, as often as it is asked', { tags: ['fault-4', 'attack-5'] }, async () => {
    const to = await begin()
    const path = `/api/upload/${to.moduleId}/part-urls`
    const { urls } = await answerOf(UrlsAnswer, path, { as: to.as, json: { parts: [3, 1] } })
    expect(urls.map(({ number }) => number)).toEqual([3, 1])
    const url = new URL(urls[0]?.url ?? '')
    const uploadId = (await moduleOf(to))?.uploadId
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      partNumber: '3',
      uploadId,
      'X-Amz-Expires': '900',
      'X-Amz-SignedHeaders': 'content-length;host',
    })
    expect(url.pathname).toContain(to.key)
    for (const part of [0, 4]) {
      const refused = await problemOf(path, { as: to.as, json: { parts: [part] } })
      expect(refused.code).toBe('invalid_request')
    }
  })

  it('is listed from its first part on, with how much has arrived', async () => {
    const to = await begin()
    const modules = () => answerOf(ModuleListAnswer, '/api/modules', { as: to.as })
    expect((await modules()).modules).toEqual([])
    await send(to, 2)
    expect((await modules()).modules).toMatchObject([
      { id: to.moduleId, status: 'PROCESSING', message: 'Uploading video', hasVideo: false, uploadPercent: 49 },
    ])
    await send(to, 2, 1)
    expect((await modules()).modules).toMatchObject([{ uploadPercent: 99 }])
  })

  it('lists the parts that have arrived for a browser that comes back', { tags: 'fault-2' }, async () => {
    const to = await begin()
    await send(to, 3, 1)
    const { upload } = await answerOf(UploadAnswer, `/api/upload/${to.moduleId}`, { as: to.as })
    expect(upload).toMatchObject({ key: to.key, filename: 'long.mp4', sizeBytes: SIZE, fingerprint: 'long.mp4/1' })
    expect(upload.parts.map(({ part, sizeBytes }) => [part, sizeBytes])).toEqual([
      [1, UPLOAD_PART_BYTES],
      [3, 1000],
    ])
    const newer = await begin(to.as)
    const { uploads } = await answerOf(UploadListAnswer, '/api/upload', { as: to.as })
    expect(uploads.map(({ moduleId }) => moduleId)).toEqual([newer.moduleId, to.moduleId])
    await send(to, 2)
    await complete(to)
    const left = await answerOf(UploadListAnswer, '/api/upload', { as: to.as })
    expect(left.uploads.map(({ moduleId }) => moduleId)).toEqual([newer.moduleId])
    expect((await problemOf(`/api/upload/${to.moduleId}`, { as: to.as })).status).toBe(404)
  })

  it('refuses a part that the file does not have, and one of another length', async () => {
    const to = await begin()
    const record = (part: number | string, sizeBytes: number) =>
      problemOf(`/api/upload/${to.moduleId}/parts/${part}`, {
        as: to.as,
        method: 'PUT',
        json: { etag: 'x', sizeBytes },
      })
    for (const part of [0, 4, 1.5, 'x']) expect((await record(part, 1000)).code).toBe('invalid_request')
    expect((await record(1, 1000)).code).toBe('invalid_request')
    expect((await moduleOf(to))?.receivedAt).toBeNull()
  })

  it('refuses a part without its ETag', { tags: 'fault-7' }, async () => {
    const to = await begin()
    const path = `/api/upload/${to.moduleId}/parts/1`
    const json = { etag: '', sizeBytes: UPLOAD_PART_BYTES }
    expect((await problemOf(path, { as: to.as, method: 'PUT', json })).code).toBe('invalid_request')
  })

  it('becomes one object with complete, which may be called twenty times at once', { tags: 'fault-8' }, async () => {
    const to = await begin()
    await send(to, 2, 3, 1)
    const answers = await Promise.all(Array.from({ length: 20 }, () => complete(to)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const object = await env.MEDIA.head(to.key)
    expect(object?.size).toBe(SIZE)
    expect(await moduleOf(to)).toMatchObject({ run: 1, sourceEtag: object?.etag, uploadId: null })
  })

  it('is complete although the worker that completed it in R2 broke off before the commit', {
    tags: 'fault-10',
  }, async () => {
    const to = await begin()
    await send(to, 1, 2)
    const { etag } = await put(to, 3)
    await answerOf(Done, `/api/upload/${to.moduleId}/parts/3`, {
      as: to.as,
      method: 'PUT',
      json: { etag: `"${etag}"`, sizeBytes: 1000 },
    })
    const { parts } = (await answerOf(UploadAnswer, `/api/upload/${to.moduleId}`, { as: to.as })).upload
    const uploadId = (await moduleOf(to))?.uploadId ?? ''
    const whole = parts.map((each) => ({ partNumber: each.part, etag: each.etag }))
    await env.MEDIA.resumeMultipartUpload(to.key, uploadId).complete(whole)
    await complete(to)
    expect(await moduleOf(to)).toMatchObject({ run: 1, sourceSizeBytes: SIZE })
  })

  it('can be planned for another file until the first part of it has arrived', async () => {
    const to = await begin()
    const path = `/api/upload/${to.moduleId}`
    const change = (sizeBytes: number) => ({ as: to.as, method: 'PATCH', json: { sizeBytes, fingerprint: 'made.mp4' } })
    const { upload } = await answerOf(UploadAnswer, path, change(UPLOAD_PART_BYTES + 1))
    expect(upload).toMatchObject({ sizeBytes: UPLOAD_PART_BYTES + 1, fingerprint: 'made.mp4', plan: { partCount: 2 } })
    expect((await answerOf(UploadAnswer, path, change(SIZE))).upload.plan.partCount).toBe(3)
    expect((await problemOf(path, change(3 * 1024 ** 3))).code).toBe('payload_too_large')
    await send(to, 1)
    expect((await problemOf(path, change(SIZE))).code).toBe('version_conflict')
    await send(to, 2, 3)
    await complete(to)
    expect(await moduleOf(to)).toMatchObject({ run: 1, sourceSizeBytes: SIZE })
    expect((await problemOf(path, change(SIZE))).status).toBe(404)
  })

  it('names the parts that are missing', async () => {
    const to = await begin()
    await send(to, 2)
    const problem = await refusedComplete(to)
    expect(problem).toMatchObject({ status: 409, code: 'upload_missing' })
    expect(problem.detail).toContain('2 of 3 parts of the video have not arrived yet (1, 3)')
    expect(await moduleOf(to)).toMatchObject({ run: 0, sourceEtag: null })
  })

  it('can be sent again when the recorded parts are not those of the bucket', { tags: 'fault-7' }, async () => {
    const to = await begin()
    await send(to, 1, 2)
    await put(to, 3)
    const path = `/api/upload/${to.moduleId}/parts/3`
    await answerOf(Done, path, { as: to.as, method: 'PUT', json: { etag: 'other', sizeBytes: 1000 } })
    expect((await refusedComplete(to)).detail).toContain('do not fit together')
    expect((await answerOf(UploadAnswer, `/api/upload/${to.moduleId}`, { as: to.as })).upload.parts).toEqual([])
    await send(to, 1, 2, 3)
    await complete(to)
    expect(await moduleOf(to)).toMatchObject({ run: 1 })
  })

  it('is put together by the sweep when the tab was closed after the last part', { tags: 'fault-9' }, async () => {
    const to = await begin()
    await send(to, 1, 2)
    await sweepHere(openDriver().deps)
    expect(await moduleOf(to)).toMatchObject({ run: 0, sourceEtag: null })
    await send(to, 3)
    await sweepHere(openDriver().deps)
    expect(await moduleOf(to)).toMatchObject({ run: 1, sourceSizeBytes: SIZE })
    expect(await handleUploadCreated(openDriver().deps, to.key)).toBe('received')
    await complete(to)
    expect(await moduleOf(to)).toMatchObject({ run: 1 })
  })

  it('is removed with its parts when nothing has come for a day', { tags: 'fault-2' }, async () => {
    const to = await begin()
    await send(to, 1)
    const uploadId = (await moduleOf(to))?.uploadId ?? ''
    const { deps } = openDriver()
    await sweepHere({ ...deps, nowMs: () => Date.now() + DAY / 2 })
    expect(await moduleOf(to)).toMatchObject({ status: 'PROCESSING', redrives: 0 })
    await sweepHere({ ...deps, nowMs: () => Date.now() + 2 * DAY })
    expect(await moduleOf(to)).toBeNull()
    await sweepHere({ ...deps, nowMs: () => Date.now() + 3 * DAY })
    const rows = env.DB.prepare('SELECT count(*) AS n FROM upload_parts WHERE module_id = ?').bind(to.moduleId)
    expect(await rows.first('n')).toBe(0)
    await expect(env.MEDIA.resumeMultipartUpload(to.key, uploadId).uploadPart(2, 'x')).rejects.toThrow()
  })

  it('answers other callers as for an upload that does not exist', { tags: 'fault-11' }, async () => {
    const to = await begin()
    await send(to, 1)
    const as = 'user_other'
    const part = { method: 'PUT', json: { etag: 'x', sizeBytes: UPLOAD_PART_BYTES } }
    const path = `/api/upload/${to.moduleId}`
    const answers = [
      await problemOf(path, { as }),
      await problemOf(path, { as, method: 'DELETE' }),
      await problemOf(`${path}/part-urls`, { as, json: { parts: [1] } }),
      await problemOf(`${path}/parts/1`, { as, ...part }),
      await problemOf(`/api/upload/${'x'.repeat(22)}`, { as }),
    ]
    expect(new Set(answers.map(({ status, detail }) => `${status} ${detail}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(404)
    expect((await answerOf(UploadListAnswer, '/api/upload', { as })).uploads).toEqual([])
    expect((await problemOf(path)).code).toBe('unauthenticated')
    expect(await moduleOf(to)).toMatchObject({ uploadedBytes: UPLOAD_PART_BYTES })
  })
})

describe('an upload that is cancelled', { tags: 'fault-3' }, () => {
  it('is gone with its parts, and nothing that comes late brings it back', async () => {
    const to = await begin()
    await send(to, 1, 2, 3)
    const uploadId = (await moduleOf(to))?.uploadId ?? ''
    const path = `/api/upload/${to.moduleId}`
    await answerOf(Done, path, { as: to.as, method: 'DELETE' })
    await expect(env.MEDIA.resumeMultipartUpload(to.key, uploadId).uploadPart(2, 'x')).rejects.toThrow()
    const part = { method: 'PUT', json: { etag: 'x', sizeBytes: 1000 } }
    const late = [
      await problemOf(path, { as: to.as, method: 'DELETE' }),
      await problemOf(path, { as: to.as }),
      await problemOf(`${path}/part-urls`, { as: to.as, json: { parts: [1] } }),
      await problemOf(`${path}/parts/3`, { as: to.as, ...part }),
      await refusedComplete(to),
    ]
    expect(late.map(({ code }) => code)).toEqual(late.map(() => 'not_found'))
    await env.MEDIA.put(to.key, fileBytes())
    const { deps, listReady } = openDriver()
    expect(await handleUploadCreated(deps, to.key)).toBe('unknown')
    await sweepHere(deps)
    expect((await listReady()).filter(({ moduleId }) => moduleId === to.moduleId)).toEqual([])
    await sweepHere({ ...deps, nowMs: () => Date.now() + DAY })
    expect(await env.MEDIA.head(to.key)).toBeNull()
  })

  it('is gone from the bucket within an hour of its last address, also an object that was put there after it', {
    tags: 'attack-8',
  }, async () => {
    const to = await begin()
    await send(to, 1)
    const uploadId = (await moduleOf(to))?.uploadId ?? ''
    const failing = { abort: () => Promise.reject(new Error('We encountered an internal error. (10001)')) }
    const { deps } = openDriver()
    // What arrived of the parts stays in the bucket where giving it up fails.
    const bucket = new Proxy(env.MEDIA, {
      get: (target, name) =>
        name === 'resumeMultipartUpload' ? () => failing : Reflect.get(target, name, target).bind?.(target),
    })
    const caller = { userId: to.as, orgId: null, orgRole: null, orgPermissions: [] }
    await cancelUpload({ ...deps, bucket }, caller, to.moduleId)
    await env.MEDIA.put(to.key, fileBytes())
    const HOUR = DAY / 24
    await sweepHere({ ...deps, bucket, nowMs: () => Date.now() + 0.52 * HOUR })
    expect(await isSourceKnown(DB, to.key)).toBe(true)
    await sweepHere({ ...deps, nowMs: () => Date.now() + 0.6 * HOUR })
    expect(await isSourceKnown(DB, to.key)).toBe(false)
    expect(await env.MEDIA.head(to.key)).toBeNull()
    await expect(env.MEDIA.resumeMultipartUpload(to.key, uploadId).uploadPart(2, 'x')).rejects.toThrow()
  })

  it('starts nothing when complete is on its way at the same moment', async () => {
    for (let round = 0; round < 2; round++) {
      const to = await begin()
      await send(to, 1, 2, 3)
      const path = `/api/upload/${to.moduleId}`
      const done = answerOf(Done, path, { as: to.as, method: 'DELETE' })
      await Promise.allSettled([complete(to), done])
      await done
      expect(await moduleOf(to)).toBeNull()
      expect((await refusedComplete(to)).code).toBe('not_found')
    }
  })
})
