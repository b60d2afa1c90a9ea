// Behaviour: speakers who have tracks of their own are all transcribed, from the video and from a browser's audio.
import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { readPackets } from '#media/testing/make-chunk.ts'
import { type MadePacket, makeMedia, steadyPackets } from '#media/testing/make-media.ts'
import { AppError } from '#worker/core/errors.ts'
import { findModule } from '#worker/domain/module/module-store.ts'
import { listAudioTracks } from '#worker/domain/run/audio-track-store.ts'
import { reprocessModule } from '#worker/domain/run/reprocess-module.ts'
import { findRun } from '#worker/domain/run/run-store.ts'
import type { SpeechChunk, SpeechResult } from '#worker/ports/speech-to-text.ts'
import { beginUpload, cutFile } from '../testing/browser-upload.ts'
import { fakeSpeech, openDriver, seedRun } from '../testing/drive.ts'
import { moduleOf, segmentsOf } from '../testing/outcome.ts'
import { holdTasks } from '../testing/seed-tasks.ts'

holdTasks()

const MINUTE_MS = 60_000
const PACKET_MS = 64
const PACKETS = 940
const LAST_MS = PACKETS * PACKET_MS
/** The gains of their voices: the recogniser knows them apart by these. */
const VOICES = { host: 160, expert: 164, guest: 168 }
const ROOM = 20

const isGuest = (ms: number) => ms >= LAST_MS - 3_200
const isExpert = (ms: number) => !isGuest(ms) && ms % 20_000 >= 12_000

/** A minute in which two speakers take turns, and a guest whose track is silent until the last three seconds. */
function trackOf(voice: number, speaks: (ms: number) => boolean, silence: number): MadePacket[] {
  return steadyPackets(PACKETS, (at) => (speaks(at * PACKET_MS) ? voice : silence))
}

const makeVideo = () =>
  makeMedia(
    'mp4',
    trackOf(VOICES.host, (ms) => !isExpert(ms) && !isGuest(ms), ROOM),
    'avc',
    {
      others: [trackOf(VOICES.expert, isExpert, ROOM), trackOf(VOICES.guest, isGuest, 0)],
    },
  )

const NAMES = new Map(Object.entries(VOICES).map(([name, gain]) => [gain, name]))
const WORD_PACKETS = 8

/** Hears a word for each half of a second of a voice: the name of the one who speaks, and when. */
async function hear({ audio }: SpeechChunk): Promise<SpeechResult> {
  const packets = await readPackets(audio)
  const words = packets.flatMap((packet, at) => {
    const name = NAMES.get(((packet[0] ?? 0) << 7) | ((packet[1] ?? 0) >> 1))
    const ms = new DataView(packet.buffer, packet.byteOffset).getFloat64(8)
    if (name === undefined || Math.round(ms / PACKET_MS) % WORD_PACKETS !== 0) return []
    const startMs = at * PACKET_MS
    return [{ text: `${name}-${ms}`, startMs, endMs: startMs + 400, confidence: 0.9 }]
  })
  return { words, language: words.length === 0 ? null : 'en' }
}

/** What is said in the video, word for word. */
const SAID = Array.from({ length: Math.ceil(PACKETS / WORD_PACKETS) }, (_, at) => at * WORD_PACKETS * PACKET_MS).map(
  (ms) => `${isGuest(ms) ? 'guest' : isExpert(ms) ? 'expert' : 'host'}-${ms}`,
)

/** What the transcript says; sentences begin with a capital letter. */
async function wordsOf({ deps }: ReturnType<typeof openDriver>, { moduleId }: { moduleId: string }) {
  const segments = await segmentsOf(deps, moduleId)
  return segments.flatMap(({ text }) => text.toLowerCase().replaceAll('.', '').split(' '))
}

async function seedVideo(driver: ReturnType<typeof openDriver>) {
  const id = await seedRun(MINUTE_MS)
  const bytes = await makeVideo()
  const object = await env.MEDIA.put((await moduleOf(driver, id))?.sourceKey ?? '', bytes)
  await env.DB.prepare('UPDATE modules SET source_etag = ?, source_size_bytes = ? WHERE id = ?')
    .bind(object?.etag, bytes.byteLength, id.moduleId)
    .run()
  return id
}

it('transcribes each of three speakers of a video, one of whom speaks for three seconds at the end', async () => {
  const speech = fakeSpeech(hear)
  const driver = openDriver({ speech })
  const id = await seedVideo(driver)
  await driver.drain()
  const module = await moduleOf(driver, id)
  expect(module).toMatchObject({ status: 'READY', language: 'en' })
  const tracks = module ? await listAudioTracks(driver.deps.db, module) : []
  expect(tracks.map(({ isTranscribed }) => isTranscribed)).toEqual([true, true, true])
  expect(await wordsOf(driver, id)).toEqual(SAID)
  // The guest's silence is not sent to the recogniser.
  expect(speech.calls).toHaveLength(3 * 2 + 1)
})

it('takes the same from a browser before the video has arrived', async () => {
  const speech = fakeSpeech(hear)
  const driver = openDriver({ speech })
  const upload = await beginUpload(driver, await cutFile(await makeVideo()))
  await upload.sendAllAudio()
  await driver.drain()
  const calls = speech.calls.length
  await upload.sendVideo()
  await driver.drain()
  expect(await findRun(driver.deps.db, { moduleId: upload.moduleId, run: 1 })).toMatchObject({
    outcome: 'ready',
    isVerified: true,
  })
  expect(await wordsOf(driver, upload)).toEqual(SAID)
  expect(speech.calls).toHaveLength(calls)
})

// A busy model ends an attempt, a used up quota the run.
it.each(['ai_busy', 'ai_quota'] as const)(
  'asks for no speaker twice after %s in the middle of a chunk',
  async (code) => {
    // The second speaker of the first chunk, and the second one when it is asked for again.
    const failing = new Set([2, 3])
    const speech = fakeSpeech((chunk, call) => {
      if (failing.has(call)) throw new AppError(code, 'Not now.', { retryAfterS: 1 })
      return hear(chunk)
    })
    const driver = openDriver({ speech })
    const id = await seedVideo(driver)
    await driver.deliver([{ kind: 'ingest', ...id }])
    let { run } = id
    for (let failures = 0; failures < failing.size; failures++) {
      await driver.deliver([{ kind: 'transcribe', ...id, run, index: 0 }])
      const module = await findModule(driver.deps.db, id.moduleId)
      if (module?.runStatus === 'FAILED') ({ run } = await reprocessModule(driver.deps, module, { from: 'failed' }))
    }
    await driver.deliver([{ kind: 'transcribe', ...id, run, index: 0 }])
    await driver.drain()
    expect(await moduleOf(driver, id)).toMatchObject({ status: 'READY' })
    expect(await wordsOf(driver, id)).toEqual(SAID)
    expect(speech.calls).toHaveLength(3 * 2 + 1 + failing.size)
  },
)
