import { setTimeout as sleep } from 'node:timers/promises'
import { nanoid } from 'nanoid'
import type { LearningAnswer, SessionAnswer } from '#contract/learning.ts'
import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { Conversation } from '#contract/tutor.ts'
import type { PresignAnswer } from '#contract/upload.ts'
import { type Caller, openSocket } from '../client.ts'

/** Modules that people look at, ask about and edit; one each, so that no limit per module is in the way. */
export const MODULE_COUNT = 12

export function moduleIdOf(number: number): string {
  return `bench-load-${String(number).padStart(11, '0')}`
}

/** Whose modules they are; tokens are the names themselves. */
export const OWNER = 'owner.of.benches'

/** Everything that was acknowledged, and so has to be found afterwards. */
interface Acknowledged {
  /** By module: title of the only step after the last save, and how many saves there were. */
  edits: Map<string, { title: string; version: number }>
  uploads: string[]
  /** Turns by who asked, and about which module. */
  answers: { as: string; moduleId: string; turnId: string }[]
  feedback: string[]
  /** Learners with the seconds that they reported. */
  learners: { moduleId: string; learner: string; seenS: number }[]
}

export interface Traffic {
  caller: Caller
  video: Uint8Array
  acknowledged: Acknowledged
}

/** What people do, one whole action each. */
export const ACTIONS = { view, edit, ask, upload, rate, learn } as const
export type ActionName = keyof typeof ACTIONS

/** How many people do nothing else at the same time. */
export const PEOPLE: Record<ActionName, number> = { view: 6, edit: 3, ask: 3, upload: 1, rate: 1, learn: 2 }

export function openAcknowledged(): Acknowledged {
  return { edits: new Map(), uploads: [], answers: [], feedback: [], learners: [] }
}

function anyModule(): string {
  return moduleIdOf(Math.floor(Math.random() * MODULE_COUNT))
}

async function view({ caller }: Traffic): Promise<void> {
  await caller.ask({ path: `/share/${anyModule()}`, headers: { accept: 'text/html' } })
}

/** Each editor has modules of their own: two who save the same would get a conflict, which is no error. */
async function edit({ caller, acknowledged }: Traffic, person: number): Promise<void> {
  const own = Array.from({ length: MODULE_COUNT }, (_, at) => at).filter((at) => at % PEOPLE.edit === person)
  const moduleId = moduleIdOf(own[Math.floor(Math.random() * own.length)] ?? person)
  const title = `Loosen the nuts ${nanoid(8)}`
  const version = acknowledged.edits.get(moduleId)?.version ?? 0
  const steps = [{ id: 'only', title, description: 'Half a turn with the wrench.', start: 18, end: 36 }]
  const text = await caller.ask({ path: `/api/steps/${moduleId}`, as: OWNER, json: { steps, version } })
  const { meta } = JSON.parse(text) as StepsAnswer
  acknowledged.edits.set(moduleId, { title, version: meta.version })
}

async function ask({ caller, acknowledged }: Traffic): Promise<void> {
  const turn = { as: `${nanoid(8)}.a.learner`, moduleId: anyModule(), turnId: nanoid() }
  const json = { moduleId: turn.moduleId, turnId: turn.turnId, userMessage: 'Where is the wrench for the wheel nuts?' }
  await caller.ask({ path: '/api/ai/contextual-response', as: turn.as, json })
  acknowledged.answers.push(turn)
}

async function upload({ caller, acknowledged, video }: Traffic): Promise<void> {
  const as = `${nanoid(8)}.a.trainer`
  const json = { filename: 'tyre.mp4', contentType: 'video/mp4', sizeBytes: video.byteLength }
  const presigned = await caller.ask({ path: '/api/presigned-upload/presigned-url', as, json })
  const { uploadUrl, key, moduleId } = JSON.parse(presigned) as PresignAnswer
  const { host, pathname, search } = new URL(uploadUrl)
  const body = { bytes: video, contentType: 'video/mp4', host }
  await caller.ask({ method: 'PUT', path: pathname + search, body })
  await caller.ask({ path: '/api/upload/complete', as, json: { moduleId, key } })
  acknowledged.uploads.push(moduleId)
}

async function rate({ caller, acknowledged }: Traffic): Promise<void> {
  const userMessage = `It worked ${nanoid()}`
  const json = { type: 'step_generation', action: 'worked', moduleId: anyModule(), userMessage }
  await caller.ask({ path: '/api/feedback/submit', as: `${nanoid(8)}.a.learner`, json })
  acknowledged.feedback.push(userMessage)
}

const LEARNED_S = 40

async function learn({ caller, acknowledged }: Traffic): Promise<void> {
  const moduleId = anyModule()
  // From one address, so many new learners on one day would be refused.
  const headers = {
    'cf-connecting-ip': `10.${Array.from({ length: 3 }, () => Math.floor(Math.random() * 256)).join('.')}`,
  }
  const started = await caller.ask({ path: `/api/learning-metrics/${moduleId}/sessions`, json: {}, headers })
  const { learner, session } = JSON.parse(started) as SessionAnswer
  // So far ahead of the clock that it is taken at once, as self-reported.
  const report = { moduleId, session, seq: 1, segments: [[0, LEARNED_S]], position: LEARNED_S }
  await caller.ask({ path: '/api/learning-metrics', json: report, headers })
  acknowledged.learners.push({ moduleId, learner, seenS: LEARNED_S })
}

/** Looked for at the same time. */
const AT_ONCE = 8

/** What was acknowledged and is not there, a sentence each. */
export async function findLost(caller: Caller, acknowledged: Acknowledged): Promise<string[]> {
  const { edits, uploads, answers, feedback, learners } = acknowledged
  const lost: string[] = []
  const read = async <Body>(path: string, as?: string) =>
    JSON.parse(await caller.ask({ path, ...(as === undefined ? {} : { as }) })) as Body
  await forEach([...edits], async ([moduleId, { title, version }]) => {
    const { steps, meta } = await read<StepsAnswer>(`/api/steps/${moduleId}`, OWNER)
    if (steps[0]?.title !== title || meta.version !== version) lost.push(`edit ${version} of ${moduleId}`)
  })
  const readIds = async (sql: string) => {
    const rows = JSON.parse(await caller.ask({ path: '/api/bench/sql', json: { sql } })) as { id: string }[]
    return rows.map(({ id }) => id)
  }
  const sources = new Set(await readIds('SELECT id FROM modules WHERE source_etag IS NOT NULL'))
  lost.push(...uploads.filter((id) => !sources.has(id)).map((id) => `upload ${id}`))
  const said = new Set(await readIds('SELECT user_message AS id FROM feedback'))
  lost.push(...feedback.filter((text) => !said.has(text)).map((text) => `feedback ${text}`))
  await forEach(answers, async ({ as, moduleId, turnId }) => {
    const { messages } = await read<Conversation>(`/api/ai/conversation/${moduleId}`, as)
    const answer = messages.find((message) => message.turnId === turnId && message.role === 'assistant')
    if (answer?.end !== 'complete') lost.push(`answer ${turnId}`)
  })
  await forEach(learners, async ({ moduleId, learner, seenS }) => {
    const { progress } = await read<LearningAnswer>(`/api/learning-metrics/${moduleId}/mine?learner=${learner}`)
    if (progress.seen[0]?.[1] !== seenS) lost.push(`what a learner of ${moduleId} has seen`)
  })
  return lost
}

async function forEach<Item>(items: readonly Item[], look: (item: Item) => Promise<void>): Promise<void> {
  for (let at = 0; at < items.length; at += AT_ONCE) await Promise.all(items.slice(at, at + AT_ONCE).map(look))
}

/** Open all the time; each watches one module. */
export const SOCKETS = 60
const BEHIND_AFTER_MS = 10_000
const LOOK_EVERY_MS = 50

/** Owners who keep the page of a ready module open. */
export async function openWatchers(url: string, caller: Caller) {
  let events = 0
  const watchers: { moduleId: string; version: number; socket: WebSocket }[] = []
  for (let number = 0; number < SOCKETS; number += 1) {
    const moduleId = moduleIdOf(number % MODULE_COUNT)
    const answer = await caller.ask({ method: 'POST', path: `/api/modules/${moduleId}/live-ticket`, as: OWNER })
    const { ticket } = JSON.parse(answer) as LiveTicketAnswer
    const socket = await openSocket(`${url.replace('http', 'ws')}/api/modules/${moduleId}/live?ticket=${ticket}`)
    const watcher = { moduleId, version: 0, socket }
    socket.addEventListener('message', ({ data }) => {
      events += 1
      const { stepsVersion } = JSON.parse(String(data)) as LiveEvent
      watcher.version = Math.max(watcher.version, stepsVersion)
    })
    watchers.push(watcher)
  }
  return {
    count: () => events,
    /** How many have not received the newest steps of their module within some seconds. */
    async countBehind(versions: ReadonlyMap<string, { version: number }>) {
      const behind = () => watchers.filter(({ moduleId, version }) => version < (versions.get(moduleId)?.version ?? 0))
      const giveUpAt = Date.now() + BEHIND_AFTER_MS
      while (behind().length > 0 && Date.now() < giveUpAt) await sleep(LOOK_EVERY_MS)
      return behind().length
    },
    close() {
      for (const { socket } of watchers) socket.close()
    },
  }
}
