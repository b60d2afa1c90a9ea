import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveEvent, LiveTicketAnswer } from '#contract/live.ts'
import type { Caller } from '../client.ts'
import { openSocket } from '../client.ts'
import { MODULE_COUNT, moduleIdOf, OWNER } from './traffic.ts'

/** Open all the time; each watches one module. */
export const SOCKETS = 60
const BEHIND_AFTER_MS = 10_000
const LOOK_EVERY_MS = 50

export interface Watchers {
  /** Events that came. */
  count(): number
  /** How many have not received the newest steps of their module within some seconds. */
  countBehind(versions: ReadonlyMap<string, { version: number }>): Promise<number>
  close(): void
}

/** Owners who keep the page of a ready module open. */
export async function openWatchers(url: string, caller: Caller): Promise<Watchers> {
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
    async countBehind(versions) {
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
