import { CAPTION_CUES_MAX, STEP_HARD_LIMITS } from '#contract/limits.ts'
import type { LiveTicketAnswer } from '#contract/live.ts'
import { type Caller, openSocket } from '../client.ts'

/** Whose calls are measured, and who learns from the video. The token is the subject. */
export const OWNER = 'owner.of.videos'
/** Who attacks: with an account, and from one address. */
export const HOSTILE = 'hostile.to.all'
const HOSTILE_ADDRESS = '198.51.100.66'

/** The module whose owner and learners are measured. */
export const MODULE_ID = 'bench-abuse-of-owner-01'
/** The attacker's own, shared module. */
export const HOSTILE_MODULE_ID = 'bench-abuse-of-hostile-1'

/** One way to do harm. */
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

const clock = (ms: number) => new Date(ms).toISOString().slice(11, 23)

function writeCaptions(): Uint8Array {
  const cues = Array.from(
    { length: CAPTION_CUES_MAX },
    (_, at) => `${clock(at * 4_000)} --> ${clock(at * 4_000 + 3_900)}\nTurn the screw ${at}.\n`,
  )
  return new TextEncoder().encode(`WEBVTT\n\n${cues.join('\n')}`)
}

function writeSteps(number: number) {
  return Array.from({ length: STEP_HARD_LIMITS.maxSteps }, (_, at) => ({
    id: `step-${at}`,
    title: `Step ${at} of save ${number}`,
    description: 'Turn the screw.',
    start: at,
    end: at + 1,
  }))
}

/** Lists all attacks. @param host of the worker */
export function listAttacks(caller: Caller, url: string): Attack[] {
  const { host } = new URL(url)
  const captions = { bytes: writeCaptions(), contentType: 'text/vtt', host }
  const silence = { bytes: new Uint8Array(SILENCE_BYTES), contentType: 'audio/webm', host }
  const byHostile = { as: HOSTILE, headers }
  const sockets: WebSocket[] = []
  return [
    {
      name: 'caption files of 20,000 cues',
      key: 'captions',
      perSecond: 4,
      strike: () =>
        caller.call({ ...byHostile, method: 'PUT', path: `/api/captions/${HOSTILE_MODULE_ID}`, body: captions }),
    },
    {
      name: 'saves of 500 steps',
      key: 'steps',
      perSecond: 10,
      strike: (number) =>
        caller.call({ ...byHostile, path: `/api/steps/${HOSTILE_MODULE_ID}`, json: { steps: writeSteps(number) } }),
    },
    {
      name: 'new learners who report',
      key: 'learners',
      perSecond: 25,
      strike: async (number) => {
        const path = `/api/learning-metrics/${MODULE_ID}/sessions`
        const { status, text } = await caller.call({ headers, path, json: {} })
        const { session } = status === 200 ? (JSON.parse(text) as { session: string }) : { session: 'none' }
        const segments = Array.from({ length: 200 }, (_, at) => [at * 7 + (number % 7), at * 7 + (number % 7) + 1])
        const json = { moduleId: MODULE_ID, session, seq: 1, segments, position: 1 }
        await caller.call({ headers, path: '/api/learning-metrics', json })
      },
    },
    {
      name: 'questions of unclosed comments',
      key: 'patterns',
      perSecond: 50,
      strike: (number) =>
        caller.call({
          as: `hostile-${number % ACCOUNTS}.to.all`,
          headers,
          path: '/api/ai/contextual-response',
          json: { moduleId: HOSTILE_MODULE_ID, userMessage: '<!--'.repeat(400), videoTime: 0 },
        }),
    },
    {
      name: 'addresses for uploads',
      key: 'presigned',
      perSecond: 50,
      strike: () =>
        caller.call({
          ...byHostile,
          path: '/api/presigned-upload/presigned-url',
          json: { filename: 'a.mp4', contentType: 'video/mp4' },
        }),
    },
    {
      name: 'spoken silence',
      key: 'silence',
      perSecond: 10,
      strike: () =>
        caller.call({ ...byHostile, path: `/api/qa/transcribe?moduleId=${HOSTILE_MODULE_ID}`, body: silence }),
    },
    {
      name: 'sockets of a shared module',
      key: 'sockets',
      perSecond: 25,
      strike: async () => {
        const { status, text } = await caller.call({ headers, path: `/api/share/${MODULE_ID}/live-ticket`, json: {} })
        if (status !== 200 || sockets.length >= SOCKETS_MAX) return
        const { ticket } = JSON.parse(text) as LiveTicketAnswer
        const socket = await openSocket(`${url.replace('http', 'ws')}/api/modules/${MODULE_ID}/live?ticket=${ticket}`)
        sockets.push(socket)
      },
      end: () => {
        for (const socket of sockets) socket.close()
      },
    },
    {
      name: 'ids that lead nowhere',
      key: 'misses',
      perSecond: 50,
      strike: (number) =>
        caller.call({ headers, path: `/share/bench-abuse-missing-${String(number).padStart(6, '0')}` }),
    },
    {
      name: 'feedback',
      key: 'feedback',
      perSecond: 50,
      strike: (number) =>
        caller.call({
          ...byHostile,
          path: '/api/feedback/improvement',
          json: { moduleId: MODULE_ID, type: 'ai_improvement', feedback: `${number} ${'word '.repeat(900)}` },
        }),
    },
  ]
}
