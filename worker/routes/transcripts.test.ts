import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CaptionsAnswer, TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { plantModule } from '#local/testing/modules.ts'
import { openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { addCaptions } from '#worker/domain/transcript/add-captions.ts'
import { listSegments, replaceTranscript } from '#worker/domain/transcript/transcript-store.ts'
import { openDriver } from '#worker/jobs/testing/drive.ts'

const as = 'user_owner'
const SRT = '1\n00:0:05 --> 00:0:10\nOpen the lid.\n\n2\n00:0:10 --> 00:0:15\nTake the filter out.\n'

function put(body: BodyInit, type = 'application/x-subrip') {
  return { as, method: 'PUT', body, headers: { 'content-type': type } }
}

describe('PUT /api/captions/{moduleId}', () => {
  it('becomes the transcript, before the video has arrived as well', async () => {
    const { id } = await plantModule({ sourceEtag: null, receivedAt: null, run: 0 })
    expect(await answerOf(CaptionsAnswer, `/api/captions/${id}`, put(SRT))).toMatchObject({ cues: 2 })
    const transcript = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    expect(transcript.source).toBe('captions')
    expect(transcript.segments.map(({ start, text }) => [start, text])).toEqual([
      [5, 'Open the lid.'],
      [10, 'Take the filter out.'],
    ])
    expect((await findModule(openDb(env.DB), id))?.run).toBe(0)
  })

  it('stores as many short cues as fit into 2 MB, in strings that D1 takes', async () => {
    const { id } = await plantModule({ sourceEtag: null, run: 0 })
    const sizes: number[] = []
    const prepare = (query: string) => ({
      bind: (...values: unknown[]) => {
        sizes.push(...values.map((value) => String(value).length))
        return env.DB.prepare(query).bind(...values)
      },
    })
    const d1 = { prepare, batch: (list: D1PreparedStatement[]) => env.DB.batch(list) } as unknown as D1Database
    const cues = Array.from({ length: 40_000 }, (_, n) => ({
      startMs: n,
      endMs: n + 1,
      text: `${n}.`,
      confidence: null,
    }))
    expect(await replaceTranscript(d1, id, cues)).toBe(true)
    expect(Math.max(...sizes)).toBeLessThan(2_000_000)
    const stored = await listSegments(openDb(env.DB), id)
    expect(stored.map((segment) => segment.text)).toEqual(cues.map((cue) => cue.text))
  })

  it('starts a run also when the video is confirmed while the captions are on their way', async () => {
    const module = await plantModule({ sourceEtag: null, receivedAt: null, run: 0 })
    const db = openDb(env.DB)
    const before = await findModule(db, module.id)
    await env.DB.prepare("UPDATE modules SET source_etag = 'e', received_at = 1, run = 1 WHERE id = ?")
      .bind(module.id)
      .run()
    if (before === null) throw new Error('no module')
    const driver = openDriver()
    await addCaptions(driver.deps, before, new TextEncoder().encode(SRT))
    expect(driver.sent).toEqual([{ kind: 'ingest', moduleId: module.id, run: 2 }])
  })

  it('starts a new run of a module that failed for want of words', async () => {
    const { id } = await plantModule({ status: 'FAILED', failureCode: 'not_understood', lastError: 'Not understood' })
    await answerOf(
      CaptionsAnswer,
      `/api/captions/${id}`,
      put('WEBVTT\n\n00:05.000 --> 00:10.000\nHello there.\n', 'text/vtt; charset=utf-8'),
    )
    expect(await findModule(openDb(env.DB), id)).toMatchObject({ run: 2, transcriptSource: 'captions' })
  })

  it('names the line of the first bad cue and keeps the old transcript', async () => {
    const { id } = await plantModule({ sourceEtag: null, run: 0 })
    await answerOf(CaptionsAnswer, `/api/captions/${id}`, put(SRT))
    const bad = await problemOf(
      `/api/captions/${id}`,
      put('1\n00:00:01,000 --> 00:00:02,000\nFine\n\n2\nyesterday --> today\nBad\n'),
    )
    expect(bad.code).toBe('captions_invalid')
    expect(bad.error).toMatch(/[Ll]ine 6/)
    expect((await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })).segments).toHaveLength(2)
  })

  it('refuses other types, more than 2 MB, and people who do not own the module', async () => {
    const { id } = await plantModule({ sourceEtag: null, run: 0 })
    const path = `/api/captions/${id}`
    expect((await problemOf(path, put(SRT, 'text/plain'))).code).toBe('unsupported_media_type')
    expect((await problemOf(path, put('x'.repeat(2 * 1024 * 1024 + 1)))).code).toBe('payload_too_large')
    expect((await problemOf(path, { ...put(SRT), as: 'user_viewer' })).code).toBe('not_found')
    expect((await problemOf(path, { ...put(SRT), as: null })).code).toBe('unauthenticated')
  })
})
