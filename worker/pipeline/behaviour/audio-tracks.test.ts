// Behaviour: which of several tracks of audio is transcribed, and what the owner's choice does.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { Done, ModuleAnswer, ReprocessAnswer } from '#contract/module.ts'
import { ShareAnswer } from '#contract/share.ts'
import { answerOf, problemOf } from '#local/testing/api.ts'
import { findTrack, type MadeTrack, makeTracks } from '#media/testing/make-tracks.ts'
import { AppError } from '#worker/core/errors.ts'
import type { RunId } from '#worker/domain/run/fence.ts'
import type { SpeechChunk } from '#worker/ports/speech-to-text.ts'
import { beginUpload, cutFile } from '../testing/browser-upload.ts'
import { type FakeSpeech, fakeSpeech, openDriver, seedRun, transcribedIn } from '../testing/drive.ts'
import { moduleOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const TRACKS: MadeTrack[] = [
  { language: 'deu', isDefault: true },
  { language: 'eng', name: 'Director' },
]

async function seedTracks({ tracks = TRACKS, audioMs = 40_000 } = {}): Promise<RunId & { as: string }> {
  const as = `user_${crypto.randomUUID()}`
  const id = await seedRun(1_000, { userId: as })
  const bytes = await makeTracks('mp4', tracks, audioMs)
  const { key } = (await env.DB.prepare('SELECT source_key AS key FROM modules WHERE id = ?').bind(id.moduleId).first<{
    key: string
  }>()) ?? { key: '' }
  const object = await env.MEDIA.put(key, bytes)
  await env.DB.prepare('UPDATE modules SET source_etag = ?, source_size_bytes = ? WHERE id = ?')
    .bind(object?.etag, bytes.byteLength, id.moduleId)
    .run()
  return { ...id, as }
}

/** A recogniser that hears English in the second track and German in all others. */
function hearLanguages(answer: (chunk: SpeechChunk) => void = () => {}): FakeSpeech & { heard: Set<number | null> } {
  const heard = new Set<number | null>()
  const speech = fakeSpeech((chunk) => {
    answer(chunk)
    const track = findTrack(chunk.audio)
    heard.add(track)
    return { ...transcribedIn(chunk), language: track === 2 ? 'en' : 'de' }
  })
  return Object.assign(speech, { heard })
}

async function readModule({ moduleId }: RunId, as: string) {
  return (await answerOf(ModuleAnswer, `/api/modules/${moduleId}`, { as })).module
}

function patch({ moduleId, as }: RunId & { as: string }, json: unknown) {
  return answerOf(Done, `/api/modules/${moduleId}`, { as, method: 'PATCH', json })
}

function reprocess({ moduleId, as }: RunId & { as: string }, from: 'start' | 'failed') {
  return answerOf(ReprocessAnswer, `/api/reprocess/${moduleId}`, { as, json: { from } })
}

const transcribed = (tracks: { trackId: number; isTranscribed: boolean }[]) =>
  tracks.filter(({ isTranscribed }) => isTranscribed).map(({ trackId }) => trackId)

async function openMade(services: { speech: FakeSpeech }, options?: Parameters<typeof seedTracks>[0]) {
  const driver = openDriver(services)
  const id = await seedTracks(options)
  await driver.drain()
  return { driver, id }
}

it('shows everybody which tracks there are, and makes the steps again from the one that is chosen', async () => {
  const speech = hearLanguages()
  const { driver, id } = await openMade({ speech })
  expect((await readModule(id, id.as)).audioTracks).toEqual([
    { trackId: 1, language: 'de', name: null, isPlayed: true, isTranscribed: true },
    { trackId: 2, language: 'en', name: 'Director', isPlayed: false, isTranscribed: false },
  ])
  expect(speech.heard).toEqual(new Set([1]))
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: 'de' })

  await patch(id, { audioTrack: 2 })
  // It is of the first one until the new version is there.
  expect(await readModule(id, id.as)).toMatchObject({ audioTrack: 2, language: null })
  expect(transcribed((await readModule(id, 'user_viewer')).audioTracks)).toEqual([1])
  expect((await readModule(id, 'user_viewer')).audioTrack).toBeNull()

  speech.heard.clear()
  await reprocess(id, 'start')
  await driver.drain()
  expect(speech.heard).toEqual(new Set([2]))
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', language: 'en' })
  expect(transcribed((await readModule(id, 'user_viewer')).audioTracks)).toEqual([2])
  const { module } = await answerOf(ShareAnswer, `/api/share/${id.moduleId}`)
  expect(transcribed(module.audioTracks)).toEqual([2])

  await patch(id, { audioTrack: null })
  await reprocess(id, 'start')
  await driver.drain()
  expect(transcribed((await readModule(id, id.as)).audioTracks)).toEqual([1])
})

it('refuses a track that is not there, and keeps the language that is given with another one', async () => {
  const { driver, id } = await openMade({ speech: hearLanguages() })
  const refused = { as: id.as, method: 'PATCH', json: { audioTrack: 3 } }
  expect((await problemOf(`/api/modules/${id.moduleId}`, refused)).code).toBe('invalid_request')
  await patch(id, { audioTrack: 1 })
  expect(await moduleOf(driver, id)).toMatchObject({ audioTrack: 1, language: 'de' })
  await patch(id, { audioTrack: 2, language: 'fr' })
  expect(await moduleOf(driver, id)).toMatchObject({ audioTrack: 2, language: 'fr' })
})

it('stays with one track to the end of a run, and begins another run for another track', async () => {
  const speech = hearLanguages()
  const driver = openDriver({ speech })
  const id = await seedTracks({ audioMs: 150_000 })
  await driver.deliver([{ kind: 'ingest', moduleId: id.moduleId, run: 1 }])
  expect((await moduleOf(driver, id))?.audioTracks).toHaveLength(2)
  await patch(id, { audioTrack: 2 })
  await driver.drain()
  expect(speech.heard).toEqual(new Set([1]))

  speech.heard.clear()
  const { run } = await reprocess(id, 'start')
  await driver.deliver([{ kind: 'ingest', moduleId: id.moduleId, run }])
  expect((await reprocess(id, 'start')).run).toBe(run)
  await patch(id, { audioTrack: 1 })
  expect((await reprocess(id, 'start')).run).toBe(run + 1)
  await driver.drain()
  expect(speech.heard).toEqual(new Set([1]))
})

it('does not go on with what a failed run has cut of another track', async () => {
  let calls = 0
  const speech = hearLanguages(() => {
    if (++calls === 2) throw new AppError('ai_quota', 'The daily allowance is used up.')
  })
  const { driver, id } = await openMade({ speech }, { audioMs: 80_000 })
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'FAILED' })
  speech.heard.clear()
  await patch(id, { audioTrack: 2 })
  await reprocess(id, 'failed')
  await driver.drain()
  expect(speech.heard).toEqual(new Set([2]))
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
})

it('knows the tracks of a video whose audio a browser has sent', async () => {
  const speech = hearLanguages()
  const driver = openDriver({ speech })
  const upload = await beginUpload(driver, await cutFile(await makeTracks('mp4', TRACKS, 20_000)))
  await upload.sendAllAudio()
  await upload.sendVideo()
  await driver.drain()
  expect(speech.heard).toEqual(new Set([1]))
  const { audioTracks } = await readModule({ moduleId: upload.moduleId, run: 1 }, upload.caller.userId)
  expect(transcribed(audioTracks)).toEqual([1])
})

/** Neither is more of a default than the other. */
const TAKES: MadeTrack[] = [{ isDefault: true }, { isDefault: true }]

/** A recogniser that is sure of what it hears in the second track alone. */
function hearSecond(answer: () => void = () => {}): FakeSpeech {
  return fakeSpeech((chunk) => {
    answer()
    return transcribedIn(chunk, findTrack(chunk.audio) === 2 ? 0.9 : 0.3)
  })
}

const tracksOf = (calls: SpeechChunk[]) => calls.map(({ audio }) => findTrack(audio))

it('transcribes three minutes of tracks that are alike, and then the one that is understood', async () => {
  const speech = hearSecond()
  const { driver, id } = await openMade({ speech }, { tracks: TAKES, audioMs: 300_000 })
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', takenTrack: 2 })
  expect(transcribed((await readModule(id, id.as)).audioTracks)).toEqual([2])
  const ofFirst = speech.calls.filter(({ audio }) => findTrack(audio) === 1)
  const heardMs = ofFirst.reduce((sum, { durationMs }) => sum + durationMs, 0)
  expect(heardMs).toBeGreaterThan(170_000)
  expect(heardMs).toBeLessThan(220_000)

  // The next run knows it.
  speech.calls.length = 0
  await reprocess(id, 'start')
  await driver.drain()
  expect(new Set(tracksOf(speech.calls))).toEqual(new Set([2]))
})

it('waits with the trial for a busy model', async () => {
  let isBusy = true
  const speech = hearSecond(() => {
    if (isBusy) throw new AppError('ai_busy', 'Busy.', { retryAfterS: 1 })
  })
  const { driver, id } = await openMade({ speech }, { tracks: TAKES })
  expect(await moduleOf(driver, id)).toMatchObject({ runStatus: 'PROCESSING', takenTrack: null })
  isBusy = false
  const ingest = { kind: 'ingest', moduleId: id.moduleId, run: 1 } as const
  expect(await driver.deliver([ingest])).toEqual({ done: 1, retried: 0 })
  expect(await moduleOf(driver, id)).toMatchObject({ takenTrack: 2 })
})

it('asks for no part of the trial twice after a busy model', async () => {
  let isBusy = true
  const speech = hearSecond(() => {
    if (isBusy && speech.calls.length > 3) throw new AppError('ai_busy', 'Busy.', { retryAfterS: 1 })
  })
  const { driver, id } = await openMade({ speech }, { tracks: TAKES, audioMs: 180_000 })
  expect(await moduleOf(driver, id)).toMatchObject({ runStatus: 'PROCESSING', takenTrack: null })
  const answered = 3
  const asked = speech.calls.length
  isBusy = false
  await driver.deliver([{ kind: 'ingest', moduleId: id.moduleId, run: 1 }])
  expect(await moduleOf(driver, id)).toMatchObject({ takenTrack: 2 })
  // Six chunks of each of the two tracks.
  expect(speech.calls.length - asked).toBe(2 * 6 - answered)
})

it('cuts the first track where the trial fails, and does not take it for the result', async () => {
  const speech = fakeSpeech((chunk, call) => {
    if (call === 1) throw new AppError('ai_failed', 'Broken.')
    return transcribedIn(chunk)
  })
  const { driver, id } = await openMade({ speech }, { tracks: TAKES })
  expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY', takenTrack: null })
  expect(transcribed((await readModule(id, id.as)).audioTracks)).toEqual([1])
})

it('does not take the audio of a browser for tracks that are to be tried', async () => {
  const speech = hearSecond()
  const driver = openDriver({ speech })
  const upload = await beginUpload(driver, await cutFile(await makeTracks('mp4', TAKES, 20_000)))
  await upload.sendAllAudio()
  await upload.sendVideo()
  await driver.drain()
  expect(await moduleOf(driver, upload)).toMatchObject({ status: 'READY', takenTrack: 2 })
})
