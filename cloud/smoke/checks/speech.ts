import { readFileSync } from 'node:fs'
import { BufferSource, EncodedPacketSink, Input, WEBM } from 'mediabunny'
import { AUDIO_CHUNK_MAX_BYTES } from '#contract/limits.ts'
import { SpokenText } from '#contract/tutor.ts'
import { PresignAnswer, UrlsAnswer } from '#contract/upload.ts'
import { readAudioKind } from '#media/audio-chunk.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { BlobWindow } from '#media/source/byte-window.ts'
import { writeChunk } from '#media/write-chunk.ts'
import { toAdts } from '#worker/domain/media/read-chunk.ts'
import {
  type Check,
  call,
  expectOk,
  LeftOut,
  parseProblem,
  read,
  readHealth,
  readRun,
  requirePerson,
  requireUpload,
  seconds,
  type Visit,
  waitFor,
} from '../visit.ts'
import { VIDEO } from './upload.ts'

const FIXTURES = 'local/media/fixtures'

/** Speech in each container that the audio of videos is cut into; what AAC is sent as depends on what the service takes. */
const RECORDINGS: Readonly<Record<string, () => Promise<Blob>>> = {
  M4A: () => cutRecording(VIDEO),
  ADTS: async () => {
    const adts = await toAdts(await (await cutRecording(VIDEO)).bytes())
    if (adts === null) throw new Error(`${VIDEO} has no audio that ADTS can hold`)
    return new Blob([adts], { type: 'audio/aac' })
  },
  Ogg: () => cutRecording(`${FIXTURES}/tiny.webm`),
  MP3: async () => new Blob([readFileSync(`${FIXTURES}/spoken.mp3`)], { type: 'audio/mpeg' }),
  WAV: async () => new Blob([readFileSync(`${FIXTURES}/spoken.wav`)], { type: 'audio/wav' }),
}
const SPOKEN_MS = 5_000
const SPOKEN_ASKS = 4
const MINUTE_MS = 60_000
const OPUS_PACKET_MS = 20
const WORDS_WITHIN_MS = 300_000

/** The first seconds of a video, cut as a browser cuts chunks. */
async function cutRecording(path: string): Promise<Blob> {
  const source = new BlobWindow(new Blob([readFileSync(path)]))
  const facts = await readMediaFacts(source)
  const slice = { source, facts, fromMs: 0, firstChunk: 0, sliceMs: SPOKEN_MS, chunkMs: SPOKEN_MS }
  const recordings: Blob[] = []
  await cutAudioSlice({
    ...slice,
    saveChunk: async ({ bytes, contentType }) => void recordings.push(new Blob([bytes], { type: contentType })),
  })
  const [recording] = recordings
  if (recording === undefined) throw new Error(`${path} has no audio`)
  return recording
}

/** Has a recording transcribed as a spoken question. @returns as what the service took it, and what it understood */
async function speak(visit: Visit, makeRecording: () => Promise<Blob>): Promise<string> {
  const { moduleId } = requireUpload(visit)
  const body = await makeRecording()
  const ask = () => call(visit, `/api/qa/transcribe?moduleId=${moduleId}`, { body, type: body.type })
  let answer = await ask()
  // An answer has to come within seconds, which a recogniser that is cold or busy may miss.
  for (let asks = 1; asks < SPOKEN_ASKS && answer.status === 503; asks += 1) answer = await ask()
  if (!answer.ok) {
    const why = `${answer.status} ${parseProblem(await answer.text())?.detail ?? ''}`
    if (body.type === 'audio/aac' && visit.aacTakenAs === 'audio/mp4')
      throw new LeftOut(`not taken (${why}), and not needed: AAC is sent as M4A`)
    throw new Error(`${why} ai: ${(await readHealth(visit)).ai}`)
  }
  const { text, hasBlanks, takenAs = body.type } = await read(SpokenText, answer)
  if (text === '') throw new Error('nothing was understood')
  if (body.type === 'audio/mp4') visit.aacTakenAs = takenAs
  visit.hasBlanks = hasBlanks ?? visit.hasBlanks
  const taken = takenAs === body.type ? `taken as ${takenAs}` : `refused, but the same AAC is taken as ${takenAs}`
  return `${taken}; understood: ${text.slice(0, 60)}`
}

/** A line for each container. */
export const spokenChecks: readonly Check[] = Object.entries(RECORDINGS).map(([container, makeRecording]) => ({
  name: `Speech, ${container}`,
  advice: '`npx wrangler tail` shows what the model said. If it cannot decode this, set SPEECH_BASE_URL.',
  run: (visit) => speak(visit, makeRecording),
}))

export const blanks: Check = {
  name: 'Speech, blanks',
  advice:
    'Whisper continues a word with one that has no blank before it; without blanks "speech-to-text" stays three words. Joining (worker/adapters/whisper/normalise-whisper.ts) has to learn what this service sends.',
  run: async ({ hasBlanks, isHere }) => {
    if (hasBlanks === null) throw new LeftOut('no words with times were given')
    if (hasBlanks) return 'words begin with blanks'
    const none = 'no word begins with a blank'
    throw isHere ? new LeftOut(`${none}: another recogniser than Whisper`) : new Error(none)
  },
}

/** A recording as a chunk of a video's audio. */
interface Recorded {
  body: Blob
  durationMs: number
}

/** The largest chunk that is taken, as 48 kHz in stereo: 22 s, which are 5.6 MB as base64. */
function makeStereo(): Recorded {
  const spoken = readFileSync(`${FIXTURES}/spoken.wav`)
  // 16 kHz, mono, 16 bits, behind a header of 44 bytes.
  const source = new Int16Array(
    Uint8Array.from(spoken.subarray(44, 44 + 2 * Math.floor((spoken.length - 44) / 2))).buffer,
  )
  const frames = Math.floor((AUDIO_CHUNK_MAX_BYTES - 44) / 4)
  const bytes = new Uint8Array(44 + frames * 4)
  const view = new DataView(bytes.buffer)
  const text = (at: number, value: string) => bytes.set(new TextEncoder().encode(value), at)
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 2, true)
  view.setUint32(24, 48_000, true)
  view.setUint32(28, 48_000 * 4, true)
  view.setUint16(32, 4, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, frames * 4, true)
  for (let frame = 0; frame < frames; frame += 1) {
    const sample = source[Math.floor(frame / 3) % source.length] ?? 0
    view.setInt16(44 + frame * 4, sample, true)
    view.setInt16(46 + frame * 4, sample, true)
  }
  return { body: new Blob([bytes], { type: 'audio/wav' }), durationMs: Math.floor(frames / 48) }
}

/** The packets of Opus of a narrated video, again and again for a minute. */
async function makeMinute(): Promise<Recorded> {
  using input = new Input({ source: new BufferSource(readFileSync(`${FIXTURES}/tiny.webm`)), formats: [WEBM] })
  const track = await input.getPrimaryAudioTrack()
  const kind = await readAudioKind(track)
  if (track === null || kind === null) throw new Error('tiny.webm has no audio')
  const once: Uint8Array[] = []
  for await (const { data } of new EncodedPacketSink(track).packets()) once.push(data)
  const count = Math.ceil(MINUTE_MS / OPUS_PACKET_MS)
  const packets = Array.from({ length: count }, (_, at) => ({
    startMs: at * OPUS_PACKET_MS,
    endMs: (at + 1) * OPUS_PACKET_MS,
    bytes: once[at % once.length] ?? new Uint8Array(),
    loudness: null,
  }))
  const bytes = writeChunk('audio/ogg', kind.config, packets)
  return { body: new Blob([bytes], { type: 'audio/ogg' }), durationMs: count * OPUS_PACKET_MS }
}

/** Sends a recording as the audio of a video that never follows, and waits for its words. */
async function transcribe(visit: Visit, { body, durationMs }: Recorded): Promise<string> {
  requirePerson(visit)
  const json = { filename: 'audio.mp4', contentType: 'video/mp4', sizeBytes: body.size, shared: false }
  const presigned = await call(visit, '/api/presigned-upload/presigned-url', { json })
  const path = `/api/upload/${(await read(PresignAnswer, presigned)).moduleId}`
  try {
    const chunk = { chunk: 0, sizeBytes: body.size }
    const asked = { chunks: [chunk], contentType: body.type }
    const { urls } = await read(UrlsAnswer, await call(visit, `${path}/audio-urls`, { json: asked }))
    const headers = { origin: visit.origin, 'content-type': body.type }
    await expectOk(await fetch(urls[0]?.url ?? '', { method: 'PUT', headers, body }))
    const span = { audioStartMs: 0, audioDurationMs: durationMs, startMs: 0, endMs: durationMs }
    const arrived = { durationMs, chunkCount: 1, chunks: [{ ...chunk, contentType: body.type, ...span }] }
    await expectOk(await call(visit, `${path}/audio`, { json: arrived }))
    return await waitForWords(visit, path, body.size)
  } finally {
    await call(visit, path, { method: 'DELETE' })
  }
}

async function waitForWords(visit: Visit, path: string, sizeBytes: number): Promise<string> {
  const startMs = Date.now()
  const run = await waitFor(WORDS_WITHIN_MS, async () => {
    const now = await readRun(visit, path.split('/').at(-1) ?? '')
    return now !== null && (now.endedAt !== null || now.steps.total !== null) ? now : null
  })
  const size = `${(sizeBytes / 1e6).toFixed(1)} MB`
  if (run === null || run.audio.done === 0)
    throw new Error(
      `${size} were not transcribed: ${run?.failureCode ?? 'no words'}; ai: ${(await readHealth(visit)).ai}`,
    )
  if (run.steps.total === 0) throw new Error(`no words were found in ${size}`)
  return `${size} were transcribed after ${seconds(Date.now() - startMs)}, attempt ${run.audio.mostTries}`
}

export const stereo: Check = {
  name: 'Speech, 4 MiB',
  advice:
    'This is the largest piece of audio that a browser may send. If the model refuses it, uncompressed audio is transcribed in halves or not at all: set AUDIO_CHUNK_MAX_BYTES of contract/limits.ts lower.',
  run: (visit) => transcribe(visit, makeStereo()),
}

export const minute: Check = {
  name: 'Speech, minute',
  advice:
    'Chunks are half a minute, the last up to 45 s. If the model does not take a minute of Opus, pieces that are longer than usual fail: `npx wrangler tail` shows its words; shorten CHUNK_MS of media/audio-chunk.ts.',
  run: async (visit) => transcribe(visit, await makeMinute()),
}
