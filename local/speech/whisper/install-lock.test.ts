import { access, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withInstallLock } from './install-lock.ts'

let path: string
const options = { signal: new AbortController().signal, beatMs: 5 }

beforeEach(async () => {
  path = join(await mkdtemp(join(tmpdir(), 'adapt-lock-')), 'install.lock')
})

afterEach(async () => {
  await rm(join(path, '..'), { recursive: true })
})

it('runs one task after the other', async () => {
  const log: string[] = []
  const run = (name: string) =>
    withInstallLock(path, options, async () => {
      log.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      log.push(`${name} ends`)
    })
  await Promise.all([run('a'), run('b')])
  expect(log).toHaveLength(4)
  expect(log[0]?.[0]).toBe(log[1]?.[0])
  expect(log[2]?.[0]).toBe(log[3]?.[0])
})

it('takes over from a process that was killed', async () => {
  await writeFile(path, '4711')
  const longAgo = new Date(Date.now() - 60_000)
  await utimes(path, longAgo, longAgo)
  expect(await withInstallLock(path, options, async () => 'done')).toBe('done')
})

it('frees the lock of a task that fails', async () => {
  const failing = withInstallLock(path, options, () => Promise.reject(new Error('no room')))
  await expect(failing).rejects.toThrow('no room')
  await expect(access(path)).rejects.toThrow('ENOENT')
})

it('waits no longer than its signal', async () => {
  await writeFile(path, '4711')
  const ending = AbortSignal.timeout(30)
  const waiting = withInstallLock(path, { signal: ending, beatMs: 10_000 }, async () => 'done')
  await expect(waiting).rejects.toThrow()
})
