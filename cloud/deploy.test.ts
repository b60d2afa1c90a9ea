import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { experimental_getWranglerCommands } from 'wrangler'
import type { Health } from '#contract/debug.ts'
import { checkBundle, deploy, rollBack } from './deploy.ts'
import { environmentOf, wrangler } from './environment.ts'
import { makeConfig, queuesOf, readBaseConfig } from './make-config.ts'
import { removePreview } from './resources.ts'
import { setUp } from './set-up.ts'
import { exampleSettings, type Settings } from './settings.ts'
import { openShell, type Shell } from './shell.ts'
import { fillIn, noteFound, openEnvironment, openFakeShell } from './testing/fake-shell.ts'

const base = readBaseConfig()
const REPO = resolve(import.meta.dirname, '..')
const FOUND = {
  readReplication: '' as const,
  accountId: '0123456789abcdef0123456789abcdef',
  databaseId: '11111111-2222-3333-4444-555555555555',
  searchDatabaseId: '22222222-2222-3333-4444-555555555555',
  clerkJwtKey: '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n',
  jurisdiction: '' as const,
}
const HEALTH: Health = {
  success: true,
  postgres: 'ok',
  s3: 'ok',
  qstash: 'ok',
  d1: 'ok',
  r2: 'ok',
  queues: 'ok',
  ai: 'ok',
  durableObjects: 'ok',
  speechPreparation: null,
  environment: 'production',
  uptime: 1,
  version: 'before1',
  release: 'v-2',
}
const HEALTH_URL = 'GET https://adapt.acme.com/api/health'
const READY = {
  'git status --porcelain': '',
  'git rev-parse': 'abc1234\n',
  // Before 'npm run check', with which it begins.
  'npm run check:audit': '',
  'npx wrangler deploy --dry-run': 'Total Upload: 3000.00 KiB / gzip: 1000.00 KiB',
  'npx wrangler deploy --tag': 'Uploaded adapt\nCurrent Version ID: v-2\n',
  'GET https://adapt': JSON.stringify(HEALTH),
  'npx wrangler secret list': JSON.stringify(base.secrets?.required?.map((name) => ({ name }))),
}

/** @param before what answers until the new version does; that version has a record at once */
function answersAfter(minutes: number, before: Partial<Health> = {}) {
  let readyMs = Number.POSITIVE_INFINITY
  return {
    'npx wrangler deploy --tag': () => {
      readyMs = Date.now() + minutes * 60_000
      return 'Current Version ID: v-2'
    },
    'GET https://adapt': () => JSON.stringify(Date.now() >= readyMs ? HEALTH : before),
    'DNS adapt.acme.com': () => (Number.isFinite(readyMs) ? 'A 192.0.2.1' : ''),
  }
}

function readyEnvironment(branch: string | null = null, changes: Partial<Settings> = {}) {
  const environment = openEnvironment(branch)
  fillIn(environment, changes)
  noteFound(environment, FOUND)
  return environment
}

async function refusal(changes: Partial<Settings>, found: Partial<typeof FOUND> = {}): Promise<string> {
  const environment = readyEnvironment(null, changes)
  noteFound(environment, { ...FOUND, ...found })
  const shell = openFakeShell(READY)
  const error: unknown = await deploy({ environment, base, shell, isTakeOver: false }).catch(
    (thrown: unknown) => thrown,
  )
  expect(shell.ran.filter((line) => !line.includes('secret list'))).toEqual([])
  return error instanceof Error ? error.message : 'deployed'
}

async function dryRun(work: (shell: Shell) => Promise<void>): Promise<string[]> {
  const lines: string[] = []
  await work(openShell({ isDry: true, say: (line) => lines.push(...line.split('\n')) }))
  return lines.flatMap((line) => /^\s*\$ (.*)/.exec(line)?.[1] ?? [])
}

describe('deploy', () => {
  it('shows in a dry run every command that it would run, in this order', { tags: 'attack-55' }, async () => {
    const environment = environmentOf(null)
    const config = '--config .cloud/production/wrangler.json'
    expect(await dryRun((shell) => deploy({ environment, base, shell, isTakeOver: false }))).toEqual([
      `npx wrangler secret list --format json ${config}`,
      'git status --porcelain',
      'git rev-parse --short HEAD',
      'DNS adapt.example.com',
      'GET https://adapt.example.com/api/health',
      'npm ci',
      'npm run check:audit',
      'npm run check',
      'npm test',
      "VITE_CLERK_PUBLISHABLE_KEY=pk_live_Y2xlcmsuZXhhbXBsZS5jb20k VITE_CLERK_PROXY_URL='' " +
        "R2_S3_ENDPOINT='https://<account>.r2.cloudflarestorage.com/adapt-media' npm run build",
      `npx wrangler deploy --dry-run ${config}`,
      `npx wrangler d1 migrations apply adapt --remote ${config}`,
      `npx wrangler deploy ${config}`,
      'npm run cloud:smoke -- --url https://adapt.example.com --first',
    ])
  })

  it('refuses a tree that is not exactly a commit, and names the files, untracked ones too', {
    tags: 'attack-54',
  }, async () => {
    const shell = openFakeShell({ ...READY, 'git status --porcelain': ' M worker/index.ts\n?? web/public/left.html\n' })
    await expect(deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })).rejects.toThrow(
      'These files are in no commit, so nothing was deployed:\n   M worker/index.ts\n  ?? web/public/left.html',
    )
    expect(shell.ran.at(-1)).toBe('git status --porcelain')
  })

  it('refuses a folder that is no clone', async () => {
    const shell = openFakeShell({ ...READY, 'git status --porcelain': new Error('not a git repository') })
    await expect(deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })).rejects.toThrow(
      'deploy from a clone',
    )
  })

  it('builds pages that may send videos to the storage of this account alone', async () => {
    const environment = readyEnvironment()
    const shell = openFakeShell(READY)
    await deploy({ environment, base, shell, isTakeOver: false })
    expect(shell.envs['npm run build']).toMatchObject({
      R2_S3_ENDPOINT: `https://${FOUND.accountId}.r2.cloudflarestorage.com/adapt-media`,
    })
  })

  it.each([
    ['npm ci', 'Install the packages of the lock file'],
    ['npm run check:audit', 'Look for known vulnerabilities'],
    ['npm run check', 'Check'],
    ['npm test', 'Test'],
    ['npx wrangler d1 migrations apply', 'Migrate the database'],
  ])('stops where "%s" fails, and names the step', async (command, step) => {
    const environment = readyEnvironment()
    const shell = openFakeShell({ ...READY, [command]: new Error('exit code 1') })
    await expect(deploy({ environment, base, shell, isTakeOver: false })).rejects.toThrow(
      `"${step}" failed, so nothing after it was done.`,
    )
    expect(shell.ran.at(-1)).toContain(command)
  })

  it('says which commit a version is', async () => {
    const environment = readyEnvironment()
    const shell = openFakeShell(READY)
    await deploy({ environment, base, shell, isTakeOver: false })
    expect(shell.ran.at(-3)).toBe(
      `npx wrangler deploy --tag abc1234 --message abc1234 --config ${environment.configPath}`,
    )
  })

  it.each<[string, Partial<Settings>, string]>([
    ['no address', { domains: [] }, 'domains: where will people open Adapt?'],
    ['an address of this machine', { domains: ['localhost'] }, '"localhost" is no public host name'],
    [
      'an address of this machine with dots',
      { domains: ['adapt.localhost'] },
      '"adapt.localhost" is no public host name',
    ],
    ['an origin for a host', { domains: ['https://adapt.acme.com'] }, 'is no public host name'],
    ['no publishable key', { clerkPublishableKey: '' }, 'clerkPublishableKey: missing'],
    ['something else for a key', { clerkPublishableKey: 'sk_live_abc' }, 'this is no publishable key'],
    [
      'a development key',
      { clerkPublishableKey: `pk_test_${btoa('x.clerk.accounts.dev$')}` },
      'production needs pk_live_',
    ],
    ['a name for an operator', { operatorIds: ['mia'] }, '"mia" is no Clerk user id'],
    ['an unknown variable', { vars: { SPEECH_URL: 'x' } }, 'wrangler.toml has no SPEECH_URL'],
    ['a jurisdiction that nothing was made in', { jurisdiction: 'eu' }, 'were made with "" and cannot be moved'],
    ['a model of no form', { vars: { WORKERS_AI_SPEECH_MODEL: 'whisper' } }, 'WORKERS_AI_SPEECH_MODEL is "whisper"'],
    ['no first model', { vars: { WORKERS_AI_LANGUAGE_MODEL: '' } }, 'WORKERS_AI_LANGUAGE_MODEL is ""'],
    ['alerts over http', { vars: { ALERT_WEBHOOK_URL: 'http://hooks.example.com' } }, 'ALERT_WEBHOOK_URL is no https'],
    ['a sender that is no address', { vars: { MAIL_FROM: 'Adapt <a@example.com>' } }, 'MAIL_FROM is no address'],
    ['a pace in words', { vars: { SPEECH_CALLS_PER_MINUTE: 'many' } }, 'SPEECH_CALLS_PER_MINUTE is "many"'],
    ['a pace of none', { vars: { LANGUAGE_CALLS_PER_MINUTE: '0' } }, 'LANGUAGE_CALLS_PER_MINUTE is "0"'],
    [
      'a variable that follows from others',
      { vars: { APP_ORIGINS: 'x' } },
      'APP_ORIGINS follows from the other settings',
    ],
  ])('refuses %s before it runs anything', async (_, changes, message) => {
    expect(await refusal(changes)).toContain(message)
  })

  it.each<[string, Partial<typeof FOUND>, string]>([
    [
      'the placeholder for a database',
      { databaseId: '00000000-0000-0000-0000-000000000000' },
      'The database has no id.',
    ],
    ['a set-up from before the search', { searchDatabaseId: '' }, 'The database of the search has no id.'],
    ['no account', { accountId: '' }, 'The account is not known.'],
    ['no public key', { clerkJwtKey: '' }, "Clerk's public key is missing."],
  ])('refuses %s before it runs anything', async (_, found, message) => {
    expect(await refusal({}, found)).toContain(message)
    expect(await refusal({}, found)).toContain('npm run cloud:setup')
  })

  it('refuses while a secret is missing, unless it comes from the file of secrets', async () => {
    const environment = readyEnvironment()
    const shell = openFakeShell({ ...READY, 'npx wrangler secret list': '[{"name":"TICKET_SECRET"}]' })
    await expect(deploy({ environment, base, shell, isTakeOver: false })).rejects.toThrow(
      'The secret R2_ACCESS_KEY_ID is missing.',
    )
    const rest = base.secrets?.required?.filter((name) => name !== 'TICKET_SECRET') ?? []
    writeFileSync(environment.secretsPath, rest.map((name) => `${name}=x`).join('\n'))
    await deploy({ environment, base, shell, isTakeOver: false })
    expect(shell.ran.at(-3)).toContain(`--secrets-file ${environment.secretsPath}`)
  })

  it.each(['A 192.0.2.1', 'AAAA 2001:db8::1', 'CNAME shop.acme.com'])(
    'refuses a host whose record "%s" leads somewhere else',
    async (record) => {
      const environment = readyEnvironment()
      for (const answer of ['null', '{"success":true}']) {
        const shell = openFakeShell({ ...READY, 'DNS adapt.acme.com': record, 'GET https://adapt': answer })
        await expect(deploy({ environment, base, shell, isTakeOver: false })).rejects.toThrow(
          `adapt.acme.com has records already, and no Adapt answers there:\n  ${record}\n`,
        )
        expect(shell.ran.at(-1)).toBe(HEALTH_URL)
      }
    },
  )

  it('takes a host with records where Adapt answers, and any with --take-over', async () => {
    const environment = readyEnvironment()
    const record = { 'DNS adapt.acme.com': 'A 192.0.2.1' }
    const own = openFakeShell({ ...READY, ...record })
    await deploy({ environment, base, shell: own, isTakeOver: false })
    expect(own.said.at(-1)).toBe('\nhttps://adapt.acme.com is live.')
    const foreign = openFakeShell({ ...READY, ...record, ...answersAfter(0) })
    await deploy({ environment, base, shell: foreign, isTakeOver: true })
    expect(foreign.said.at(-1)).toBe('\nhttps://adapt.acme.com is live.')
  })

  it('refuses a host whose records cannot be read, and does not need them with --take-over', async () => {
    const answers = { ...READY, ...answersAfter(1), 'DNS adapt.acme.com': new Error('queryA ETIMEOUT') }
    const run = (isTakeOver: boolean) =>
      deploy({ environment: readyEnvironment(), base, shell: openFakeShell(answers), isTakeOver })
    await expect(run(false)).rejects.toThrow('queryA ETIMEOUT')
    await expect(run(true)).resolves.toBeUndefined()
  })

  it.each([
    ['ten minutes, a first time', 9.9, 10.1, {}],
    ['two minutes, later', 1.9, 2.1, HEALTH],
  ])('waits %s, until the new version answers', async (_, inTime, tooLate, before) => {
    const wait = (minutes: number) => {
      const shell = openFakeShell({ ...READY, ...answersAfter(minutes, { ...before, release: 'v-1' }) })
      return deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })
    }
    await expect(wait(inTime)).resolves.toBeUndefined()
    await expect(wait(tooLate)).rejects.toThrow('/api/health did not answer as version v-2.')
  })

  it('shows what answered instead of Adapt, and what to allow where a page refuses it', async () => {
    const shell = openFakeShell({ ...READY, ...answersAfter(99), 'GET https://adapt': new Error('403') })
    await expect(deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })).rejects.toThrow(
      'It answered 403 (text/html), as Bot Fight Mode does: let the address of this machine pass',
    )
  })

  it('refuses a placement, with which a shared page would ask itself without end', async () => {
    const shell = openFakeShell(READY)
    const placed = { ...base, placement: { mode: 'smart' as const } }
    await expect(deploy({ environment: readyEnvironment(), base: placed, shell, isTakeOver: false })).rejects.toThrow(
      'placement of wrangler.toml: with it, SharePage is answered by the entry itself',
    )
    expect(shell.ran).toEqual([])
  })

  it('has the smoke checks of a first deployment know that its cron is new', async () => {
    const smokeOf = async (before: object | null) => {
      const shell = openFakeShell({ ...READY, ...answersAfter(1, before ?? undefined) })
      await deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })
      return shell.ran.at(-1)
    }
    expect(await smokeOf(null)).toBe('npm run cloud:smoke -- --url https://adapt.acme.com --first')
    expect(await smokeOf({ ...HEALTH, release: 'v-1' })).toBe('npm run cloud:smoke -- --url https://adapt.acme.com')
  })

  it('waits while the new version is not well', async () => {
    const shell = openFakeShell({ ...READY, 'GET https://adapt': JSON.stringify({ ...HEALTH, success: false }) })
    await expect(deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })).rejects.toThrow(
      'It answered: {"success":false',
    )
  })

  it('does not repeat the tests of a commit that is live, where only settings have changed', async () => {
    const shell = openFakeShell({ ...READY, 'GET https://adapt': JSON.stringify({ ...HEALTH, version: 'abc1234' }) })
    await deploy({ environment: readyEnvironment(), base, shell, isTakeOver: false })
    expect(shell.ran).not.toContain('npm test')
    expect(shell.ran).toContain('npm run check')
  })

  it('refuses an environment that was not set up', async () => {
    const shell = openFakeShell(READY)
    await expect(deploy({ environment: openEnvironment(), base, shell, isTakeOver: false })).rejects.toThrow(
      'adapt cannot be deployed yet',
    )
    expect(shell.ran).toEqual([])
  })
})

describe('a preview', () => {
  it('shares nothing with production', () => {
    const [production, preview] = [environmentOf(null), environmentOf('login')].map((environment) =>
      makeConfig(base, environment, { settings: exampleSettings(environment), found: FOUND }),
    )
    const identities = (config: typeof production) => [
      config?.name,
      ...(config?.d1_databases ?? []).map(({ database_name }) => database_name),
      ...(config?.r2_buckets ?? []).map(({ bucket_name }) => bucket_name),
      ...(config?.ratelimits ?? []).map(({ namespace_id }) => namespace_id),
      ...(config?.queues?.producers ?? []).map(({ queue }) => queue),
      ...(config?.queues?.consumers ?? []).flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
    ]
    const others = identities(preview)
    const shared = identities(production).filter((name) => name !== undefined && others.includes(name))
    expect(shared).toEqual([])
    expect(preview).toMatchObject({ workers_dev: true, name: 'adapt-preview-login' })
    expect(preview?.vars).toMatchObject({
      APP_ORIGINS: 'https://adapt-preview-login.example.workers.dev',
      ENVIRONMENT: 'preview-login',
    })
    expect(production?.vars).toMatchObject({ ENVIRONMENT: 'production' })
  })

  it('can send mail where a sender is set, as that one alone', () => {
    const environment = environmentOf(null)
    const settings = exampleSettings(environment)
    expect(makeConfig(base, environment, { settings, found: FOUND })).not.toHaveProperty('send_email')
    const withSender = { ...settings, vars: { MAIL_FROM: 'adapt@example.com' } }
    expect(makeConfig(base, environment, { settings: withSender, found: FOUND })).toMatchObject({
      send_email: [{ name: 'EMAIL', allowed_sender_addresses: ['adapt@example.com'] }],
      vars: { MAIL_FROM: 'adapt@example.com' },
    })
  })

  it.each([null, 'login'])('calls hosts of its own zone by their public doors alone, as branch %s', (branch) => {
    const environment = environmentOf(branch)
    const config = makeConfig(base, environment, { settings: exampleSettings(environment), found: FOUND })
    expect(config.compatibility_flags).toContain('global_fetch_strictly_public')
  })

  it('has queues whose names end as the worker expects', () => {
    const endings = queuesOf(base, environmentOf('a/b')).map((name) => name.split('-').at(-1))
    expect(endings).toEqual(['ingest', 'speech', 'steps', 'translations', 'notices', 'purges', 'uploads', 'dead'])
  })

  it('has a name that fits a host and is no other branch’s', () => {
    expect(environmentOf('fix-captions').name).toBe('adapt-preview-fix-captions')
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { minLength: 2 }),
        (branches) => {
          const names = branches.map((branch) => environmentOf(branch).name)
          for (const name of names) expect(`${name}-uploads`).toMatch(/^[a-z0-9](?:-?[a-z0-9]){0,62}$/)
          expect(new Set(names).size).toBe(branches.length)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is deployed without the whole suite, which the branch’s own gate runs', async () => {
    const commands = await dryRun((shell) =>
      deploy({ environment: environmentOf('login'), base, shell, isTakeOver: false }),
    )
    expect(commands).not.toContain('npm test')
    expect(commands).toContain('npm run check')
  })

  it('is removed with its data, as often as one asks, and production never', async () => {
    const environment = openEnvironment('login')
    const shell = openFakeShell({ 'npx wrangler queues delete': new Error('Queue "x" does not exist') })
    await removePreview({ environment, base, shell })
    expect(shell.ran.map((line) => line.replace(/npx wrangler (.*) --config .*/, '$1'))).toEqual([
      'r2 bucket notification delete adapt-preview-login-media --queue adapt-preview-login-uploads',
      'delete adapt-preview-login --force',
      ...['ingest', 'speech', 'steps', 'translations', 'notices', 'purges', 'uploads', 'dead'].map(
        (name) => `queues delete adapt-preview-login-${name}`,
      ),
      'd1 delete adapt-preview-login --skip-confirmation',
      'd1 delete adapt-preview-login-search --skip-confirmation',
      'r2 bucket delete adapt-preview-login-media',
    ])
    await expect(removePreview({ environment: openEnvironment(), base, shell })).rejects.toThrow('Only previews')
  })
})

describe('rollback', () => {
  it.each([
    ['the version before', null, 'rollback --message'],
    ['a version that is named', 'v-1', 'rollback v-1 --message'],
  ])('puts %s live and leaves the database alone', async (_, version, command) => {
    const environment = readyEnvironment()
    const shell = openFakeShell({ ...READY, 'npx wrangler rollback': '\nCurrent Version ID: v-2\n' })
    await rollBack({ environment, shell, version })
    expect(shell.ran).toEqual([
      expect.stringContaining('deployments list'),
      expect.stringContaining(command),
      HEALTH_URL,
    ])
  })
})

const { registry, globalFlags } = experimental_getWranglerCommands()

/** Flags of a command of the wrangler that is installed, with their other names. @returns null where it has no such command */
function flagsOf(words: string[]): string[] | null {
  let node = registry
  for (const word of words) node = node.subtree.get(word) ?? node
  if (node.definition?.type !== 'command') return null
  const flags: Record<string, object> = { ...globalFlags, ...node.definition.args }
  const aliasesOf = (flag: { alias?: string | readonly string[] }) => flag.alias ?? []
  return Object.entries(flags).flatMap(([name, flag]) => [name, aliasesOf(flag)].flat().map((each) => `--${each}`))
}

describe('what wrangler is asked for', () => {
  it.each<Partial<Settings>>([{ location: 'weur' }, { jurisdiction: 'eu' }])(
    'exists in the wrangler that is installed, with %o',
    async (changes) => {
      const environment = readyEnvironment(null, { ...exampleSettings(environmentOf(null)), ...changes })
      noteFound(environment, { ...FOUND, jurisdiction: changes.jurisdiction ?? '' })
      writeFileSync(environment.secretsPath, 'X=y')
      const commands = await dryRun(async (shell) => {
        await setUp({ environment, base, shell })
        await deploy({ environment, base, shell, isTakeOver: false })
        await rollBack({ environment, shell, version: 'v' })
        await removePreview({ environment: { ...environment, isPreview: true }, base, shell })
      })
      const used = commands.filter((line) => line.startsWith('npx wrangler '))
      expect(used.length).toBeGreaterThan(30)
      for (const line of used) {
        const words = line.replace(/ < .*/, '').split(' ').slice(2)
        expect(flagsOf(words), line).toEqual(expect.arrayContaining(words.filter((word) => word.startsWith('--'))))
      }
    },
  )
})

describe('the worker as it would be uploaded', () => {
  const environment = openEnvironment('dry-run')
  let result: SpawnSyncReturns<string>

  beforeAll(() => {
    const settings = { ...exampleSettings(environment), vars: { MAIL_FROM: 'adapt@example.com' } }
    const config = makeConfig(base, environment, { settings, found: FOUND })
    writeFileSync(environment.configPath, JSON.stringify(config))
    // Nothing is built for the tests; any folder does for the pages.
    const command = wrangler(environment, 'deploy', '--dry-run', '--assets', 'web/public')
    const env = { ...process.env, WRANGLER_LOG: 'log', WRANGLER_SEND_METRICS: 'false', NO_COLOR: '1' }
    result = spawnSync(command[0] ?? '', command.slice(1), { cwd: REPO, encoding: 'utf8', env })
  }, 120_000)

  it('is taken by wrangler with the configuration of an environment', () => {
    expect(`${result.stdout}${result.stderr}`).not.toMatch(/WARNING|ERROR/)
    expect(result.status).toBe(0)
    const names = ['adapt-preview-dry-run-media', 'adapt-preview-dry-run-ingest', 'adapt-preview-dry-run', 'env.EMAIL']
    for (const name of names) {
      expect(result.stdout).toContain(name)
    }
  })

  it('fits the free plan of Cloudflare', () => {
    expect(checkBundle(result.stdout)).toMatch(/^\d{3,4} KiB compressed of 3072 KiB$/)
  })

  it.each([
    ['Total Upload: 9000.00 KiB / gzip: 3073.00 KiB', 'The worker is too large: 3073 KiB compressed of 3072 KiB.'],
    ['Total Upload: 9000.00 KiB', 'did not say how large'],
  ])('is not deployed where wrangler says "%s"', (output, message) => {
    expect(() => checkBundle(output)).toThrow(message)
  })
})
