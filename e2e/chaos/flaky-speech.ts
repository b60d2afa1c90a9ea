import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ANSWERED_BY_NODE, type NodeCall, serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { randomOf } from './random.ts'
import { speakWords } from './spoken-words.ts'

/** The calls of a round to the recogniser. */
export interface Transcription {
  /** Number of complete answers, by the hash of the audio. */
  answers: Map<string, number>
  /** Calls that were refused or cut off on purpose. */
  refused: number
  /** When the first call came; null before. */
  beganAtMs: number | null
}

/** A speech-to-text server in this process that outlives every killed worker and fails some of its calls. */
export interface FlakySpeech {
  /** The value of SPEECH_BASE_URL. */
  baseUrl: string
  /**
   * Resets the counts; delays and faults follow the seed, and `null` means no faults. For `busyMs` from the first call on,
   * every call is refused at once.
   */
  beginRound(faultSeed: string | null, options?: { busyMs?: number }): Transcription
  close(): Promise<void>
}

type Fate = 'answered' | 'busy' | 'cut before the answer' | 'cut inside the answer'

// A task has seven attempts: at this rate fewer than one in a million uses all of them.
const BUSY_SHARE = 0.05
const CUT_BEFORE_SHARE = 0.03
const CUT_INSIDE_SHARE = 0.02
const SHORTEST_MS = 200
const LONGEST_MS = 1500

/** Starts the recogniser on any free port. */
export async function startFlakySpeech(): Promise<FlakySpeech> {
  let round = openRound(null, 0)
  const { origin, close } = await serveOnFreePort(async (request, { outgoing }) => {
    // The list of models, which shows whether a recogniser is being prepared.
    if (request.method !== 'POST') return new Response(null, { status: 404 })
    // A killed worker's call ends in the middle of its body.
    await answerCall(request, outgoing, round).catch(() => outgoing.destroy())
    return ANSWERED_BY_NODE
  })
  return {
    baseUrl: `${origin}/v1`,
    beginRound(faultSeed, { busyMs = 0 } = {}) {
      round = openRound(faultSeed, busyMs)
      return round
    },
    close,
  }
}

interface Round extends Transcription {
  faultSeed: string | null
  busyMs: number
  /** Calls so far, by the hash of the audio. */
  calls: Map<string, number>
}

function openRound(faultSeed: string | null, busyMs: number): Round {
  return { faultSeed, busyMs, beganAtMs: null, calls: new Map(), answers: new Map(), refused: 0 }
}

async function answerCall(request: Request, response: NodeCall['outgoing'], round: Round): Promise<void> {
  const form = await request.formData()
  const audio = await (form.get('file') as File).bytes()
  round.beganAtMs ??= Date.now()
  if (Date.now() - round.beganAtMs < round.busyMs) {
    round.refused += 1
    return meet('busy', response, '')
  }
  const audioHash = createHash('sha256').update(audio).digest('hex')
  const call = addOne(round.calls, audioHash)
  // Not by order of arrival, which no seed decides.
  const random = randomOf(`${round.faultSeed}/${audioHash}/${call}`)
  await sleep(SHORTEST_MS + random() * (LONGEST_MS - SHORTEST_MS))
  if (response.destroyed) return
  const fate = round.faultSeed === null ? 'answered' : drawFate(random())
  if (fate === 'answered') response.once('finish', () => addOne(round.answers, audioHash))
  else round.refused += 1
  meet(fate, response, audioHash)
}

function addOne(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}

function drawFate(share: number): Fate {
  if (share < BUSY_SHARE) return 'busy'
  if (share < BUSY_SHARE + CUT_BEFORE_SHARE) return 'cut before the answer'
  if (share < BUSY_SHARE + CUT_BEFORE_SHARE + CUT_INSIDE_SHARE) return 'cut inside the answer'
  return 'answered'
}

function meet(fate: Fate, response: NodeCall['outgoing'], audioHash: string): void {
  if (fate === 'cut before the answer') {
    response.destroy()
    return
  }
  if (fate === 'busy') {
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
    response.end(JSON.stringify({ error: { message: 'Too many requests' } }))
    return
  }
  const words = speakWords(audioHash)
  const text = words.map(({ word }) => word).join(' ')
  const body = JSON.stringify({ task: 'transcribe', language: 'english', text, words })
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  if (fate === 'answered') response.end(body)
  else response.write(body.slice(0, body.length / 2), () => response.destroy())
}
