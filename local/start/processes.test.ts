import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listProcesses, openProcesses } from './processes.ts'

let dir: string
let groups: number[]
let lines: string[]
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'adapt-processes-'))
  groups = []
  lines = []
})
afterEach(() => rm(dir, { recursive: true }))

async function program(source: string) {
  const path = join(dir, 'program.mjs')
  await writeFile(path, source)
  return { args: [path], cwd: dir, env: process.env, onLine: (line: string) => lines.push(line) }
}

const open = () => openProcesses((group) => groups.push(group))
const inGroups = () => listProcesses().filter(({ group, command }) => groups.includes(group) && command !== '')

const WITH_CHILD = `
import { spawn } from 'node:child_process'
spawn(process.execPath, ['-e', 'console.log("child is up"); setInterval(() => {}, 1000)'], { stdio: 'inherit' })
`

describe('openProcesses', () => {
  it('passes lines on and returns the exit code', async () => {
    const { ended } = open().start(await program('console.log("one"); console.error("two"); process.exitCode = 3'))
    expect(await ended).toBe(3)
    await expect.poll(() => lines.toSorted()).toEqual(['one', 'two'])
  })

  it('asks a program to end, then ends what it left behind', async () => {
    const processes = open()
    processes.start(
      await program(`${WITH_CHILD}; process.on('SIGTERM', () => { console.log('asked'); process.exit() })`),
    )
    await expect.poll(() => lines).toContain('child is up')
    await processes.stopAll()
    expect(inGroups()).toEqual([])
    expect(lines).toContain('asked')
    expect(processes.isStopping).toBe(true)
    expect(() => processes.start({ args: [], cwd: dir, env: {}, onLine: () => {} })).toThrow('stopping')
  })

  it('ends the children of a program that crashed', async () => {
    const { child, ended } = open().start(await program(WITH_CHILD))
    await expect.poll(() => lines).toContain('child is up')
    child.kill('SIGKILL')
    expect(await ended).toBeNull()
    await expect.poll(inGroups).toEqual([])
  })

  it('ends a program whose start command was killed', async () => {
    const parent = `
      import { openProcesses } from ${JSON.stringify(join(import.meta.dirname, 'processes.ts'))}
      const child = "console.log(process.pid); setInterval(() => {}, 1000)"
      openProcesses(() => {}).start({ args: ['-e', child], cwd: '.', env: process.env, onLine: console.log })
    `
    const { child } = open().start(await program(parent))
    await expect.poll(() => lines, { timeout: 5000 }).toHaveLength(1)
    const orphan = Number(lines[0])
    child.kill('SIGKILL')
    const isAlive = () => listProcesses().some(({ pid, command }) => pid === orphan && command !== '')
    await expect.poll(isAlive, { timeout: 5000 }).toBe(false)
  })
})
