import { readFileSync } from 'node:fs'
import { EraseAnswer } from '#contract/account.ts'
import { AiUseAnswer } from '#contract/debug.ts'
import { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import { SpokenText, StreamError, StreamMeta } from '#contract/tutor.ts'
import { PresignAnswer } from '#contract/upload.ts'
import { BlobWindow } from '#media/byte-window.ts'
import { cutAudioSlice } from '#media/cut-audio.ts'
import { readMediaFacts } from '#media/read-facts.ts'
import { toAdts } from '#worker/domain/media/read-chunk.ts'
import {
  call,
  expectOk,
  LeftOut,
  parseProblem,
  read,
  readHealth,
  requirePerson,
  requireUpload,
  seconds,
  type Visit,
} from './visit.ts'

const FIXTURES = 'local/media/fixtures'
/** Fifteen seconds of narration. */
const VIDEO = `${FIXTURES}/tiny.mp4`

/** Speech in each container that the audio of videos is cut into; what AAC is sent as depends on what the service takes. */
export const RECORDINGS: Readonly<Record<string, () => Promise<Blob>>> = {
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
const VIDEO_TYPE = 'video/mp4'
const QUESTION = 'What do I press?'
const SOCKET_WITHIN_MS = 15_000
const SPOKEN_MS = 5_000
const SPOKEN_ASKS = 4

/** Uploads a video as a browser does: where the bucket is another origin, after a preflight. */
export async function sendVideo(visit: Visit): Promise<string> {
  requirePerson(visit)
  const video = readFileSync(VIDEO)
  const json = { filename: 'smoke.mp4', contentType: VIDEO_TYPE, sizeBytes: video.byteLength }
  const answer = await call(visit, '/api/presigned-upload/presigned-url', { json })
  const ownMs = Date.now()
  const { uploadUrl, moduleId, key } = await read(PresignAnswer, answer)
  const address = new URL(uploadUrl)
  const stamp = address.searchParams.get('X-Amz-Date') ?? ''
  const theirMs = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  Object.assign(visit, { moduleId, workerOffMs: Math.abs(theirMs - ownMs) })
  const headers = { origin: visit.origin, 'content-type': VIDEO_TYPE }
  const isOther = address.origin !== visit.origin
  if (isOther) {
    const wanted = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }
    const preflight = await fetch(uploadUrl, { method: 'OPTIONS', headers: { origin: visit.origin, ...wanted } })
    const allowed = preflight.headers.get('access-control-allow-origin')
    if (!preflight.ok || allowed !== visit.origin)
      throw new Error(
        `the preflight of ${visit.origin} was answered ${preflight.status}, for ${allowed ?? 'no origin'}`,
      )
  }
  const put = await fetch(uploadUrl, { method: 'PUT', headers, body: video })
  await expectOk(put)
  const exposed = put.headers.get('access-control-expose-headers') ?? ''
  if (isOther && !/\betag\b/i.test(exposed)) throw new Error('the bucket does not show the ETag, which parts need')
  visit.key = key
  return `${video.byteLength} bytes ${isOther ? 'after a preflight' : 'to the same origin'}`
}

export async function readUse(visit: Visit): Promise<{ modelAnswers: number; estimatedUsd: number }> {
  const { moduleId } = requireUpload(visit)
  const { rows } = await read(AiUseAnswer, await call(visit, '/api/debug/usage'))
  return rows.find((row) => row.moduleId === moduleId) ?? { modelAnswers: 0, estimatedUsd: 0 }
}

export async function askTutor(visit: Visit): Promise<string> {
  const { moduleId } = requireUpload(visit)
  const json = { moduleId, userMessage: QUESTION, turnId: crypto.randomUUID() }
  const answer = await expectOk(await call(visit, '/api/ai/contextual-response/stream', { json }))
  const lines = (await answer.text()).split('\n').flatMap((line) => /^data: ?(.+)$/.exec(line)?.[1] ?? [])
  if (lines.at(-1) !== '[DONE]') throw new Error(`the stream ended with ${lines.at(-1) ?? 'nothing'}`)
  const pieces = lines.slice(0, -1).map((line): unknown => JSON.parse(line))
  const failure = pieces.map((piece) => StreamError.safeParse(piece).data).find((error) => error !== undefined)
  if (failure !== undefined) throw new Error(failure.error)
  const meta = pieces.map((piece) => StreamMeta.safeParse(piece).data).find((each) => each !== undefined)
  if (meta === undefined) throw new Error('the stream had no answer')
  const { modelAnswers } = await readUse(visit)
  const quoted = 'the tutor quoted the video'
  if (modelAnswers === 0)
    throw visit.isHere ? new LeftOut(`${quoted}: no language model answers here`) : new Error(quoted)
  return `answered within ${seconds(meta.ms)}: ${meta.answer.slice(0, 80)}`
}

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
export async function speak(visit: Visit, makeRecording: () => Promise<Blob>): Promise<string> {
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

export async function watchModule(visit: Visit): Promise<string> {
  const { moduleId } = requireUpload(visit)
  const open = async (cursor: number): Promise<LiveEvent> => {
    const { ticket } = await read(
      LiveTicketAnswer,
      await call(visit, `/api/modules/${moduleId}/live-ticket`, { method: 'POST' }),
    )
    const query = new URLSearchParams({ ticket, cursor: String(cursor) })
    const socket = new WebSocket(`${visit.origin.replace(/^http/, 'ws')}/api/modules/${moduleId}/live?${query}`)
    try {
      return await new Promise<LiveEvent>((resolve, reject) => {
        const fail = (why: string) => reject(new Error(`the socket ${why}`))
        AbortSignal.timeout(SOCKET_WITHIN_MS).addEventListener('abort', () => fail('said nothing'))
        socket.onmessage = ({ data }) => resolve(LiveEvent.parse(JSON.parse(String(data))))
        socket.onclose = ({ code, reason }) => fail(`was closed: ${code} ${reason}`)
      })
    } finally {
      socket.close()
    }
  }
  const first = await open(0)
  const next = await open(first.seq)
  if (next.seq !== first.seq + 1) throw new Error(`after event ${first.seq} it replayed ${next.seq}`)
  return `replays from event ${first.seq} on`
}

export async function removeAll(visit: Visit): Promise<string> {
  const person = requirePerson(visit)
  const json = { confirm: 'erase' }
  const erase = async () => read(EraseAnswer, await call(visit, '/api/account', { method: 'DELETE', json }))
  const removeModule = async () => {
    // Else it would stay with the organization.
    if (!person.needsOrganization || visit.moduleId === '') return
    await expectOk(await call(visit, `/api/modules/${visit.moduleId}`, { method: 'DELETE' }))
  }
  const { modulesLeft, removedBy } = await removeModule()
    .then(erase)
    .finally(() => person.remove())
  if (visit.moduleId === '') return 'the person'
  const { status } = await fetch(`${visit.origin}/share/${visit.moduleId}`, { headers: { accept: 'application/json' } })
  if (status !== 404) throw new Error(`the shared page still answers ${status}`)
  if (person.needsOrganization) return 'the person and the module; its files go after a week'
  return `the person, the module and ${modulesLeft === 0 ? 'its files' : `by ${removedBy} its files`}`
}
