import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export interface ListedProcess {
  pid: number
  /** Process group. */
  group: number
  /** Program and arguments; empty for a process that has ended and is not collected yet. */
  command: string
}

/** Lists this machine's processes; empty on Windows, which has no process groups. */
export function listProcesses(): ListedProcess[] {
  if (existsSync('/proc/self/stat')) return readdirSync('/proc').flatMap((name) => readProcess(name) ?? [])
  if (process.platform === 'win32') return []
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,pgid=,command='], { encoding: 'utf8' })
  return [...stdout.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)].map(([, pid, group, command = '']) => ({
    pid: Number(pid),
    group: Number(group),
    command,
  }))
}

function readProcess(name: string): ListedProcess | null {
  if (!/^\d+$/.test(name)) return null
  try {
    const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
    // pid (name) state ppid pgrp …; the name may hold spaces and brackets itself.
    const [, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    return { pid: Number(name), group: Number(group), command }
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
