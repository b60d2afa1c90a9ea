// Behaviour: uploading a video in one piece: presign, complete, list.
import { env } from 'cloudflare:workers'
import { AwsClient } from 'aws4fetch'
import { describe, expect, it } from 'vitest'
import { CompleteAnswer, PresignAnswer, UploadListAnswer } from '#contract/upload.ts'
import { answerOf, call, problemOf } from '#local/testing/api.ts'
import { MP4_BEGINNING } from '#media/testing/mp4-beginning.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { completeUpload } from '#worker/domain/upload/complete-upload.ts'
import { openDriver } from '#worker/pipeline/testing/drive.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const PRESIGN = '/api/presigned-upload/presigned-url'
const COMPLETE = '/api/upload/complete'

/** Of another type than the bytes turn out to be: what was declared is never what is served. */
function presign(as = 'user_owner'): Promise<PresignAnswer> {
  return answerOf(PresignAnswer, PRESIGN, { as, json: { filename: 'how-to.mp4', contentType: 'video/x-declared' } })
}

async function uploaded(bytes: Uint8Array): Promise<{ moduleId: string; key: string }> {
  const { moduleId, key } = await presign()
  await env.MEDIA.put(key, bytes)
  return { moduleId, key }
}

describe('POST /api/presigned-upload/presigned-url', () => {
  it('hands out a URL that is signed for the content type, and lists no module yet', {
    tags: ['threat-12', 'spec-3.4', 'spec-7.10'],
  }, async () => {
    const { uploadUrl, key, moduleId } = await presign()
    const url = new URL(uploadUrl)
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-type;host')
    expect(url.searchParams.get('X-Amz-Expires')).toBe('900')
    expect(url.pathname).toContain(key)
    expect((await findModule(openDb(env.DB), moduleId))?.receivedAt).toBeNull()
  })

  it('signs the size that is declared, so that nothing larger can be sent', { tags: 'attack-5' }, async () => {
    const json = { filename: 'how-to.mp4', contentType: 'video/mp4', sizeBytes: 1234 }
    const { uploadUrl } = await answerOf(PresignAnswer, PRESIGN, { as: 'user_owner', json })
    const url = new URL(uploadUrl)
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
    const check = new AwsClient({ accessKeyId: 'local', secretAccessKey: 'local-only', service: 's3', region: 'auto' })
    const signature = url.searchParams.get('X-Amz-Signature')
    const datetime = url.searchParams.get('X-Amz-Date') ?? ''
    const signatureOf = async (sizeBytes: number) => {
      const plain = new URL(`${url.origin}${url.pathname}`)
      plain.searchParams.set('X-Amz-Expires', '900')
      const headers = { 'content-type': 'video/mp4', 'content-length': String(sizeBytes) }
      const aws = { signQuery: true, allHeaders: true, datetime }
      const signed = await check.sign(plain.href, { method: 'PUT', headers, aws })
      return new URL(signed.url).searchParams.get('X-Amz-Signature')
    }
    expect(await signatureOf(1234)).toBe(signature)
    expect(await signatureOf(1235)).not.toBe(signature)
  })

  it('shares a module from its first byte on, or not, as its uploader chose before', async () => {
    const file = { filename: 'how-to.mp4', contentType: 'video/mp4' }
    for (const [asked, shared] of [
      [{}, true],
      [{ shared: true }, true],
      [{ shared: false }, false],
    ] as const) {
      const { moduleId, key } = await answerOf(PresignAnswer, PRESIGN, {
        as: 'user_owner',
        json: { ...file, ...asked },
      })
      await env.MEDIA.put(key, MP4_BEGINNING)
      await answerOf(CompleteAnswer, COMPLETE, { as: 'user_owner', json: { moduleId, key } })
      expect((await findModule(openDb(env.DB), moduleId))?.shared).toBe(shared)
      expect((await call(`/api/share/${moduleId}`)).status).toBe(shared ? 200 : 404)
      expect((await call(`/api/modules/${moduleId}`, { as: 'user_viewer' })).status).toBe(shared ? 200 : 404)
    }
  })

  it('signs the content type as the client will send it, letter by letter', async () => {
    const contentType = 'video/WebM;codecs="vp9, opus"'
    const json = { filename: 'screen.webm', contentType }
    const { uploadUrl } = await answerOf(PresignAnswer, PRESIGN, { as: 'user_owner', json })
    const check = new AwsClient({ accessKeyId: 'local', secretAccessKey: 'local-only', service: 's3', region: 'auto' })
    const url = new URL(uploadUrl)
    const signature = url.searchParams.get('X-Amz-Signature')
    const datetime = url.searchParams.get('X-Amz-Date') ?? ''
    for (const name of [...url.searchParams.keys()].filter((key) => key !== 'X-Amz-Expires'))
      url.searchParams.delete(name)
    const headers = { 'content-type': contentType }
    const signed = await check.sign(url.href, {
      method: 'PUT',
      headers,
      aws: { signQuery: true, allHeaders: true, datetime },
    })
    expect(new URL(signed.url).searchParams.get('X-Amz-Signature')).toBe(signature)
  })

  it('gives every module an id of at least 122 random bits', { tags: ['fault-44', 'threat-18'] }, async () => {
    expect((await presign()).moduleId).toMatch(/^a[\w-]{22}$/)
  })

  it.each([
    ['text/html', 'unsupported_media_type'],
    ['video/', 'unsupported_media_type'],
    ['video/mp4\r\nx-other: 1', 'unsupported_media_type'],
  ])('refuses content type %s', { tags: 'threat-11' }, async (contentType, code) => {
    const problem = await problemOf(PRESIGN, { as: 'user_owner', json: { filename: 'a.mp4', contentType } })
    expect(problem).toMatchObject({ code, error: 'Only video files are allowed' })
  })

  it.each([
    [0, 'file_empty'],
    [3 * 1024 ** 3, 'payload_too_large'],
  ])('refuses a declared size of %d bytes', { tags: ['fault-6', 'threat-11'] }, async (sizeBytes, code) => {
    const json = { filename: 'a.mp4', contentType: 'video/mp4', sizeBytes }
    expect((await problemOf(PRESIGN, { as: 'user_owner', json })).code).toBe(code)
  })

  it('refuses a visitor, a body that is not JSON and a body without its fields', { tags: 'spec-6.3' }, async () => {
    const as = 'user_owner'
    const headers = { 'content-type': 'application/json' }
    expect((await problemOf(PRESIGN, { json: {} })).code).toBe('unauthenticated')
    expect((await problemOf(PRESIGN, { as, body: '{', headers })).code).toBe('invalid_json')
    expect((await problemOf(PRESIGN, { as, body: 'a=1' })).code).toBe('unsupported_media_type')
    expect((await problemOf(PRESIGN, { as, json: { filename: 'a.mp4' } })).code).toBe('invalid_request')
  })
})

describe('POST /api/upload/complete', () => {
  it('pins the module to the bytes that arrived and starts one run, twenty times at once', {
    tags: ['guarantee-G1', 'fault-8', 'spec-7.12'],
  }, async () => {
    const request = await uploaded(MP4_BEGINNING)
    const calls = Array.from({ length: 20 }, () =>
      answerOf(CompleteAnswer, COMPLETE, { as: 'user_owner', json: request }),
    )
    const answers = await Promise.all(calls)
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    const module = await findModule(openDb(env.DB), request.moduleId)
    expect(module).toMatchObject({ run: 1, sourceType: 'video/mp4', sourceSizeBytes: MP4_BEGINNING.byteLength })
    expect(module?.sourceEtag).toBe((await env.MEDIA.head(request.key))?.etag)
  })

  it.each(['PROCESSING', 'READY', 'FAILED'])(
    'answers the same when the first answer was lost, also once the module is %s',
    { tags: 'fault-10' },
    async (status) => {
      const json = await uploaded(MP4_BEGINNING)
      const first = await answerOf(CompleteAnswer, COMPLETE, { as: 'user_owner', json })
      await env.DB.prepare('UPDATE modules SET status = ?1, run_status = ?1 WHERE id = ?2')
        .bind(status, json.moduleId)
        .run()
      expect(await answerOf(CompleteAnswer, COMPLETE, { as: 'user_owner', json })).toEqual(first)
      expect(await findModule(openDb(env.DB), json.moduleId)).toMatchObject({ run: 1 })
    },
  )

  it('keeps a file that takes the place of another while that one is being checked', async () => {
    const { moduleId, key } = await uploaded(new TextEncoder().encode('<!doctype html>'))
    const old = await env.MEDIA.head(key)
    await env.MEDIA.put(key, MP4_BEGINNING)
    const { deps } = openDriver()
    const bucket = {
      head: async () => old,
      get: (...args: Parameters<R2Bucket['get']>) => env.MEDIA.get(...args),
      delete: (keys: string) => env.MEDIA.delete(keys),
    } as unknown as R2Bucket
    const caller = { userId: 'user_owner', orgId: null, orgRole: null, orgPermissions: [] }
    const late = completeUpload({ ...deps, bucket }, caller, { moduleId, key })
    await expect(late).rejects.toMatchObject({ code: 'source_changed' })
    expect((await env.MEDIA.head(key))?.size).toBe(MP4_BEGINNING.byteLength)
  })

  it('refuses before the bytes have arrived', async () => {
    const { moduleId, key } = await presign()
    expect((await problemOf(COMPLETE, { as: 'user_owner', json: { moduleId, key } })).code).toBe('upload_missing')
  })

  it.each([
    ['an empty file', new Uint8Array(0), 'file_empty'],
    ['a renamed HTML file', new TextEncoder().encode('<!doctype html><title>x</title>'), 'not_a_video'],
    ['a few bytes', new Uint8Array([1, 2, 3]), 'not_a_video'],
    ['an AVI', new TextEncoder().encode('RIFF\0\0\0\0AVI LIST'), 'not_a_video'],
  ])('refuses %s, removes it, and starts nothing', { tags: ['fault-6', 'threat-11'] }, async (_what, bytes, code) => {
    const json = await uploaded(bytes)
    expect((await problemOf(COMPLETE, { as: 'user_owner', json })).code).toBe(code)
    expect(await env.MEDIA.head(json.key)).toBeNull()
    expect(await findModule(openDb(env.DB), json.moduleId)).toMatchObject({ run: 0, receivedAt: null })
  })

  it('refuses an object that is smaller than the declared size, and keeps it until all of it is there', {
    tags: ['guarantee-G1', 'fault-6'],
  }, async () => {
    const presigned = { filename: 'how-to.mp4', contentType: 'video/mp4', sizeBytes: MP4_BEGINNING.byteLength }
    const json = await answerOf(PresignAnswer, PRESIGN, { as: 'user_owner', json: presigned })
    const request = { moduleId: json.moduleId, key: json.key }
    await env.MEDIA.put(json.key, MP4_BEGINNING.subarray(0, 20))
    const problem = await problemOf(COMPLETE, { as: 'user_owner', json: request })
    expect(problem).toMatchObject({ status: 409, code: 'upload_missing' })
    expect(problem.detail).toContain('20 bytes of the video have arrived instead of 24')
    await env.MEDIA.put(json.key, MP4_BEGINNING)
    await answerOf(CompleteAnswer, COMPLETE, { as: 'user_owner', json: request })
  })

  it('refuses an object that is larger than the limit, although no size was declared, and removes it', {
    tags: 'fault-6',
  }, async () => {
    const { moduleId, key } = await uploaded(MP4_BEGINNING)
    const { deps } = openDriver()
    const uploads = { ...deps.uploads, maxBytes: MP4_BEGINNING.byteLength - 1 }
    const caller = { userId: 'user_owner', orgId: null, orgRole: null, orgPermissions: [] }
    await expect(completeUpload({ ...deps, uploads }, caller, { moduleId, key })).rejects.toMatchObject({
      code: 'payload_too_large',
    })
    expect(await env.MEDIA.head(key)).toBeNull()
    expect(await findModule(openDb(env.DB), moduleId)).toMatchObject({ run: 0, receivedAt: null })
  })

  it('answers for a foreign module, an unknown one and a wrong key as for one that does not exist', {
    tags: ['fault-11', 'threat-12'],
  }, async () => {
    const { moduleId, key } = await uploaded(MP4_BEGINNING)
    const missing = await problemOf(COMPLETE, { as: 'user_owner', json: { moduleId: 'x'.repeat(22), key } })
    const foreign = await problemOf(COMPLETE, { as: 'user_other', json: { moduleId, key } })
    const wrongKey = await problemOf(COMPLETE, { as: 'user_owner', json: { moduleId, key: `${key}x` } })
    expect(missing.status).toBe(404)
    expect({ ...foreign, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect({ ...wrongKey, requestId: '' }).toEqual({ ...missing, requestId: '' })
    expect((await findModule(openDb(env.DB), moduleId))?.run).toBe(0)
  })
})

describe('GET /api/upload', () => {
  it('says how large a file may be', async () => {
    expect(await answerOf(UploadListAnswer, '/api/upload', { as: 'user_without_uploads' })).toMatchObject({
      uploads: [],
      maxBytes: Number(env.MAX_UPLOAD_BYTES),
    })
  })
})
