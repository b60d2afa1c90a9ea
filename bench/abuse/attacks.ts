import { CAPTION_CUES_MAX, CAPTIONS_MAX_BYTES, STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { LiveTicketAnswer } from '#contract/live.ts'
import { writePressCaptions } from '#worker/domain/transcript/testing/press-captions.ts'
import { type Call, type Caller, openSocket } from '../client.ts'

/** Whose calls are measured, and who learns from the video. The token is the subject. */
export const OWNER = 'owner.of.videos'
/** Who attacks: with an account, and from one address. */
export const HOSTILE = 'hostile.to.all'
const HOSTILE_ADDRESS = '198.51.100.66'

/** The module whose owner and learners are measured. */
export const MODULE_ID = 'bench-abuse-of-owner-1'
/** The attacker's own, shared module. */
export const HOSTILE_MODULE_ID = 'bench-abuse-of-hostile-1'

export interface Attack {
  name: string
  /** In the names of figures. */
  key: string
  perSecond: number
  /** Does it once; a refusal is an answer. */
  strike: (number: number) => Promise<unknown>
  end?: () => void
}

const SILENCE_BYTES = 450_000
const SOCKETS_MAX = 500
/** Hostile accounts, each with limits of its own. */
const ACCOUNTS = 10

const headers = { 'cf-connecting-ip': HOSTILE_ADDRESS }

const many = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at))
const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)

function writeCaptions(): Uint8Array {
  const writeCue = (at: number) => `${clock(at * 4_000)} --> ${clock(at * 4_000 + 3_900)}\nTurn the screw ${at}.\n`
  return new TextEncoder().encode(`WEBVTT\n\n${many(CAPTION_CUES_MAX, writeCue).join('\n')}`)
}

function writeSteps(number: number) {
  return many(STEP_HARD_LIMITS.maxSteps, (at) => {
    const title = `Step ${at} of save ${number}`
    return { id: `step-${at}`, title, description: 'Turn the screw.', start: at, end: at + 1 }
  })
}

export function listAttacks(caller: Caller, url: string): Attack[] {
  const captions = { bytes: writeCaptions(), contentType: 'text/vtt' }
  const press = { bytes: new TextEncoder().encode(writePressCaptions(CAPTIONS_MAX_BYTES)), contentType: 'text/vtt' }
  const silence = { bytes: new Uint8Array(SILENCE_BYTES), contentType: 'audio/webm' }
  const unclosed = { moduleId: HOSTILE_MODULE_ID, userMessage: '<!--'.repeat(400), videoTime: 0 }
  const callOnce = (key: string, name: string, perSecond: number, makeCall: (number: number) => Call): Attack => {
    return { key, name, perSecond, strike: (number) => caller.call({ as: HOSTILE, headers, ...makeCall(number) }) }
  }
  return [
    callOnce('captions', 'caption files of 20,000 cues', 4, () => {
      return { method: 'PUT', path: `/api/captions/${HOSTILE_MODULE_ID}`, body: captions }
    }),
    callOnce('sentences', 'caption files of 300,000 sentences', 1, () => {
      return { method: 'PUT', path: `/api/captions/${HOSTILE_MODULE_ID}`, body: press }
    }),
    callOnce('steps', 'saves of 500 steps', 10, (number) => {
      return { path: `/api/steps/${HOSTILE_MODULE_ID}`, json: { steps: writeSteps(number) } }
    }),
    {
      key: 'learners',
      name: 'new learners who report',
      perSecond: 25,
      strike: (number) => reportAsNew(caller, number),
    },
    {
      key: 'networks',
      name: 'new learners who report, each from a network of one /48',
      perSecond: 25,
      strike: (number) => reportAsNew(caller, number, `2001:db8:66:${number.toString(16)}::1`),
    },
    callOnce('patterns', 'questions of unclosed comments', 50, (number) => {
      return { as: `hostile-${number % ACCOUNTS}.to.all`, path: '/api/ai/contextual-response', json: unclosed }
    }),
    callOnce('presigned', 'addresses for uploads', 50, () => {
      return { path: '/api/presigned-upload/presigned-url', json: { filename: 'a.mp4', contentType: 'video/mp4' } }
    }),
    callOnce('silence', 'spoken silence', 10, () => {
      return { path: `/api/qa/transcribe?moduleId=${HOSTILE_MODULE_ID}`, body: silence }
    }),
    { key: 'sockets', name: 'sockets of a shared module', perSecond: 25, ...openSockets(caller, url) },
    { key: 'misses', name: 'ids that lead nowhere', perSecond: 50, strike: (number) => visitNowhere(caller, number) },
    callOnce('edge', 'shared pages from invented collections', 50, (number) => {
      return { path: `/share/${MODULE_ID}?collection=${String(number).padStart(22, 'c')}` }
    }),
    callOnce('feedback', 'feedback', 50, (number) => {
      const json = { moduleId: MODULE_ID, type: 'ai_improvement', feedback: `${number} ${'word '.repeat(900)}` }
      return { path: '/api/feedback/improvement', json }
    }),
  ]
}

function visitNowhere(caller: Caller, number: number): Promise<unknown> {
  return caller.call({ headers, path: `/share/bench-abuse-missing-${String(number).padStart(6, '0')}` })
}

async function reportAsNew(caller: Caller, number: number, address = HOSTILE_ADDRESS): Promise<void> {
  const headers = { 'cf-connecting-ip': address }
  const path = `/api/learning-metrics/${MODULE_ID}/sessions`
  const { status, text } = await caller.call({ headers, path, json: {} })
  const { session } = status === 200 ? (JSON.parse(text) as { session: string }) : { session: 'none' }
  const segments = many(200, (at) => [at * 7 + (number % 7), at * 7 + (number % 7) + 1])
  const json = { moduleId: MODULE_ID, session, seq: 1, segments, position: 1 }
  await caller.call({ headers, path: '/api/learning-metrics', json })
}

function openSockets(caller: Caller, url: string): Pick<Attack, 'strike' | 'end'> {
  const sockets: WebSocket[] = []
  return {
    strike: async () => {
      const { status, text } = await caller.call({ headers, path: `/api/share/${MODULE_ID}/live-ticket`, json: {} })
      if (status !== 200 || sockets.length >= SOCKETS_MAX) return
      const { ticket } = JSON.parse(text) as LiveTicketAnswer
      const address = `${url.replace('http', 'ws')}/api/modules/${MODULE_ID}/live?ticket=${ticket}`
      sockets.push(await openSocket(address))
    },
    end: () => sockets.forEach((socket) => socket.close()),
  }
}
