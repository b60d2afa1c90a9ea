import { spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readArguments } from './environment.ts'

const REPO = resolve(import.meta.dirname, '..')
/** npm, Node and the reading of wrangler's configuration take seconds on a busy machine. */
const RUN_TIMEOUT_MS = 60_000
const production = {
  command: 'deploy',
  branch: null,
  isDry: false,
  version: null,
  isTakeOver: false,
  isFirst: false,
  load: 0,
  idleS: 90,
  url: null,
}

describe('readArguments', () => {
  it.each([
    [['deploy'], production],
    [['deploy', '--dry-run'], { ...production, isDry: true }],
    [['smoke', '--url', 'https://a.b'], { ...production, command: 'smoke', url: 'https://a.b' }],
    [['deploy', '--take-over'], { ...production, isTakeOver: true }],
    [['smoke', '--first'], { ...production, command: 'smoke', isFirst: true }],
    [['smoke', '--load', '20'], { ...production, command: 'smoke', load: 20 }],
    [['smoke', '--idle', '5'], { ...production, command: 'smoke', idleS: 5 }],
    [['deploy', '--preview', 'fix/captions'], { ...production, branch: 'fix/captions' }],
    [['rollback', 'v1'], { ...production, command: 'rollback', version: 'v1' }],
  ])('understands %j', (args, expected) => {
    expect(readArguments(args, {})).toEqual(expected)
  })

  it.each([
    [[]],
    [['launch']],
    [['deploy', 'my-branch']],
    [['deploy', '--prod']],
    [['deploy', '--preview', '']],
    [['setup', '--take-over']],
    [['deploy', '--url', 'https://a.b']],
    [['deploy', '--load', '20']],
    [['smoke', '--load', '51']],
    [['smoke', '--load', 'many']],
    [['deploy', '--idle', '5']],
    [['smoke', '--idle', '0']],
  ])('refuses %j instead of deploying something else', (args) => {
    expect(() => readArguments(args, {})).toThrow('Use: npm run')
  })

  it('minds the options that npm took for its own because "--" was missing', () => {
    expect(readArguments(['deploy'], { npm_config_dry_run: 'true' })).toEqual({ ...production, isDry: true })
    expect(() => readArguments(['deploy'], { npm_config_preview: 'true' })).toThrow('Use: npm run')
  })
})

describe('npm run deploy', () => {
  it(
    'leaves everything undone without "--" before "--dry-run", too',
    () => {
      const { stdout, status } = spawnSync('npm', ['run', 'deploy', '--dry-run', '--', '--preview', 'planted'], {
        cwd: REPO,
        encoding: 'utf8',
      })
      expect(stdout).toContain('$ npx wrangler d1 create adapt-preview-planted')
      expect(stdout).toContain('$ npx wrangler deploy --config .cloud/preview/planted/wrangler.json')
      expect(stdout).toContain('Nothing was run.')
      expect(status).toBe(0)
    },
    RUN_TIMEOUT_MS,
  )
})
