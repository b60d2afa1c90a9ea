// Behaviour: reading a transcript and replacing it by captions.
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CaptionsAnswer, CorrectionAnswer, TranscriptAnswer } from '#contract/transcript.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { seedCaptions, seedModule } from '#local/testing/modules.ts'
import { countD1, openDb } from '#worker/db/db.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { addCaptions } from '#worker/domain/run/reprocess-module.ts'
import { encodeText } from '#worker/domain/transcript/testing/encode-text.ts'
import { storeCaptions } from '#worker/domain/transcript/transcript-store.ts'
import { fakeSpeech, openDriver, seedRun, transcribedIn } from '#worker/pipeline/testing/drive.ts'
import { segmentsOf } from '#worker/pipeline/testing/outcome.ts'
import { holdTasks } from '#worker/pipeline/testing/seed-tasks.ts'

holdTasks()

const as = 'user_owner'
const CONTEXT = { db: openDb(env.DB), bucket: env.MEDIA }
const SRT = '1\n00:0:05 --> 00:0:10\nOpen the lid.\n\n2\n00:0:10 --> 00:0:15\nTake the filter out.\n'

function put(body: string | Uint8Array<ArrayBuffer>, type = 'application/x-subrip') {
  return { as, method: 'PUT', body, headers: { 'content-type': type } }
}

describe('GET /api/transcript/{moduleId}', () => {
  it.each([
    [0.95, false],
    [0.6, true],
  ])('says whether the recogniser was unsure of many words: every other at %d', async (confidence, isRough) => {
    const speech = fakeSpeech((chunk) => {
      const { words, language } = transcribedIn(chunk, 0.96)
      return { words: words.map((word, at) => (at % 2 === 0 ? word : { ...word, confidence })), language }
    })
    const driver = openDriver({ speech })
    const { moduleId } = await seedRun(30_000, { userId: as })
    await driver.drain()
    const read = () => answerOf(TranscriptAnswer, `/api/transcript/${moduleId}`, { as })
    const { segments, ...transcript } = await read()
    expect(transcript).toMatchObject({ source: 'speech', isRough })
    // What a person has read and corrected is sure.
    const edits = segments.map(({ id, text }) => ({ id, text: `${text} Yes.` }))
    await answerOf(CorrectionAnswer, `/api/transcript/${moduleId}`, { as, method: 'PATCH', json: { edits } })
    expect(await read()).toMatchObject({ isRough: false })
  })
})

describe('POST /api/captions', () => {
  it('says what would become of a file, for a video that is not sent yet', async () => {
    const late = SRT.replaceAll('00:0', '10:0')
    const preview = (search = '') =>
      answerOf(CaptionsAnswer, `/api/captions${search}`, { ...put(late), method: 'POST' })
    expect(await preview()).toMatchObject({
      cues: 2,
      shift: null,
      firstLines: ['Open the lid.', 'Take the filter out.'],
    })
    expect((await preview('?durationMs=60000')).shift).toMatchObject({ first: -36_000, isMoved: true })
  })

  it('stores nothing of a file for a module, in whatever state it is', async () => {
    const { id } = await seedModule({ status: 'READY', durationMs: 60_000 })
    const before = await findModule(openDb(env.DB), id)
    expect(await answerOf(CaptionsAnswer, `/api/captions/${id}`, { ...put(SRT), method: 'POST' })).toMatchObject({
      cues: 2,
    })
    expect(await findModule(openDb(env.DB), id)).toEqual(before)
    expect((await env.MEDIA.list({ prefix: `transcripts/${id}/` })).objects).toEqual([])
  })
})

describe('PUT /api/captions/{moduleId}', () => {
  it('becomes the transcript, before the video has arrived as well', async () => {
    const { id } = await seedModule({ sourceEtag: null, receivedAt: null, run: 0 })
    expect(await answerOf(CaptionsAnswer, `/api/captions/${id}`, put(SRT))).toMatchObject({ cues: 2 })
    const transcript = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    expect(transcript.source).toBe('captions')
    expect(transcript.segments.map(({ start, text }) => [start, text])).toEqual([
      [5, 'Open the lid.'],
      [10, 'Take the filter out.'],
    ])
    expect((await findModule(openDb(env.DB), id))?.run).toBe(0)
  })

  it('moves captions into a video that is still on its way, as was shown before', async () => {
    const late = put(SRT.replaceAll('00:0', '10:0'))
    const preview = await answerOf(CaptionsAnswer, '/api/captions?durationMs=60000', { ...late, method: 'POST' })
    const { id } = await seedModule({ sourceEtag: null, run: 0, durationMs: null, declaredDurationMs: 60_000 })
    expect((await answerOf(CaptionsAnswer, `/api/captions/${id}`, late)).shift).toEqual(preview.shift)
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    expect(segments[0]?.start).toBeLessThan(60)
  })

  it('takes one of two languages: the one asked for, that of the module, or the first', async () => {
    const lines = [
      ['Open the lid and wait for it.', 'Die Klappe öffnen und dann warten.'],
      ['Take the filter out of the tank.', 'Den Filter aus dem Tank nehmen.'],
      ['Then close it with the key.', 'Dann mit dem Schlüssel schließen.'],
    ]
    const srt = lines
      .map((two, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${two.join('\n')}\n`)
      .join('\n')
    const { id } = await seedModule({ sourceEtag: null, run: 0, language: null })
    const { id: german } = await seedModule({ sourceEtag: null, run: 0, language: 'de-AT' })
    for (const [path, language, first] of [
      [id, 'en', lines[0]?.[0]],
      [`${id}?language=de`, 'de', lines[0]?.[1]],
      [`${id}?language=fr`, 'en', lines[0]?.[0]],
      [german, 'de', lines[0]?.[1]],
    ]) {
      const told = await answerOf(CaptionsAnswer, `/api/captions/${path}`, put(srt))
      expect(told).toMatchObject({ cues: 3, language })
      expect(told.languages.map((each) => [each.language, each.cues, each.firstLines[0]])).toEqual([
        ['en', 3, lines[0]?.[0]],
        ['de', 3, lines[0]?.[1]],
      ])
      const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${path?.split('?')[0]}`, { as })
      expect(segments[0]?.text).toBe(first)
    }
  })

  it('gives a module the language of captions that are clearly in another', async () => {
    const srt = ['Open the lid and wait for it.', 'Take the filter out of the tank.', 'Then close it with the key.']
      .map((text, at) => `${at + 1}\n00:00:0${at},000 --> 00:00:0${at + 1},000\n${text}\n`)
      .join('\n')
    const { id } = await seedModule({ sourceEtag: null, run: 0, language: 'es' })
    const { id: unknown } = await seedModule({ sourceEtag: null, run: 0, language: 'ca' })
    const read = await answerOf(CaptionsAnswer, `/api/captions/${id}`, { ...put(srt), method: 'POST' })
    expect(read).toMatchObject({ language: 'en', spoken: 'es' })
    expect((await findModule(openDb(env.DB), id))?.language).toBe('es')
    for (const module of [id, unknown]) await answerOf(CaptionsAnswer, `/api/captions/${module}`, put(srt))
    expect((await findModule(openDb(env.DB), id))?.language).toBe('en')
    expect((await findModule(openDb(env.DB), unknown))?.language).toBe('ca')
  })

  it('stores as many short cues as fit into 2 MB, in one object and no row', { tags: 'attack-1' }, async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    const { d1, rowsWritten } = countD1(env.DB)
    const cues = Array.from({ length: 40_000 }, (_, n) => ({
      startMs: n,
      endMs: n + 1,
      text: `${n}.`,
      confidence: null,
    }))
    expect(await storeCaptions({ d1, bucket: env.MEDIA }, id, cues)).toBe(true)
    expect(rowsWritten()).toBeLessThan(10)
    const stored = await segmentsOf(CONTEXT, id)
    expect(stored.map((segment) => segment.text)).toEqual(cues.map((cue) => cue.text))
  })

  it('refuses more cues than are allowed and says how many it found, before a row is written', {
    tags: 'attack-1',
  }, async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    const file = (cues: number) => `WEBVTT\n\n${'0:01 --> 0:02\nHi\n'.repeat(cues)}`
    const refused = await problemOf(`/api/captions/${id}`, put(file(95_000)))
    expect(refused).toMatchObject({ status: 422, code: 'captions_invalid' })
    expect(refused.error).toContain('95,000 cues, and 20,000 are allowed')
    expect(await segmentsOf(CONTEXT, id)).toEqual([])
  })

  it.each([
    ['in one cue', `WEBVTT\n\n0:05 --> 0:09\n${'no '.repeat(700)}`],
    [
      'in cues that begin together',
      `WEBVTT\n\n0:01 --> 0:02\nso\n${'0:05 --> 0:09\nno stop\n0:05 --> 0:09\nno end\n'.repeat(150)}`,
    ],
  ])(
    'refuses more text than is allowed %s, with where it is and how much',
    { tags: 'attack-1' },
    async (_where, file) => {
      const { id } = await seedModule({ sourceEtag: null, run: 0 })
      const { code, error } = await problemOf(`/api/captions/${id}`, put(file))
      expect(code).toBe('captions_invalid')
      expect(error).toContain('The cue at 00:00:05.000 has 2,')
      expect(error).toContain('2,000 are allowed')
    },
  )

  it('refuses cues whose sentences would be more segments than are allowed', { tags: 'attack-1' }, async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    const cues = Array.from({ length: 400 }, (_, n) => `${n}:00 --> ${n + 1}:00\n${n} ${'Go. '.repeat(60)}\n`)
    const refused = await problemOf(`/api/captions/${id}`, put(`WEBVTT\n\n${cues.join('\n')}`))
    expect(refused.error).toContain('24,000 sentences, and 20,000 are allowed')
  })

  it('keeps one object when captions are sent again, and removes corrections', { tags: 'attack-2' }, async () => {
    const { id } = await seedModule({ status: 'READY' })
    const cues = (count: number) =>
      Array.from({ length: count }, (_, n) => ({
        startMs: n * 1000,
        endMs: n * 1000 + 900,
        text: `Say ${n}.`,
        confidence: null,
      }))
    await seedCaptions(id, cues(500))
    const edits = { edits: [{ id: 'c-00007', text: 'Said otherwise.' }] }
    await answerOf(CorrectionAnswer, `/api/transcript/${id}`, { as, method: 'PATCH', json: edits })
    expect((await segmentsOf(CONTEXT, id))[7]?.text).toBe('Said otherwise.')
    await seedCaptions(id, cues(499))
    expect((await env.MEDIA.list({ prefix: `transcripts/${id}/` })).objects).toHaveLength(1)
    const { segments, orphaned } = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    expect(segments.map(({ text, isEdited }) => [text, isEdited])).toEqual(cues(499).map(({ text }) => [text, false]))
    expect(orphaned).toEqual([])
  })

  it('leaves nothing behind when the module is deleted while they are on their way', async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0, deletedAt: 1 })
    expect(await seedCaptions(id, [{ startMs: 0, endMs: 1_000, text: 'Late.', confidence: null }])).toBe(false)
    expect((await env.MEDIA.list({ prefix: `transcripts/${id}/` })).objects).toEqual([])
  })

  it('starts a run also when the video is confirmed while the captions are on their way', async () => {
    const module = await seedModule({ sourceEtag: null, receivedAt: null, run: 0 })
    const db = openDb(env.DB)
    const before = await findModule(db, module.id)
    await env.DB.prepare("UPDATE modules SET source_etag = 'e', received_at = 1, run = 1 WHERE id = ?")
      .bind(module.id)
      .run()
    if (before === null) throw new Error('no module')
    const driver = openDriver()
    await addCaptions(driver.deps, before, new TextEncoder().encode(SRT))
    expect(await driver.listReady()).toEqual([{ kind: 'ingest', moduleId: module.id, run: 2, index: 0 }])
  })

  it('starts a new run of a module that failed for want of words', async () => {
    const { id } = await seedModule({ status: 'FAILED', failureCode: 'not_understood', lastError: 'Not understood' })
    await answerOf(
      CaptionsAnswer,
      `/api/captions/${id}`,
      put('WEBVTT\n\n00:05.000 --> 00:10.000\nHello there.\n', 'text/vtt; charset=utf-8'),
    )
    expect(await findModule(openDb(env.DB), id)).toMatchObject({ run: 2, transcriptRun: 0 })
  })

  it('reads a file with a wrong cue, and answers what it did at which line', async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    const file = '1\n00:00:01,000 -> 00:00:02,000\nFine.\n\n2\nyesterday --> today\nBad.\n'
    expect(await answerOf(CaptionsAnswer, `/api/captions/${id}`, put(file))).toMatchObject({
      cues: 2,
      repairCount: 3,
      repairs: [
        { line: 2, code: 'odd_time' },
        { line: 6, code: 'time_guessed' },
        { line: 6, code: 'end_guessed' },
      ],
    })
  })

  it('answers how it read the bytes, and reads them as it is told', async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    const bytes = encodeText(SRT.replace('Open the lid', 'Откройте крышку и выньте фильтр'), 'windows-1251')
    const path = `/api/captions/${id}`
    expect(await answerOf(CaptionsAnswer, path, put(bytes))).toMatchObject({ encoding: 'windows-1251', repairs: [] })
    const read = await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })
    expect(read.segments[0]?.text).toBe('Откройте крышку и выньте фильтр.')
    const told = await answerOf(CaptionsAnswer, `${path}?charset=koi8-r`, put(bytes))
    expect(told).toMatchObject({ encoding: 'koi8-r', alternatives: [] })
    expect((await problemOf(`${path}?charset=klingon`, put(bytes))).code).toBe('invalid_request')
  })

  it('moves captions to the words of the speech where that is chosen', async () => {
    const speech = fakeSpeech((chunk, call) => {
      const { words, language } = transcribedIn(chunk)
      return { words: words.map((word, at) => ({ ...word, text: `${word.text}${call}${at}` })), language }
    })
    const driver = openDriver({ speech })
    const { moduleId } = await seedRun(60_000, { userId: as })
    await driver.drain()
    const path = `/api/captions/${moduleId}`
    const { segments } = await answerOf(TranscriptAnswer, `/api/transcript/${moduleId}`, { as })
    const time = (s: number) => new Date(s * 1000).toISOString().slice(11, 23)
    const late = segments.map(({ start, end, text }) => `${time(start + 3)} --> ${time(end + 3)}\n${text}\n`)
    const file = `WEBVTT\n\n${late.join('\n')}`
    const preview = await answerOf(CaptionsAnswer, path, { ...put(file), method: 'POST' })
    expect(preview.shift).toEqual({ reason: 'speech', first: -3, last: -3, isMoved: false })
    expect((await findModule(openDb(env.DB), moduleId))?.captionsKey).toBeNull()
    const used = await answerOf(CaptionsAnswer, `${path}?times=moved`, put(file))
    expect(used.shift?.isMoved).toBe(true)
    await driver.drain()
    const after = await answerOf(TranscriptAnswer, `/api/transcript/${moduleId}`, { as })
    expect(after.source).toBe('captions')
    expect(after.segments[0]?.start).toBeCloseTo(segments[0]?.start ?? -1, 1)
  })

  it('names the line of a file without captions and keeps the old transcript', async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    await answerOf(CaptionsAnswer, `/api/captions/${id}`, put(SRT))
    const bad = await problemOf(`/api/captions/${id}`, put('\n1\nyesterday --> today\nBad\n'))
    expect(bad.code).toBe('captions_invalid')
    expect(bad.error).toMatch(/[Ll]ine 3/)
    expect((await answerOf(TranscriptAnswer, `/api/transcript/${id}`, { as })).segments).toHaveLength(2)
  })

  it('refuses other types, more than 2 MB, and people who do not own the module', async () => {
    const { id } = await seedModule({ sourceEtag: null, run: 0 })
    const path = `/api/captions/${id}`
    expect((await problemOf(path, put(SRT, 'text/html'))).code).toBe('unsupported_media_type')
    expect((await problemOf(path, put('x'.repeat(2 * 1024 * 1024 + 1)))).code).toBe('payload_too_large')
    expect((await problemOf(path, { ...put(SRT), as: 'user_viewer' })).code).toBe('not_found')
    expect((await problemOf(path, { ...put(SRT), as: null })).code).toBe('unauthenticated')
  })
})
