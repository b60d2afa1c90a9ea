import { nanoid } from 'nanoid'
import pLimit from 'p-limit'
import type { LearningAnswer, SessionAnswer } from '#contract/learning.ts'
import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { StepsAnswer } from '#contract/step.ts'
import type { Conversation } from '#contract/tutor.ts'
import type { PresignAnswer } from '#contract/upload.ts'
import { type Caller, openSocket } from '../client.ts'
import { waitFor } from '../rounds.ts'
import type { ServedWorker } from '../serve.ts'

/** Modules that people look at, ask about and edit; one each, so that no limit per module is in the way. */
export const MODULE_COUNT = 12

export function moduleIdOf(number: number): string {
  return `bench-load-${String(number).padStart(11, '0')}`
}

/** Whose modules they are; tokens are the names themselves. */
export const OWNER = 'owner.of.benches'

export interface Traffic {
  worker: ServedWorker
  caller: Caller
  video: Uint8Array
  /** Everything that was acknowledged, by a name for it, and a look for it; the last edit of a module takes the place of earlier ones. */
  acknowledged: Map<string, () => Promise<boolean>>
  /** Of the steps of each module, after the last save. */
  versions: Map<string, number>
}

export const ACTIONS = { view, edit, ask, upload, rate, learn } as const
export type ActionName = keyof typeof ACTIONS

/** How many people do nothing else at the same time. */
export const PEOPLE: Record<ActionName, number> = { view: 6, edit: 3, ask: 3, upload: 1, rate: 1, learn: 2 }

const below = (count: number) => Math.floor(Math.random() * count)
const anyModule = () => moduleIdOf(below(MODULE_COUNT))

async function view({ caller }: Traffic): Promise<void> {
  await caller.ask({ path: `/share/${anyModule()}`, headers: { accept: 'text/html' } })
}

/** Each editor has modules of their own: two who save the same would get a conflict, which is no error. */
async function edit({ caller, acknowledged, versions }: Traffic, person: number): Promise<void> {
  const moduleId = moduleIdOf(below(MODULE_COUNT / PEOPLE.edit) * PEOPLE.edit + person)
  const title = `Loosen the nuts ${nanoid(8)}`
  const steps = [{ id: 'only', title, description: 'Half a turn with the wrench.', start: 18, end: 36 }]
  const asOwner = { path: `/api/steps/${moduleId}`, as: OWNER }
  const json = { steps, version: versions.get(moduleId) ?? 0 }
  const { version } = (await caller.ask<StepsAnswer>({ ...asOwner, json })).meta
  versions.set(moduleId, version)
  acknowledged.set(`edits of ${moduleId}`, async () => {
    const found = await caller.ask<StepsAnswer>(asOwner)
    return found.steps[0]?.title === title && found.meta.version === version
  })
}

async function ask({ caller, acknowledged }: Traffic): Promise<void> {
  const [as, moduleId, turnId] = [`${nanoid(8)}.a.learner`, anyModule(), nanoid()]
  const json = { moduleId, turnId, userMessage: 'Where is the wrench for the wheel nuts?' }
  await caller.ask({ path: '/api/ai/contextual-response', as, json })
  acknowledged.set(`answer ${turnId}`, async () => {
    const { messages } = await caller.ask<Conversation>({ path: `/api/ai/conversation/${moduleId}`, as })
    return messages.find((message) => message.turnId === turnId && message.role === 'assistant')?.end === 'complete'
  })
}

async function upload({ worker, caller, acknowledged, video }: Traffic): Promise<void> {
  const as = `${nanoid(8)}.a.trainer`
  const json = { filename: 'tyre.mp4', contentType: 'video/mp4', sizeBytes: video.byteLength }
  const presigned = await caller.ask<PresignAnswer>({ path: '/api/presigned-upload/presigned-url', as, json })
  const { uploadUrl, key, moduleId } = presigned
  const { pathname, search } = new URL(uploadUrl)
  await caller.ask({ method: 'PUT', path: pathname + search, body: { bytes: video, contentType: 'video/mp4' } })
  await caller.ask({ path: '/api/upload/complete', as, json: { moduleId, key } })
  const find = 'SELECT id FROM modules WHERE id = ? AND source_etag IS NOT NULL'
  acknowledged.set(`upload ${moduleId}`, async () => (await worker.sql(find, moduleId)).length > 0)
}

async function rate({ worker, caller, acknowledged }: Traffic): Promise<void> {
  const userMessage = `It worked ${nanoid()}`
  const json = { type: 'step_generation', action: 'worked', moduleId: anyModule(), userMessage }
  await caller.ask({ path: '/api/feedback/submit', as: `${nanoid(8)}.a.learner`, json })
  const find = 'SELECT 1 FROM feedback WHERE user_message = ?'
  acknowledged.set(`feedback ${userMessage}`, async () => (await worker.sql(find, userMessage)).length > 0)
}

const LEARNED_S = 40

async function learn({ caller, acknowledged }: Traffic): Promise<void> {
  const moduleId = anyModule()
  // From one address, so many new learners on one day would be refused.
  const headers = { 'cf-connecting-ip': `10.${below(256)}.${below(256)}.${below(256)}` }
  const metrics = `/api/learning-metrics/${moduleId}`
  const { learner, session } = await caller.ask<SessionAnswer>({ path: `${metrics}/sessions`, json: {}, headers })
  // So far ahead of the clock that it is taken at once, as self-reported.
  const report = { moduleId, session, seq: 1, segments: [[0, LEARNED_S]], position: LEARNED_S }
  await caller.ask({ path: '/api/learning-metrics', json: report, headers })
  acknowledged.set(`what learner ${learner} of ${moduleId} has seen`, async () => {
    const { progress } = await caller.ask<LearningAnswer>({ path: `${metrics}/mine?learner=${learner}` })
    return progress.seen[0]?.[1] === LEARNED_S
  })
}

/** Looked for at the same time. */
const AT_ONCE = 8

/** Names what was acknowledged and is not there. */
export async function findLost({ acknowledged }: Traffic): Promise<string[]> {
  const looks = await pLimit(AT_ONCE).map(acknowledged, async ([what, isThere]) => ((await isThere()) ? [] : [what]))
  return looks.flat()
}

/** Open all the time; each watches one module. */
export const SOCKETS = 60
const BEHIND = { everyMs: 50, withinMs: 10_000 }

/** Owners who keep the page of a ready module open. */
export async function openWatchers({ worker, caller, versions }: Traffic) {
  let events = 0
  const watchers: { moduleId: string; version: number; socket: WebSocket }[] = []
  for (let number = 0; number < SOCKETS; number += 1) {
    const moduleId = moduleIdOf(number % MODULE_COUNT)
    const live = `/api/modules/${moduleId}/live`
    const { ticket } = await caller.ask<LiveTicketAnswer>({ method: 'POST', path: `${live}-ticket`, as: OWNER })
    const socket = await openSocket(`${worker.url.replace('http', 'ws')}${live}?ticket=${ticket}`)
    const watcher = { moduleId, version: 0, socket }
    socket.addEventListener('message', ({ data }) => {
      events += 1
      const { stepsVersion } = JSON.parse(String(data)) as LiveEvent
      watcher.version = Math.max(watcher.version, stepsVersion)
    })
    watchers.push(watcher)
  }
  const countBehind = () => watchers.filter(({ moduleId, version }) => version < (versions.get(moduleId) ?? 0)).length
  /** Closes all. @returns the events that they received, and how many lack the newest steps of their module after some seconds */
  return async () => {
    await waitFor(async () => (countBehind() === 0 ? true : null), BEHIND).catch(() => {})
    for (const { socket } of watchers) socket.close()
    return { events, socketsBehind: countBehind() }
  }
}
