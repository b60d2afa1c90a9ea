import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWorkerVars, writeVarsFile } from './worker-vars.ts'

let stateDir: string
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'adapt-vars-'))
})
afterEach(() => rm(stateDir, { recursive: true }))

const open = (env: Record<string, string> = {}, workerPort = 9000) =>
  makeWorkerVars({
    stateDir,
    pagePort: 9000,
    workerPort,
    speechBaseUrl: 'http://127.0.0.1:1/v1',
    translateBaseUrl: '',
    env,
  })

describe('makeWorkerVars', () => {
  it('names one origin for the page, the issuer and the storage', () => {
    expect(open()).toMatchObject({
      APP_ORIGINS: 'http://localhost:9000',
      CLERK_ISSUER: 'http://localhost:9000/__clerk',
      R2_S3_ENDPOINT: 'http://localhost:9000/cdn-cgi/local/r2/s3/adapt-media',
      SPEECH_BASE_URL: 'http://127.0.0.1:1/v1',
      SPEECH_API_KEY: '',
      LANGUAGE_API_KEY: '',
    })
  })

  it('names both origins while developing, the page’s first, and stores at the worker’s', () => {
    expect(open({}, 9001)).toMatchObject({
      APP_ORIGINS: 'http://localhost:9000,http://localhost:9001',
      CLERK_ISSUER: 'http://localhost:9000/__clerk',
      R2_S3_ENDPOINT: 'http://localhost:9001/cdn-cgi/local/r2/s3/adapt-media',
    })
  })

  it('passes on the settings of models, and nothing else of the environment', () => {
    const vars = open({
      LANGUAGE_BASE_URL: 'http://localhost:1234/v1',
      SPEECH_API_KEY: 'key',
      TICKET_SECRET: 'x',
      HOME: '/',
    })
    expect(vars).toMatchObject({ LANGUAGE_BASE_URL: 'http://localhost:1234/v1', SPEECH_API_KEY: 'key' })
    expect(vars.TICKET_SECRET).not.toBe('x')
    expect(vars).not.toHaveProperty('HOME')
    expect(vars).not.toHaveProperty('MAX_UPLOAD_BYTES')
  })

  it('keeps the ticket secret from run to run, readable by its user only', async () => {
    const { TICKET_SECRET } = open()
    expect(TICKET_SECRET).toHaveLength(43)
    expect(open().TICKET_SECRET).toBe(TICKET_SECRET)
    expect((await stat(join(stateDir, 'ticket-secret'))).mode & 0o777).toBe(0o600)
  })
})

describe('writeVarsFile', () => {
  it('quotes values so that nothing in them is taken for syntax', async () => {
    const path = writeVarsFile(stateDir, { PLAIN: 'a#b c', QUOTED: "it's", PRICE: '$HOME' })
    expect(await readFile(path, 'utf8')).toBe("PLAIN='a#b c'\nQUOTED=`it's`\nPRICE='\\$HOME'\n")
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })
})
