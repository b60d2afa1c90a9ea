import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeRunLock } from './run-lock.ts'

let stateDir: string
let children: ChildProcess[]
const address = 'http://localhost:9000'

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'adapt-lock-'))
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(stateDir, { recursive: true })
})

const take = () => takeRunLock({ stateDir, address, ownDirs: [stateDir] })
const leave = (record: unknown) => writeFile(join(stateDir, 'running.json'), JSON.stringify(record))

/** A process in a group of its own, whose command names the given word. */
async function startIdle(word: string): Promise<{ pid: number; exited: Promise<unknown> }> {
  const args = ['-e', 'console.log("up"); setInterval(() => {}, 1000)', word]
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  await new Promise((resolve) => child.stdout?.once('data', resolve))
  return { pid: child.pid ?? 0, exited: new Promise((resolve) => child.once('exit', resolve)) }
}

describe('takeRunLock', () => {
  it('notes who runs, where, and what it started, until it is released', async () => {
    const lock = await take()
    lock.addGroup(7)
    const record = JSON.parse(await readFile(join(stateDir, 'running.json'), 'utf8'))
    expect(record).toEqual({ pid: process.pid, address, groups: [7] })
    lock.release()
    expect(existsSync(join(stateDir, 'running.json'))).toBe(false)
  })

  it('refuses while another start command runs on the folder', async () => {
    const { pid } = await startIdle('local/start/main.mjs')
    await leave({ pid, address: 'http://localhost:1', groups: [] })
    await expect(take()).rejects.toThrow(
      `Adapt is already running on ${stateDir} (process ${pid}, http://localhost:1): stop it or set ADAPT_STATE_DIR.`,
    )
  })

  it('takes over from a dead run, also when its number is used by another program or the record is cut off', async () => {
    const { pid } = await startIdle('something else')
    await leave({ pid, address, groups: [] })
    const first = await take()
    first.release()
    await writeFile(join(stateDir, 'running.json'), '{"pid":')
    expect(await take()).toBeDefined()
  })

  it('ends what a dead run left behind, and nothing that is not ours', async () => {
    const [ours, foreign] = await Promise.all([startIdle(join(stateDir, 'data')), startIdle('/somewhere/else')])
    await leave({ pid: 2 ** 30, address, groups: [ours.pid, foreign.pid] })
    await take()
    await ours.exited
    expect(process.kill(foreign.pid, 0)).toBe(true)
  })
})
