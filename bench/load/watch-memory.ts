import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 1_000
const PAGE_KB = 4

export interface Memory {
  /** Of all `workerd` that this process has started, megabytes, once a second. */
  samplesMb: number[]
  stop(): void
}

/** Watches how much memory the workers hold; empty where there is no `/proc`. */
export function watchMemory(): Memory {
  const samplesMb: number[] = []
  let isOver = false
  const watch = async () => {
    while (!isOver) {
      const kb = readWorkersKb()
      if (kb > 0) samplesMb.push(kb / 1024)
      await sleep(EVERY_MS, undefined, { ref: false })
    }
  }
  void watch()
  return {
    samplesMb,
    stop() {
      isOver = true
    },
  }
}

/** What all workers hold now, megabytes; 0 where it cannot be read. */
export function readWorkersMb(): number {
  return readWorkersKb() / 1024
}

function readWorkersKb(): number {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, pid) => sum + readWorkerKb(pid), 0)
  } catch {
    return 0
  }
}

function readWorkerKb(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (!stat.includes('(workerd)') || Number(parent) !== process.pid) return 0
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE_KB
  } catch {
    // It ended between being listed and being read.
    return 0
  }
}
