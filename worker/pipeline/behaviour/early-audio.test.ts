// Behaviour: audio that a browser sends before its video, and audio that is not the video’s.
import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { makeChunk } from '#media/testing/make-chunk.ts'
import { AppError } from '#worker/core/errors.ts'
import { presentModule } from '#worker/domain/module/module-list-store.ts'
import { chunkKey } from '#worker/domain/run/chunk-store.ts'
import { addCaptions, reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import { admitRuns } from '#worker/domain/run/start-run.ts'
import { listSteps } from '#worker/domain/step/step-store.ts'
import { receiveAudio } from '#worker/domain/upload/receive-audio.ts'
import { sweepHere } from '#worker/jobs/testing/sweep-here.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import { recover } from '../recover.ts'
import { type BrowserUpload, beginUpload, pickFile } from '../testing/browser-upload.ts'
import { type Driver, fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { audioOf, moduleOf, outcomeOf, runThrough } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const AUDIO_MS = 3 * MINUTE

function runOf(driver: Driver, { moduleId }: { moduleId: string }, run = 1) {
  return findRun(driver.deps.db, { moduleId, run })
}

async function open(services: Parameters<typeof openDriver>[0] = {}, audioMs = AUDIO_MS) {
  const speech = fakeSpeech()
  const driver = openDriver({ speech, ...services })
  const upload = await beginUpload(driver, await pickFile(audioMs))
  return { driver, speech, upload }
}

let plain: ReturnType<typeof makePlain> | null = null

/** What the server makes of the same recording by itself. */
function plainOutcome() {
  plain ??= makePlain()
  return plain
}

async function makePlain() {
  const driver = openDriver()
  const id = await seedRun(AUDIO_MS, { title: 'How to' })
  await runThrough(driver, id)
  return outcomeOf(driver, id)
}

/** Without the numbers of runs. */
async function seenOf(driver: Driver, upload: BrowserUpload) {
  const { text, steps } = await outcomeOf(driver, upload)
  return { text: text.map((row) => row.slice(1)), steps: steps.map((row) => row.slice(1)) }
}

function later(driver: Driver, ms: number) {
  return { ...driver.deps, nowMs: () => Date.now() + ms }
}

describe('audio that a browser sends before the video', () => {
  it('has its steps written while the video is on its way, and is READY with the video’s last byte', async () => {
    const { driver, speech, upload } = await open()
    await upload.sendAudio(0, 1)
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'PROCESSING', run: 1, progress: 0 })
    expect((await moduleOf(driver, upload))?.receivedAt).not.toBeNull()
    await upload.sendAudio(1, upload.file.chunks.length)
    await driver.drain()
    const early = await moduleOf(driver, upload)
    expect(early).toMatchObject({ status: 'PROCESSING', progress: 80, message: 'Waiting for the rest of the video' })
    expect(
      early && presentModule(early, 'owner', { posterUrl: null, mayDelete: true, organization: null }),
    ).toMatchObject({
      hasVideo: false,
      uploadPercent: 0,
    })
    expect((await listSteps(driver.deps.db, upload.moduleId)).length).toBeGreaterThan(0)
    const calls = speech.calls.length
    expect(calls).toBe(upload.file.chunks.length)

    await upload.sendVideo()
    expect(await driver.listReady()).toEqual([{ kind: 'ingest', moduleId: upload.moduleId, run: 1, index: 0 }])
    expect(driver.rung.at(-1)).toEqual({ kind: 'ingest' })
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', progress: 100, run: 1 })
    expect(await runOf(driver, upload)).toMatchObject({ outcome: 'ready', isVerified: true, audioFrom: 'browser' })
    expect(speech.calls.length).toBe(calls)
    expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
  })

  it('waits for chunks that are still being transcribed when the video arrives first', async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    const waiting = await driver.listReady()
    await upload.sendVideo()
    await driver.deliver(await driver.listReady('ingest'))
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'PROCESSING', progress: 10 })
    await driver.deliver(waiting)
    await driver.drain()
    expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY' })
  })

  it('is taken once, in any order and however often it is announced', async () => {
    const { driver, speech, upload } = await open()
    const last = upload.file.chunks.length
    await upload.sendAudio(3, last)
    await Promise.all([upload.sendAudio(0, 2), upload.sendAudio(1, 3), upload.sendAudio(1, 4)])
    await driver.drain()
    await upload.sendAudio(0, last)
    await driver.drain()
    expect(speech.calls.length).toBe(last)
    await upload.sendVideo()
    await driver.drain()
    expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
  })

  it('is continued by the server where the browser stopped, and no chunk is transcribed twice', {
    tags: 'fault-2',
  }, async () => {
    const { driver, speech, upload } = await open()
    await upload.sendAudio(0, 3)
    await driver.drain()
    await upload.sendVideo()
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 1 })
    expect(speech.calls.length).toBe(upload.file.chunks.length)
    expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
  })

  it('is whole although the browser never said how many chunks there are', async () => {
    const { driver, speech, upload } = await open()
    await upload.sendAudio(0, upload.file.chunks.length, { chunkCount: null })
    await driver.drain()
    await upload.sendVideo()
    await driver.drain()
    expect(await runOf(driver, upload)).toMatchObject({ chunkCount: upload.file.chunks.length, outcome: 'ready' })
    expect(speech.calls.length).toBe(upload.file.chunks.length)
  })

  it('audio that a browser sends before the video of a file that is put whole counts, too', async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    await env.DB.prepare('UPDATE modules SET upload_id = NULL WHERE id = ?').bind(upload.moduleId).run()
    await env.MEDIA.put(upload.key, upload.file.bytes)
    await upload.complete()
    await driver.drain()
    expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
  })
})

describe('audio that is not the video’s', () => {
  async function endsByTheServer(driver: Driver, upload: BrowserUpload) {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await driver.drain()
    const progress = (await moduleOf(driver, upload))?.progress ?? 0
    await upload.sendVideo()
    await driver.deliver(await driver.listReady('ingest'))
    expect((await moduleOf(driver, upload))?.progress).toBeGreaterThanOrEqual(progress)
    await driver.drain()
    warned.mockRestore()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 2 })
    expect(await runOf(driver, upload)).toMatchObject({ outcome: 'superseded', isVerified: false })
    expect(await runOf(driver, upload, 2)).toMatchObject({ trigger: 'recut', audioFrom: 'ingest', outcome: 'ready' })
    const { text, steps } = await plainOutcome()
    const expected = { text: text.map((row) => row.slice(1)), steps: steps.map((row) => row.slice(1)) }
    expect(await seenOf(driver, upload)).toEqual(expected)
  }

  it('is cut again when its bytes differ anywhere that is looked at', async () => {
    const places = ['first', 'middle', 'last but one'] as const
    for (const place of places) {
      const { driver, upload } = await open()
      const last = upload.file.chunks.length
      const chunk = { first: 0, middle: Math.floor(last / 2), 'last but one': last - 2 }[place]
      await upload.sendAllAudio()
      const other = upload.file.chunks[chunk]?.bytes.slice() ?? new Uint8Array()
      other[other.length - 30] = (other[other.length - 30] ?? 0) ^ 1
      await env.MEDIA.put(chunkKey({ moduleId: upload.moduleId, run: 1, chunk }), other)
      await endsByTheServer(driver, upload)
    }
  })

  it('is cut again when it is of another length', async () => {
    const { driver, upload } = await open()
    const other = await pickFile(AUDIO_MS + 5_000)
    const liar = { ...upload, file: other }
    await beginAudio(driver, liar)
    await endsByTheServer(driver, upload)
  })

  it('is cut again when chunks are missing though the browser said that it was done', async () => {
    const { driver, upload } = await open()
    await upload.sendAudio(0, 3)
    await upload.sendAudio(4, upload.file.chunks.length)
    await endsByTheServer(driver, upload)
  })

  /** Sends the audio of another file. */
  async function beginAudio(driver: Driver, { moduleId, caller, file }: BrowserUpload) {
    for (const { chunk, bytes } of file.chunks) await env.MEDIA.put(chunkKey({ moduleId, run: 1, chunk }), bytes)
    const chunks = file.chunks.map(({ bytes: _bytes, ...chunk }) => chunk)
    const { durationMs } = file
    await receiveAudio(driver.deps, caller, { moduleId, durationMs, chunks, chunkCount: chunks.length })
  }

  it('is not transcribed when it is longer than the browser says, because the stated length is counted', async () => {
    const { driver, speech, upload } = await open()
    const durationMs = 1_000
    const [first, second] = upload.file.chunks
    if (first === undefined || second === undefined) throw new Error('no chunks')
    await env.MEDIA.put(chunkKey({ moduleId: upload.moduleId, run: 1, chunk: 0 }), first.bytes)
    await env.MEDIA.put(chunkKey({ moduleId: upload.moduleId, run: 1, chunk: 1 }), second.bytes)
    const claim = { audioStartMs: 0, audioDurationMs: 500, contentType: first.contentType }
    const chunks = [
      { ...claim, chunk: 0, startMs: 0, endMs: 500, sizeBytes: first.bytes.byteLength },
      { ...claim, chunk: 1, startMs: 500, endMs: 1_000, sizeBytes: second.bytes.byteLength },
    ]
    await receiveAudio(driver.deps, upload.caller, { moduleId: upload.moduleId, durationMs, chunks, chunkCount: 2 })
    await endsByTheServer(driver, upload)
    expect(speech.calls.length).toBe(upload.file.chunks.length)
  })

  it('is not transcribed any more once another object was put in its place', { tags: 'fault-5' }, async () => {
    const { driver, speech, upload } = await open()
    await upload.sendAudio(0, 2)
    await env.MEDIA.put(chunkKey({ moduleId: upload.moduleId, run: 1, chunk: 1 }), new Uint8Array(50))
    await driver.deliver(await driver.listReady())
    expect(speech.calls.length).toBe(1)
  })

  /** As long as a chunk that was checked, but with other bytes: silence could be paid for, and speech put in its place. */
  async function swap({ moduleId, file }: BrowserUpload, chunk: number): Promise<void> {
    const other = file.chunks[chunk]?.bytes.slice().reverse() ?? new Uint8Array()
    await env.MEDIA.put(chunkKey({ moduleId, run: 1, chunk }), other)
  }

  it('is not transcribed when it was swapped after it was checked; the server cuts it instead', {
    tags: 'attack-10',
  }, async () => {
    const { driver, speech, upload } = await open()
    await upload.sendAllAudio()
    // One that could be transcribed as well as the one that was checked.
    const contentType = upload.file.chunks[1]?.contentType ?? 'audio/mp4'
    const { audio: other } = makeChunk(contentType, Array<number>(100).fill(90))
    await env.MEDIA.put(chunkKey({ moduleId: upload.moduleId, run: 1, chunk: 1 }), other)
    await endsByTheServer(driver, upload)
    expect(speech.calls.length).toBeGreaterThanOrEqual(upload.file.chunks.length)
    expect(speech.calls.map(({ audio }) => audio.join())).not.toContain(other.join())
  })

  it('is cut again when it was swapped after it was transcribed', { tags: 'attack-10' }, async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    await swap(upload, 0)
    await endsByTheServer(driver, upload)
  })

  it.each([
    ['of a browser, after the video has arrived', true],
    ['of the server', false],
  ])(
    '%s: a swapped chunk ends the run, and processing again cuts the audio again',
    { tags: 'attack-10' },
    async (_whose, isAudioFirst) => {
      const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
      const { driver, upload } = await open()
      if (isAudioFirst) await upload.sendAllAudio()
      const waiting = await driver.listReady()
      await upload.sendVideo()
      // Compared or cut, but not transcribed yet.
      await driver.deliver(await driver.listReady('ingest'))
      await swap(upload, 1)
      await driver.deliver(waiting)
      await driver.drain()
      expect(await moduleOf(driver, upload)).toMatchObject({ status: 'FAILED', failureCode: 'source_missing', run: 1 })
      const failed = await moduleOf(driver, upload)
      if (failed === null) throw new Error('gone')
      await reprocessModule(driver.deps, failed, {})
      await driver.drain()
      expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 2 })
      warned.mockRestore()
    },
  )

  it('is not kept by a person’s new run either', async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    await upload.sendVideo()
    const module = await moduleOf(driver, upload)
    if (module === null) throw new Error('gone')
    await reprocessModule(driver.deps, module, {})
    const chunks = env.DB.prepare('SELECT count(*) AS n FROM audio_chunks WHERE module_id = ? AND run = 2')
    expect(await chunks.bind(upload.moduleId).first('n')).toBe(0)
  })
})

describe('never worse than without it', () => {
  it('does not fail before the video is there, whatever becomes of its audio', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    let isAway = true
    const speech = fakeSpeech((chunk) => {
      if (isAway) throw new AppError('ai_quota', 'No more for today.')
      return transcribedIn(chunk)
    })
    const { driver, upload } = await open({ speech })
    await upload.sendAllAudio()
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'PROCESSING', run: 2, message: 'Uploading video' })
    await expect(upload.sendAllAudio()).rejects.toMatchObject({ code: 'audio_refused' })
    expect(await driver.listReady()).toEqual([])
    await sweepHere(later(driver, HOUR))
    expect(await driver.listReady()).toEqual([])
    isAway = false
    await upload.sendVideo()
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 2 })
    warned.mockRestore()
  })

  it('fails for the reason of the video when that cannot be read', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    await env.DB.prepare('UPDATE modules SET upload_id = NULL, declared_size_bytes = NULL WHERE id = ?')
      .bind(upload.moduleId)
      .run()
    await env.MEDIA.put(upload.key, upload.file.bytes.subarray(0, 200))
    await upload.complete()
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'FAILED', failureCode: 'truncated' })
    warned.mockRestore()
  })

  it('ends at once when what arrives is no video, and says so', { tags: 'fault-6' }, async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await env.DB.prepare('UPDATE modules SET upload_id = NULL, declared_size_bytes = NULL WHERE id = ?')
      .bind(upload.moduleId)
      .run()
    await env.MEDIA.put(upload.key, '<!doctype html><title>x</title>')
    await expect(upload.complete()).rejects.toMatchObject({ code: 'not_a_video' })
    const failed = { status: 'FAILED', failureCode: 'unreadable', sourceEtag: null }
    expect(await moduleOf(driver, upload)).toMatchObject(failed)
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject(failed)
  })

  it('leaves the audio to the server once the video is there', async () => {
    const { driver, upload } = await open()
    await upload.sendVideo()
    await upload.sendAudio(0, 2)
    await driver.drain()
    expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
  })

  it('begins one run when audio and complete come at the same moment', async () => {
    for (let round = 0; round < 3; round++) {
      const { driver, upload } = await open()
      await upload.sendPart(1)
      await Promise.allSettled([upload.sendAudio(0, 2), upload.complete(), upload.sendAudio(2, 4)])
      await driver.drain()
      if ((await moduleOf(driver, upload))?.status === 'PROCESSING') await sweepHere(later(driver, 2 * MINUTE))
      await driver.drain()
      expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 1 })
      expect(await outcomeOf(driver, upload)).toEqual(await plainOutcome())
    }
  })

  it('uses captions instead: audio is refused, and a transcript of it is replaced', async () => {
    const text = '00:00:01.000 --> 00:00:20.000\nOpen the lid and take the old filter out.\n'
    const captions = new TextEncoder().encode(`WEBVTT\n\n${text}`)
    const first = await open()
    const add = async ({ driver, upload }: typeof first) => {
      const module = await moduleOf(driver, upload)
      if (module !== null) await addCaptions(driver.deps, module, captions)
    }
    await add(first)
    await expect(first.upload.sendAllAudio()).rejects.toMatchObject({ code: 'audio_refused' })
    await first.upload.sendVideo()
    await first.driver.drain()
    expect(first.speech.calls).toEqual([])
    expect(await moduleOf(first.driver, first.upload)).toMatchObject({ status: 'READY' })

    const second = await open()
    await second.upload.sendAllAudio()
    await second.driver.drain()
    await add(second)
    await second.upload.sendVideo()
    await second.driver.drain()
    expect(await moduleOf(second.driver, second.upload)).toMatchObject({
      status: 'READY',
      transcriptRun: 0,
      run: 1,
    })
  })
})

describe('an upload that takes its time', () => {
  it('has lost doorbells rung again before the video is there', async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    driver.rung.length = 0
    expect(await recover(later(driver, MINUTE), upload.moduleId)).not.toBeNull()
    warned.mockRestore()
    expect(driver.rung).toEqual([{ kind: 'transcribe' }])
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ progress: 80 })
  })

  it('does not end for being silent, and is not looked after for ever', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    const checks: (number | null)[] = []
    for (let minutes = 1; minutes < 40; minutes++) {
      checks.push(await recover(later(driver, minutes * MINUTE), upload.moduleId))
    }
    expect(checks.at(-1)).toBeNull()
    expect(linesWhere(warned, ({ moduleId }) => moduleId === upload.moduleId)).toEqual([])
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'PROCESSING' })
    await driver.drain()
    await upload.sendVideo()
    await driver.drain()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 1 })
    warned.mockRestore()
  })

  it('continues when the doorbell of comparing its audio got lost', async () => {
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    await upload.sendVideo()
    await recover(later(driver, MINUTE), upload.moduleId)
    await driver.drain()
    warned.mockRestore()
    expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', run: 1 })
  })

  it('goes with all that was sent of it when nothing came for a day', { tags: 'fault-2' }, async () => {
    const { driver, upload } = await open()
    await upload.sendAllAudio()
    await driver.drain()
    expect((await audioOf(upload.moduleId)).length).toBeGreaterThan(0)
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    for (let minutes = 1; minutes < 15; minutes++) await sweepHere(later(driver, minutes * MINUTE))
    await sweepHere(later(driver, 23 * HOUR))
    expect(await moduleOf(driver, upload)).not.toBeNull()
    await sweepHere(later(driver, 25 * HOUR))
    expect(await moduleOf(driver, upload)).toBeNull()
    await sweepHere(later(driver, 26 * HOUR))
    warned.mockRestore()
    expect(await audioOf(upload.moduleId)).toEqual([])
  })

  it('keeps no other video of its owner waiting once it is silent', async () => {
    const { driver, upload } = await open()
    const { userId } = upload.caller
    const file = await pickFile(AUDIO_MS)
    const others = await Promise.all([1, 2, 3].map(() => beginUpload(driver, file, userId)))
    await upload.sendAudio(0, 2)
    for (const other of others) await other.sendAudio(0, 2)
    const isAdmitted = async () =>
      Promise.all([upload, ...others].map(async (each) => (await runOf(driver, each))?.admittedAt !== null))
    expect(await isAdmitted()).toEqual([true, true, true, false])
    await admitRuns(later(driver, MINUTE), userId)
    expect(await isAdmitted()).toEqual([true, true, true, true])
  })
})

describe('an upload that is cancelled while its audio is transcribed', { tags: 'fault-3' }, () => {
  it('is gone with its audio, and late calls find nothing', async () => {
    const { driver, speech, upload } = await open()
    await upload.sendAudio(0, 3)
    await upload.cancel()
    expect(await audioOf(upload.moduleId)).toEqual([])
    await driver.drain()
    expect(speech.calls).toEqual([])
    const late = [() => upload.sendAudio(3, 5), () => upload.complete(), () => upload.cancel()]
    for (const call of late) await expect(call()).rejects.toMatchObject({ code: 'not_found' })
    await sweepHere(later(driver, HOUR))
    expect(await audioOf(upload.moduleId)).toEqual([])
    const rows = env.DB.prepare('SELECT count(*) AS n FROM audio_chunks WHERE module_id = ?').bind(upload.moduleId)
    expect(await rows.first('n')).toBe(0)
  })
})
