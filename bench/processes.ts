// What processes of this machine use, read from Linux's `/proc`.
import { existsSync, readFileSync } from 'node:fs'
import { listProcesses } from '#local/start/processes.ts'
import { sum } from './scenario.ts'

/** Clock ticks of Linux's process accounting. */
const TICKS_PER_S = 100
const SAMPLE_MS = 10

export interface Usage {
  cpuS: number
  wallS: number
  /** Highest resident memory above what it was before. */
  peakRiseMb: number
}

/** Lists every `workerd` below this process; none where there is no `/proc`. */
export function findWorkerds(): number[] {
  const processes = existsSync('/proc/self/stat') ? listProcesses() : []
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const isOurs = (pid: number): boolean => pid === process.pid || (pid > 1 && isOurs(parents.get(pid) ?? 0))
  return processes.flatMap(({ pid, command }) => (/^\S*\bworkerd /.test(command) && isOurs(pid) ? [pid] : []))
}

/** Measures resident memory of some processes together; 0 for those that have ended. */
export function residentMb(pids: readonly number[]): number {
  return sum(pids.map((pid) => Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status'))?.[1] ?? 0))) / 1024
}

/** Watches the highest memory of some processes. @returns a function that ends this and returns the rise in MB */
export function watchRise(pids: readonly number[], sampleMs: number): () => number {
  const beforeMb = residentMb(pids)
  let peakMb = beforeMb
  const sampler = setInterval(() => {
    peakMb = Math.max(peakMb, residentMb(pids))
  }, sampleMs)
  return () => {
    clearInterval(sampler)
    return peakMb - beforeMb
  }
}

export async function measureUsage<T>(pids: readonly number[], work: () => Promise<T>) {
  const endRise = watchRise(pids, SAMPLE_MS)
  const [cpuBefore, wallBefore] = [cpuSeconds(pids), performance.now()]
  try {
    const result = await work()
    const cpuS = cpuSeconds(pids) - cpuBefore
    const usage: Usage = { cpuS, wallS: (performance.now() - wallBefore) / 1000, peakRiseMb: endRise() }
    return { result, usage }
  } finally {
    endRise()
  }
}

/** User and system time of all threads. */
function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    // The name in parentheses may hold spaces; the fields after it do not.
    const fields = readProc(pid, 'stat')
      .replace(/^.*\) /, '')
      .split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return sum(ticks) / TICKS_PER_S
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // A process may end between being listed and being read.
    return ''
  }
}
