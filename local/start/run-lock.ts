import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { type ListedProcess, listProcesses, signalGroup } from './processes.ts'
import { StartError } from './start-config.ts'

/** The right to use a state folder alone: two workers on one folder corrupt each other's writes. */
export interface RunLock {
  /** Notes a process group of ours, so that a later run can end it when this one is killed. */
  addGroup: (group: number) => void
  release(): void
}

export interface RunLockOptions {
  stateDir: string
  /** Where this run can be opened, for the message of a second one. */
  address: string
  /** A process of a dead run is ended only when its command names one of these folders. */
  ownDirs: string[]
}

const RunRecord = z.object({ pid: z.number(), address: z.string(), groups: z.array(z.number()) })
type RunRecord = z.infer<typeof RunRecord>

const START_COMMAND = /local[\\/]start[\\/](main\.mjs|start\.ts)/
// wrangler takes about a second to end its worker; a hung one is killed.
const POLITE_MS = 5000

/**
 * Takes the state folder. What a killed run left behind is ended first, which proper-lockfile cannot: it knows the age of a
 * lock, not which `workerd` still writes.
 * @throws {StartError} when another run uses the folder
 */
export async function takeRunLock({ stateDir, address, ownDirs }: RunLockOptions): Promise<RunLock> {
  const path = join(stateDir, 'running.json')
  const earlier = readRecord(path)
  const processes = listProcesses()
  if (earlier && isRunning(earlier, processes)) {
    const where = `process ${earlier.pid}, ${earlier.address}`
    throw new StartError(`Adapt is already running on ${stateDir} (${where}): stop it or set ADAPT_STATE_DIR.`)
  }
  for (const group of earlier?.groups ?? []) await endGroup(group, ownDirs)
  rmSync(path, { force: true })
  const record: RunRecord = { pid: process.pid, address, groups: [] }
  claim(path, record)
  return {
    addGroup(group) {
      record.groups.push(group)
      writeFileSync(path, JSON.stringify(record))
    },
    release: () => rmSync(path, { force: true }),
  }
}

function claim(path: string, record: RunRecord): void {
  try {
    // Exclusive, so that of two runs that begin at the same moment one is refused.
    writeFileSync(path, JSON.stringify(record), { flag: 'wx' })
  } catch {
    throw new StartError(`Adapt is being started on this folder by another process (${path} exists).`)
  }
}

function readRecord(path: string): RunRecord | null {
  try {
    return RunRecord.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    // None, or cut off by a crash: no run holds the folder.
    return null
  }
}

function isRunning({ pid }: RunRecord, processes: ListedProcess[]): boolean {
  // Numbers are used again after a restart of the machine, in a container even the same one for this very process.
  if (pid === process.pid) return false
  return processes.some((listed) => listed.pid === pid && START_COMMAND.test(listed.command))
}

async function endGroup(group: number, ownDirs: string[]): Promise<void> {
  const isOurs = () =>
    listProcesses().some((listed) => listed.group === group && ownDirs.some((dir) => listed.command.includes(dir)))
  if (!isOurs()) return
  signalGroup(group, 'SIGTERM')
  const giveUpAt = Date.now() + POLITE_MS
  while (isOurs() && Date.now() < giveUpAt) await sleep(100)
  if (isOurs()) signalGroup(group, 'SIGKILL')
}
