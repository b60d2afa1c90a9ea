import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { openSocket } from '../client.ts'
import { median } from '../scenario.ts'
import { askWorker } from '../serve.ts'

/** The module that learners open. */
export const MODULE_ID = 'benchbenchbenchbench01'
/** Its subject owns the module. */
export const TOKEN = 'owner.of.benches'

/** What is compared, by name: the cached page, a file that no worker sees, a route that does nothing. */
export type Targets = Record<'page' | 'file' | 'bare', string>

export interface Answers {
  firstByteMs: Record<keyof Targets, number>
  requestsPerS: Record<keyof Targets, number>
}

const ROUNDS = 300
const CONNECTIONS = 20
const LOAD_MS = 3_000

/** One after the other over one open connection, in turns, so that noise meets all of them alike. */
export async function measureAnswers(targets: Targets): Promise<Answers> {
  const names = Object.keys(targets) as (keyof Targets)[]
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: Record<keyof Targets, number[]> = { page: [], file: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) times[name].push(await ask(targets[name], agent))
  }
  agent.destroy()
  const requestsPerS = { page: 0, file: 0, bare: 0 }
  for (const name of names) requestsPerS[name] = await load(targets[name])
  return { firstByteMs: { page: median(times.page), file: median(times.file), bare: median(times.bare) }, requestsPerS }
}

async function load(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const endAtMs = performance.now() + LOAD_MS
  let answers = 0
  async function askOn() {
    while (performance.now() < endAtMs) {
      await ask(url, agent)
      answers += 1
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, askOn))
  agent.destroy()
  return answers / (LOAD_MS / 1000)
}

/** Milliseconds until the head of the answer is there; its body is read to the end. */
function ask(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now()
    request(url, { agent, headers: { accept: 'text/html' } }, (answer) => {
      const firstByteMs = performance.now() - startedMs
      answer.resume()
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(firstByteMs)
        else reject(new Error(`${url} answered ${answer.statusCode}`))
      })
    })
      .on('error', reject)
      .end()
  })
}

/** What a learner loads, gzipped, in kB of 1,000 bytes. */
export interface Bytes {
  /** Scripts without which nothing can be seen or pressed. */
  usableScriptKb: number
  /** All that the page can ever load, player and live updates included. */
  allScriptKb: number
  /** Style sheets before the first paint, and all. */
  firstStyleKb: number
  allStyleKb: number
  htmlKb: number
}

export async function measureBytes(site: string, url: string): Promise<Bytes> {
  const html = await (await fetch(`${url}/share/${MODULE_ID}`, { headers: { accept: 'text/html' } })).text()
  const names = await readdir(join(site, 'assets'))
  const isFirst = (name: string) => html.includes(`/assets/${name}`)
  const sizes = async (keep: (name: string) => boolean) => {
    const files = await Promise.all(names.filter(keep).map((name) => readFile(join(site, 'assets', name))))
    return sumKb(files)
  }
  const theme = sumKb([await readFile(join(site, 'theme.js'))])
  return {
    usableScriptKb: theme + (await sizes((name) => name.endsWith('.js') && isFirst(name))),
    allScriptKb: theme + (await sizes((name) => name.endsWith('.js'))),
    firstStyleKb: await sizes((name) => name.endsWith('.css') && isFirst(name)),
    allStyleKb: await sizes((name) => name.endsWith('.css')),
    htmlKb: sumKb([Buffer.from(html)]),
  }
}

function sumKb(files: Buffer[]): number {
  return files.reduce((sum, file) => sum + gzipSync(file).byteLength, 0) / 1000
}

export const CROWD = 1_000
/** Sockets that are opened at once; a laptop's listen queue is short. */
const OPEN_AT_ONCE = 100
const GIVE_UP_MS = 60_000

export interface Crowd {
  /** From the change until the last of a thousand has received it. */
  allStatedMs: number
  /** How often the worker ran behind the cache for a thousand who came to a cold page at once. */
  originRuns: number
  /** Until the last of them had the page. */
  allServedMs: number
}

export async function measureCrowd(url: string): Promise<Crowd> {
  return { allStatedMs: await measureSockets(url), ...(await measureFirstHits(url)) }
}

async function measureSockets(url: string): Promise<number> {
  // Anyone with the link follows only what is in progress, and this module is ready.
  const headers = { authorization: `Bearer ${TOKEN}` }
  const answer = await fetch(`${url}/api/modules/${MODULE_ID}/live-ticket`, { method: 'POST', headers })
  const { ticket } = (await answer.json()) as { ticket: string }
  const address = `${url.replace('http', 'ws')}/api/modules/${MODULE_ID}/live?ticket=${ticket}&cursor=1000`
  const sockets: WebSocket[] = []
  while (sockets.length < CROWD) {
    sockets.push(...(await Promise.all(Array.from({ length: OPEN_AT_ONCE }, () => openSocket(address)))))
  }
  const received = sockets.map(
    (socket) => new Promise<void>((resolve) => socket.addEventListener('message', () => resolve(), { once: true })),
  )
  const startedMs = performance.now()
  await askWorker(`${url}/api/bench/sql`, { post: { sql: 'UPDATE modules SET steps_version = steps_version + 1' } })
  await askWorker(`${url}/api/bench/publish/${MODULE_ID}`, { post: {} })
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('not every socket received the change')), GIVE_UP_MS).unref()
  })
  await Promise.race([Promise.all(received), late])
  const allStatedMs = performance.now() - startedMs
  for (const socket of sockets) socket.close()
  return allStatedMs
}

async function measureFirstHits(url: string): Promise<Omit<Crowd, 'allStatedMs'>> {
  await askWorker(`${url}/api/bench/cold/${MODULE_ID}`, { post: {} })
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
  const { originRuns } = await askWorker<{ originRuns: number }>(`${url}/api/bench/runs`)
  return { originRuns, allServedMs }
}
