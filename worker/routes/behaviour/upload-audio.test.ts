// Behaviour: audio that a browser sends before its video.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { Done, ModuleAnswer } from '#contract/module.ts'
import { PresignAnswer, UrlsAnswer } from '#contract/upload.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { chunkKey } from '#worker/domain/run/chunk-store.ts'
import { pickFile } from '#worker/pipeline/testing/browser-upload.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const AS = 'user_owner'

async function begin(fields: Record<string, unknown> = {}) {
  const file = await pickFile(60_000)
  const json = { filename: 'how-to.mp4', contentType: 'video/mp4', sizeBytes: file.bytes.byteLength, ...fields }
  const { moduleId, key } = await answerOf(PresignAnswer, '/api/presigned-upload/presigned-url', { as: AS, json })
  return { file, moduleId, key, path: `/api/upload/${moduleId}` }
}

async function arrivedOf({ file, moduleId }: Awaited<ReturnType<typeof begin>>) {
  for (const { chunk, bytes } of file.chunks) await env.MEDIA.put(chunkKey({ moduleId, run: 1, chunk }), bytes)
  const chunks = file.chunks.map(({ bytes: _bytes, ...chunk }) => chunk)
  return { durationMs: file.durationMs, chunks, chunkCount: chunks.length }
}

describe('POST /api/upload/{id}/audio-urls', () => {
  const json = { chunks: [2, 3, 4].map((chunk) => ({ chunk, sizeBytes: 1000 + chunk })), contentType: 'audio/mp4' }

  it('signs one address for each chunk, with its content type and size', { tags: 'attack-5' }, async () => {
    const { moduleId, path } = await begin()
    const { urls } = await answerOf(UrlsAnswer, `${path}/audio-urls`, { as: AS, json })
    expect(urls.map(({ number }) => number)).toEqual([2, 3, 4])
    const url = new URL(urls[0]?.url ?? '')
    expect(url.pathname).toMatch(new RegExp(`/chunks/${moduleId}/1/2$`))
    expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host')
  })

  it('refuses other types and others, and signs nothing for an upload that has its video', async () => {
    const { file, moduleId, key, path } = await begin()
    const large = { ...json, chunks: [{ chunk: 0, sizeBytes: 8 * 4 * 1024 * 1024 + 1 }] }
    expect((await problemOf(`${path}/audio-urls`, { as: AS, json: large })).code).toBe('invalid_request')
    const html = { ...json, contentType: 'text/html' }
    expect((await problemOf(`${path}/audio-urls`, { as: AS, json: html })).code).toBe('invalid_request')
    expect((await problemOf(`${path}/audio-urls`, { as: 'user_other', json })).code).toBe('not_found')
    await env.MEDIA.put(key, file.bytes)
    await answerOf(Done, '/api/upload/complete', { as: AS, json: { moduleId, key } })
    expect((await answerOf(UrlsAnswer, `${path}/audio-urls`, { as: AS, json })).urls).toEqual([])
  })
})

describe('POST /api/upload/{id}/audio', () => {
  it('lists the module and begins to listen', async () => {
    const upload = await begin()
    const json = await arrivedOf(upload)
    await answerOf(Done, `${upload.path}/audio`, { as: AS, json })
    const { module } = await answerOf(ModuleAnswer, `/api/modules/${upload.moduleId}`, { as: AS })
    expect(module).toMatchObject({ status: 'PROCESSING', hasVideo: false, totalDuration: json.durationMs / 1000 })
    expect(module.progress).toBeLessThan(100)
  })

  it('refuses chunks that are not there or do not fit, and takes nothing of them', async () => {
    const upload = await begin()
    const { path, moduleId } = upload
    const json = await arrivedOf(upload)
    const refusals = [
      { ...json, durationMs: 3 * json.durationMs },
      { ...json, chunks: json.chunks.map((chunk) => ({ ...chunk, sizeBytes: chunk.sizeBytes + 1 })) },
      { ...json, chunks: json.chunks.map((chunk) => ({ ...chunk, startMs: chunk.startMs + 1 })) },
    ]
    for (const refused of refusals) {
      const problem = await problemOf(`${path}/audio`, { as: AS, json: refused })
      expect(problem).toMatchObject({ status: 409, code: 'audio_refused' })
    }
    expect((await problemOf(`${path}/audio`, { as: 'user_other', json })).code).toBe('not_found')
    const rows = env.DB.prepare('SELECT count(*) AS n FROM audio_chunks WHERE module_id = ?').bind(moduleId)
    expect(await rows.first('n')).toBe(0)
    expect((await problemOf(`/api/share/${moduleId}`)).code).toBe('not_found')
  })
})
