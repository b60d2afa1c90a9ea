// Behaviour: the worker of this machine applies migrations before it answers.
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openProcesses } from '../processes.ts'
import { applyMigrations } from '../worker-process.ts'

const repoDir = resolve(import.meta.dirname, '../../..')

async function openState() {
  const stateDir = await mkdtemp(join(tmpdir(), 'adapt-state-'))
  const processes = openProcesses(() => undefined)
  onTestFinished(async () => {
    await processes.stopAll()
    await rm(stateDir, { recursive: true })
  })
  const config = { mode: 'start' as const, repoDir, stateDir, port: 1, env: process.env }
  return { stateDir, migrate: () => applyMigrations({ config, processes }) }
}

it('creates the tables, and finds nothing left to do the next time', async () => {
  const { migrate } = await openState()
  await migrate()
  await migrate()
}, 60_000)

it.each([
  ['whose first migration had another name', 'CREATE TABLE modules (id text)', false],
  ['whose migration of the same name made other columns', 'ALTER TABLE steps DROP COLUMN chapter', true],
])(
  'names the state folder of an older version %s, and what to do',
  async (_what, command, isMigrated) => {
    const { stateDir, migrate } = await openState()
    if (isMigrated) await migrate()
    const where = ['adapt', '--local', '--persist-to', join(stateDir, 'data')]
    const create = ['d1', 'execute', ...where, '--command', command]
    execFileSync(process.execPath, [join(repoDir, 'node_modules/wrangler/wrangler-dist/cli.js'), ...create], {
      cwd: repoDir,
      env: { ...process.env, CLOUDFLARE_CF_FETCH_ENABLED: 'false', WRANGLER_SEND_METRICS: 'false' },
      stdio: 'ignore',
    })
    await expect(migrate()).rejects.toThrow(
      `The data in ${stateDir} belongs to an older version of Adapt: move the folder away, or set ADAPT_STATE_DIR to a new one.`,
    )
  },
  60_000,
)
