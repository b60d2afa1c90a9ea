import { Agent, request } from 'node:http'
import { median } from '../shared/statistics.ts'

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
