import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readStartConfig } from './start-config.ts'

const repoDir = resolve(import.meta.dirname, '../..')

describe('readStartConfig', () => {
  it('has defaults for everything', () => {
    const env = { PORT: '', ADAPT_STATE_DIR: '' }
    expect(readStartConfig([], env)).toEqual({
      mode: 'start',
      repoDir,
      stateDir: resolve(repoDir, '.adapt'),
      port: 8787,
      env,
    })
  })

  it('takes the port, the folder and the mode from outside', () => {
    const config = readStartConfig(['--dev'], { PORT: '9000', ADAPT_STATE_DIR: '/var/adapt' })
    expect(config).toMatchObject({ mode: 'dev', port: 9000, stateDir: '/var/adapt' })
  })

  it.each(['0', '65536', '80a', '-1', '8787.5'])('refuses %s as a port in one sentence', (PORT) => {
    expect(() => readStartConfig([], { PORT })).toThrow(`PORT must be a number from 1 to 65535, not "${PORT}".`)
  })
})
