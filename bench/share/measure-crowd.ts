import { openSocket } from '../shared/open-socket.ts'
import { MODULE_ID } from './planted.ts'

export const CROWD = 1_000
/** Sockets that are opened at once; a laptop's listen queue is short. */
const OPEN_AT_ONCE = 100
const GIVE_UP_MS = 60_000

export interface Crowd {
  /** From the change until the last of a thousand has heard of it. */
  allToldMs: number
  /** How often the worker ran behind the cache for a thousand who came to a cold page at once. */
  originRuns: number
  /** Until the last of them had the page. */
  allServedMs: number
}

export async function measureCrowd(url: string): Promise<Crowd> {
  return { allToldMs: await measureSockets(url), ...(await measureFirstHits(url)) }
}

async function measureSockets(url: string): Promise<number> {
  // Anyone with the link is told of what is in progress only, and this module is ready.
  const headers = { authorization: 'Bearer a.b.c' }
  const answer = await fetch(`${url}/api/modules/${MODULE_ID}/live-ticket`, { method: 'POST', headers })
  const { ticket } = (await answer.json()) as { ticket: string }
  const address = `${url.replace('http', 'ws')}/api/modules/${MODULE_ID}/live?ticket=${ticket}&cursor=1000`
  const sockets: WebSocket[] = []
  while (sockets.length < CROWD) {
    sockets.push(...(await Promise.all(Array.from({ length: OPEN_AT_ONCE }, () => openSocket(address)))))
  }
  const heard = sockets.map(
    (socket) => new Promise<void>((resolve) => socket.addEventListener('message', () => resolve(), { once: true })),
  )
  const startedMs = performance.now()
  await fetch(`${url}/api/bench/event`, { method: 'POST' })
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('not everyone was told')), GIVE_UP_MS).unref()
  })
  await Promise.race([Promise.all(heard), late])
  const allToldMs = performance.now() - startedMs
  for (const socket of sockets) socket.close()
  return allToldMs
}

async function measureFirstHits(url: string): Promise<Omit<Crowd, 'allToldMs'>> {
  await fetch(`${url}/api/bench/cold`, { method: 'POST' })
  const startedMs = performance.now()
  const answers = await Promise.all(
    Array.from({ length: CROWD }, async () => {
      const answer = await fetch(`${url}/share/${MODULE_ID}`, { headers: { accept: 'text/html' } })
      await answer.text()
      return answer.status
    }),
  )
  const allServedMs = performance.now() - startedMs
  if (answers.some((status) => status !== 200)) throw new Error('not everyone got the page')
  const { originRuns } = (await (await fetch(`${url}/api/bench/runs`)).json()) as { originRuns: number }
  return { originRuns, allServedMs }
}
