import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ensurePortIsFree, ensureStateDir, findFreePort } from './preflight.ts'

describe('ensureStateDir', () => {
  it('makes the folder, and says in one sentence when it cannot', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'adapt-state-'))
    ensureStateDir(join(dir, 'deep', 'inside'))
    await writeFile(join(dir, 'file'), '')
    const impossible = join(dir, 'file', 'state')
    expect(() => ensureStateDir(impossible)).toThrow(
      `Adapt cannot write to its folder ${impossible} (ENOTDIR): make it writable or choose another with ADAPT_STATE_DIR.`,
    )
    await rm(dir, { recursive: true })
  })
})

async function listen(host: string): Promise<{ server: Server; port: number }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : 0 }
}

describe('ensurePortIsFree', () => {
  it.each(['127.0.0.1', '0.0.0.0'])('refuses a port that is taken on %s', async (host) => {
    const { server, port } = await listen(host)
    await expect(ensurePortIsFree(port)).rejects.toThrow(
      `Port ${port} is used by another program: choose another with PORT.`,
    )
    expect(await findFreePort(port)).toBeGreaterThan(port)
    await new Promise((resolve) => server.close(resolve))
    await ensurePortIsFree(port)
    expect(await findFreePort(port)).toBe(port)
  })
})
