import { writeFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { setLifecycle } from './lifecycle.ts'
import { readBaseConfig } from './make-config.ts'
import { CloudError, openShell } from './shell.ts'
import { fillIn, openEnvironment, openFakeShell } from './testing/fake-shell.ts'

const base = readBaseConfig()
const DAY_S = 86_400
const after = (days: number) => ({ condition: { type: 'Age', maxAge: days * DAY_S } })
const ruleOf = (id: string, prefix?: string) => ({
  id,
  enabled: true,
  conditions: prefix === undefined ? {} : { prefix },
})

/** What R2 gives each new bucket, and what a person has added to it. */
const DEFAULT = { ...ruleOf('Default Multipart Abort Rule', ''), abortMultipartUploadsTransition: after(7) }
const OWN = { ...ruleOf('ours', 'chunks/'), deleteObjectsTransition: after(30) }
const UNFINISHED = { ...ruleOf('unfinished-uploads'), abortMultipartUploadsTransition: after(7) }
const PREVIEW = { ...ruleOf('previews-do-not-last'), deleteObjectsTransition: after(7) }
const OLD = {
  ...ruleOf('old-originals', 'src/'),
  storageClassTransitions: [{ ...after(90), storageClass: 'InfrequentAccess' }],
}

/** Cloudflare's API of one bucket on this machine, which wrangler itself calls. */
async function openBucket(rules: object[], branch: string | null = null, jurisdiction: 'eu' | '' = '') {
  const bucket = { rules, puts: 0, within: undefined as string | undefined, failures: 0 }
  const name = branch === null ? 'adapt-media' : `adapt-preview-${branch}-media`
  const { origin, close } = await serveOnFreePort(async (request) => {
    const isLifecycle = new URL(request.url).pathname === `/client/v4/accounts/acc1/r2/buckets/${name}/lifecycle`
    const body = await request.text()
    const isAnswered = isLifecycle && bucket.failures === 0
    bucket.failures = Math.max(0, bucket.failures - 1)
    bucket.within = request.headers.get('cf-r2-jurisdiction') ?? undefined
    if (isAnswered && request.method === 'PUT') {
      bucket.puts += 1
      bucket.rules = JSON.parse(body).rules
    }
    const answer = { success: isAnswered, errors: isAnswered ? [] : [{ code: 10001, message: 'Not today.' }] }
    const status = isAnswered ? 200 : 403
    return Response.json({ ...answer, messages: [], result: { rules: bucket.rules } }, { status })
  })
  onTestFinished(close)
  const environment = openEnvironment(branch)
  writeFileSync(environment.configPath, JSON.stringify({ name: environment.name, account_id: 'acc1' }))
  vi.stubEnv('CLOUDFLARE_API_BASE_URL', `${origin}/client/v4`)
  vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token')
  vi.stubEnv('XDG_CONFIG_HOME', environment.dir)
  onTestFinished(() => void vi.unstubAllEnvs())
  const shell = openShell({ say: () => undefined })
  const set = (laterViews = 1) =>
    setLifecycle({ environment, base, shell }, fillIn(environment, { laterViews, jurisdiction }))
  return { bucket, set }
}

describe("the bucket's lifecycle", () => {
  it('gives up unfinished uploads after a week, and keeps the rules that are there', async () => {
    const { bucket, set } = await openBucket([DEFAULT, OWN])
    await set()
    expect(bucket.rules).toEqual([DEFAULT, OWN, UNFINISHED])
  })

  it('moves originals where that saves, once, and no longer where it does not', async () => {
    const { bucket, set } = await openBucket([OWN, UNFINISHED])
    await set(0.25)
    expect(bucket.rules).toEqual([OWN, UNFINISHED, OLD])
    await set(0.25)
    expect(bucket.puts).toBe(1)
    await set(1)
    expect(bucket.rules).toEqual([OWN, UNFINISHED])
  })

  it('leaves a rule as a person has changed it', async () => {
    const changed = { ...OLD, storageClassTransitions: [{ ...after(365), storageClass: 'InfrequentAccess' }] }
    const { bucket, set } = await openBucket([UNFINISHED, changed])
    await set(0)
    expect(bucket).toMatchObject({ rules: [UNFINISHED, changed], puts: 0 })
  })

  it('removes the videos of previews after a week, and moves none of them', async () => {
    const { bucket, set } = await openBucket([], 'login')
    await set(0)
    expect(bucket.rules).toEqual([UNFINISHED, PREVIEW])
  })

  it('is that of the bucket in its jurisdiction', async () => {
    const { bucket, set } = await openBucket([], null, 'eu')
    await set()
    expect(bucket).toMatchObject({ rules: [UNFINISHED], within: 'eu' })
  })

  it('stays as it is where it cannot be read', async () => {
    const { bucket, set } = await openBucket([UNFINISHED])
    bucket.failures = 1
    await expect(set()).rejects.toThrow(CloudError)
    expect(bucket).toMatchObject({ rules: [UNFINISHED], puts: 0 })
  })

  it('is read before it is changed, in a dry run too', async () => {
    const environment = openEnvironment()
    const shell = openFakeShell()
    await setLifecycle({ environment, base, shell }, fillIn(environment, { laterViews: 0 }))
    expect(shell.ran.map((line) => line.replace(/ --config .*/, ''))).toEqual([
      'npx wrangler r2 bucket lifecycle list adapt-media',
      'npx wrangler r2 bucket lifecycle add adapt-media --name unfinished-uploads --abort-multipart-days 7 --force',
      'npx wrangler r2 bucket lifecycle add adapt-media --name old-originals --prefix src/ --ia-transition-days 90 --force',
    ])
  })
})
