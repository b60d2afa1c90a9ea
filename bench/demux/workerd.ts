import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findFreePort } from '../shared/free-port.ts'

/** Clock ticks of Linux's process accounting. */
const TICKS_PER_S = 100
const SAMPLE_MS = 10
const START_TIMEOUT_MS = 60_000

/** What a process used during a stretch of work. */
export interface Usage {
  cpuS: number
  wallS: number
  /** Highest resident memory above what it was before. */
  peakRiseMb: number
}

/** A running `wrangler dev` of the bench's worker, its storage kept between runs in one folder. */
export class BenchWorker {
  readonly url: string
  readonly #wrangler: ChildProcess
  readonly #workerds: number[]

  private constructor(url: string, wrangler: ChildProcess, workerds: number[]) {
    this.url = url
    this.#wrangler = wrangler
    this.#workerds = workerds
  }

  static async start(stateFolder: string): Promise<BenchWorker> {
    const port = await findFreePort()
    const here = import.meta.dirname
    const bin = join(here, '../../node_modules/wrangler/bin/wrangler.js')
    const args = ['dev', '--config', join(here, 'wrangler.toml'), '--local', '--persist-to', stateFolder]
    const wrangler = spawn(process.execPath, [bin, ...args, '--port', String(port), '--log-level', 'error'], {
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // It says a lot on its way out; what it says matters only when it does not start.
    let said = ''
    wrangler.stderr?.on('data', (text: Buffer) => {
      said += text.toString()
    })
    const url = `http://127.0.0.1:${port}`
    if (!(await becomesReady(`${url}/idle`, wrangler))) throw new Error(`wrangler dev did not start: ${said}`)
    return new BenchWorker(url, wrangler, findWorkerds(wrangler.pid ?? 0))
  }

  /** Runs work against the worker and accounts for what its process used meanwhile. */
  async measure<T>(work: () => Promise<T>): Promise<{ result: T; usage: Usage }> {
    const idleMb = sum(this.#workerds, residentMb)
    let peakMb = idleMb
    const sampler = setInterval(() => {
      peakMb = Math.max(peakMb, sum(this.#workerds, residentMb))
    }, SAMPLE_MS)
    const [cpuBefore, wallBefore] = [sum(this.#workerds, cpuSeconds), performance.now()]
    try {
      const result = await work()
      const usage = {
        cpuS: sum(this.#workerds, cpuSeconds) - cpuBefore,
        wallS: (performance.now() - wallBefore) / 1000,
        peakRiseMb: peakMb - idleMb,
      }
      return { result, usage }
    } finally {
      clearInterval(sampler)
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#wrangler.once('exit', resolve))
    this.#wrangler.kill('SIGTERM')
    await ended
  }
}

async function becomesReady(url: string, process: ChildProcess): Promise<boolean> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while (performance.now() < deadline && process.exitCode === null) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  process.kill('SIGTERM')
  return false
}

/** One workerd runs the worker and its storage, another passes requests on to it; both are grandchildren. */
function findWorkerds(ancestor: number): number[] {
  const parents = new Map<number, number>()
  const candidates: number[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const status = readProc(Number(name), 'status')
    parents.set(Number(name), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    if (/^Name:\s+workerd/m.test(status)) candidates.push(Number(name))
  }
  const isOurs = (pid: number): boolean => pid === ancestor || (pid > 1 && isOurs(parents.get(pid) ?? 0))
  const found = candidates.filter(isOurs)
  if (found.length === 0) throw new Error('No workerd under wrangler')
  return found
}

function sum(pids: number[], of: (pid: number) => number): number {
  return pids.reduce((total, pid) => total + of(pid), 0)
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? 0) / 1024
}

/** User and system time of all threads. */
function cpuSeconds(pid: number): number {
  // The name in parentheses may hold spaces; what follows it does not.
  const fields = readProc(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // A process may end between being listed and being read.
    return ''
  }
}
