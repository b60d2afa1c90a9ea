import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './start-config.ts'

export interface ListedProcess {
  pid: number
  parent: number
  group: number
  /** Program and arguments; empty for a process that has ended and is not collected yet. */
  command: string
}

/** Lists this machine's processes; empty on Windows, which has no process groups. */
export function listProcesses(): ListedProcess[] {
  if (existsSync('/proc/self/stat')) return readdirSync('/proc').flatMap((name) => readProcess(name) ?? [])
  if (process.platform === 'win32') return []
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,command='], { encoding: 'utf8' })
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, parent, group, command = '']) => {
    return { pid: Number(pid), parent: Number(parent), group: Number(group), command }
  })
}

function readProcess(name: string): ListedProcess | null {
  if (!/^\d+$/.test(name)) return null
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // pid (name) state ppid pgrp …; the name may hold spaces and brackets itself.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid: Number(name), parent: Number(parent), group: Number(group), command }
  } catch {
    // It ended between being listed and being read.
    return null
  }
}

/** Whether anything in the group still runs; what has ended but is not collected yet does not. */
export function isGroupAlive(group: number): boolean {
  return listProcesses().some((listed) => listed.group === group && listed.command !== '')
}

/** Signals a whole process group; false when there is none any more. */
export function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  if (process.platform === 'win32') {
    return spawnSync('taskkill', ['/pid', String(group), '/T', '/F'], { stdio: 'ignore' }).status === 0
  }
  try {
    return process.kill(-group, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

interface NodeProgram {
  /** Absolute path of the script, then its arguments. */
  args: string[]
  cwd: string
  env: Record<string, string | undefined>
  onLine: (line: string) => void
}

export interface RunningProcess {
  child: ChildProcess
  /** Settles with the exit code when the program has ended; null when a signal ended it. */
  ended: Promise<number | null>
}

export interface Processes {
  /** True from the moment when the end of the run begins; a program that ends then did so on our wish. */
  readonly isStopping: boolean
  /** @throws {StartError} when the run is ending */
  start(program: NodeProgram): RunningProcess
  /** Ends all of them and everything that they started; settles when they are gone. */
  stopAll(): Promise<void>
}

const END_WITH_PARENT = new URL('./end-with-parent.ts', import.meta.url).href
// wrangler takes about a second to end its worker; a hung one is killed.
const POLITE_MS = 5000
// A kill takes effect when the system comes round to it.
const KILL_MS = 2000
const KILL_POLL_MS = 20

/**
 * Opens an empty set of programs. Each leads a process group, so that what a crashed one leaves behind is ended too; execa
 * ends only its own child. @param onGroup called with each new process group
 */
export function openProcesses(onGroup: (group: number) => void): Processes {
  const running = new Set<RunningProcess>()
  let isStopping = false
  return {
    get isStopping() {
      return isStopping
    },
    start(program) {
      if (isStopping) throw new StartError('Adapt is stopping.')
      const process = startProgram(program)
      running.add(process)
      void process.ended.then(() => running.delete(process))
      if (process.child.pid) onGroup(process.child.pid)
      return process
    },
    async stopAll() {
      isStopping = true
      await Promise.all([...running].map(stop))
    },
  }
}

function startProgram({ args, cwd, env, onLine }: NodeProgram): RunningProcess {
  // What makes this Node run TypeScript; a debugger's port cannot be shared.
  const flags = process.execArgv.filter((flag) => !flag.startsWith('--inspect'))
  const child = spawn(process.execPath, [...flags, '--import', END_WITH_PARENT, ...args], {
    cwd,
    env,
    // A group of its own: Ctrl-C then reaches only the start command, which ends the parts in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  if (child.stdout) createInterface({ input: child.stdout }).on('line', onLine)
  if (child.stderr) createInterface({ input: child.stderr }).on('line', onLine)
  const ended = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  return { child, ended: ended.finally(() => endGroup(child)) }
}

async function stop({ child, ended }: RunningProcess): Promise<void> {
  // Only the leader is asked, so that it ends its own children and collects them.
  child.kill('SIGTERM')
  const hung = setTimeout(() => child.kill('SIGKILL'), POLITE_MS)
  await ended.finally(() => clearTimeout(hung))
}

// A program that crashed leaves its own children behind, and they hold the port and the data.
async function endGroup({ pid }: ChildProcess): Promise<void> {
  if (!pid || !signalGroup(pid, 'SIGKILL')) return
  const giveUpAt = Date.now() + KILL_MS
  while (isGroupAlive(pid) && Date.now() < giveUpAt) await sleep(KILL_POLL_MS)
}
