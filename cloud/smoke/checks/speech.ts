import { readFileSync } from 'node:fs'
import { SpokenText } from '#contract/tutor.ts'
import { BlobWindow } from '#media/byte-window.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { toAdts } from '#worker/domain/media/read-chunk.ts'
import { type Check, call, LeftOut, parseProblem, read, readHealth, requireUpload, type Visit } from '../visit.ts'
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
  const { text, takenAs = body.type } = await read(SpokenText, answer)
  if (text === '') throw new Error('nothing was understood')
  if (body.type === 'audio/mp4') visit.aacTakenAs = takenAs
  const taken = takenAs === body.type ? `taken as ${takenAs}` : `refused, but the same AAC is taken as ${takenAs}`
  return `${taken}; understood: ${text.slice(0, 60)}`
}

/** A line for each container. */
export const spokenChecks: readonly Check[] = Object.entries(RECORDINGS).map(([container, makeRecording]) => ({
  name: `Speech, ${container}`,
  advice: '`npx wrangler tail` shows what the model said. If it cannot decode this, set SPEECH_BASE_URL.',
  run: (visit) => speak(visit, makeRecording),
}))
