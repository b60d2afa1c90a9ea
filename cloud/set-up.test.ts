import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveOnFreePort } from '#local/http/serve-on-free-port.ts'
import { openClerk, TEMPLATE_CLAIMS } from './clerk.ts'
import { environmentOf } from './environment.ts'
import { readBaseConfig } from './make-config.ts'
import { setUp } from './set-up.ts'
import type { Found, Settings } from './settings.ts'
import { openShell, type Shell } from './shell.ts'
import { type FakeShell, fillIn, noteFound, openEnvironment, openFakeShell } from './testing/fake-shell.ts'

const base = readBaseConfig()
const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY_SET = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'ins_1', alg: 'RS256', use: 'sig' }] }
const ME = JSON.stringify({ accounts: [{ id: 'acc1', name: 'Acme' }] })
const QUEUES = ['ingest', 'speech', 'steps', 'translations', 'notices', 'purges', 'uploads', 'dead'].map(
  (name) => `adapt-${name}`,
)
const SEARCH_ID = '22222222-2222-3333-4444-555555555555'
const DATABASES = JSON.stringify([
  { name: 'adapt', uuid: '11111111-2222-3333-4444-555555555555' },
  { name: 'adapt-search', uuid: SEARCH_ID },
])

/** An account in which everything is there already. */
const COMPLETE = {
  'npx wrangler whoami': ME,
  'npx wrangler d1 list': DATABASES,
  'npx wrangler d1 info': JSON.stringify({ read_replication: { mode: 'auto' } }),
  'npx wrangler r2 bucket info': '{}',
  'npx wrangler r2 bucket lifecycle list': 'name:     unfinished-uploads\nenabled:  Yes',
  'npx wrangler queues info': 'Queue Name: x',
  'npx wrangler r2 bucket notification list': 'queue_name: adapt-uploads',
  'npx wrangler secret list': JSON.stringify(
    ['TICKET_SECRET', 'SPEECH_API_KEY', 'LANGUAGE_API_KEY'].map((name) => ({ name, type: 'secret_text' })),
  ),
}

async function run(shell: Shell, environment = openEnvironment(), changes: Partial<Settings> = {}) {
  fillIn(environment, changes)
  await setUp({ environment, base, shell })
  return environment
}

const rowsOf = (database: string) => JSON.parse(DATABASES).filter(({ name }: { name: string }) => name === database)

/** Commands that make something; the rest looks or sets what is the same every time. */
function makersOf({ ran }: FakeShell): string[] {
  return ran.filter((line) => / (create|put|add) /.test(line)).map((line) => line.replace(/ --config .*/, ''))
}

describe('cloud:setup', () => {
  it('shows in a dry run every command that it would run', async () => {
    const lines: string[] = []
    await setUp({
      environment: environmentOf(null),
      base,
      shell: openShell({ isDry: true, say: (line) => lines.push(line) }),
    })
    const config = ' --config .cloud/production/wrangler.json'
    const byHand = lines.indexOf('What only you can do (docs/deploy.md has the details):')
    const commands = lines.slice(0, byHand).filter((line) => line.startsWith('$ '))
    expect(commands.map((line) => line.replace('$ npx wrangler ', '').replace(config, ''))).toEqual([
      'whoami --json',
      '$ GET https://clerk.example.com/.well-known/jwks.json',
      '$ GET https://clerk.example.com/v1/environment',
      'd1 list --json',
      'd1 create adapt',
      'd1 info adapt --json',
      'auth token',
      `$ PUT 'https://api.cloudflare.com/client/v4/accounts/<account>/d1/database/<database>' '{"read_replication":{"mode":"auto"}}'`,
      'd1 list --json',
      'd1 create adapt-search',
      'r2 bucket info adapt-media --json',
      'r2 bucket create adapt-media',
      'r2 bucket cors set adapt-media --file .cloud/production/cors.json --force',
      'r2 bucket lifecycle list adapt-media',
      'r2 bucket lifecycle add adapt-media --name unfinished-uploads --abort-multipart-days 7 --force',
      ...QUEUES.flatMap((queue) => [`queues info ${queue}`, `queues create ${queue}`]),
      'r2 bucket notification list adapt-media',
      'r2 bucket notification create adapt-media --event-type object-create --queue adapt-uploads --prefix src/',
      'secret list --format json',
      'secret put TICKET_SECRET < (a secret)',
      'secret put SPEECH_API_KEY < (a secret)',
      'secret put LANGUAGE_API_KEY < (a secret)',
    ])
  })

  it('makes what an empty account lacks, and keeps the ids', async () => {
    let listed = '[]'
    const shell = openFakeShell({ 'npx wrangler whoami': ME }, KEY_SET)
    const { ask, act } = shell
    shell.ask = async (command) => (command.includes('d1') ? (await ask(command), listed) : ask(command))
    shell.act = async (command, extras) => {
      const made = command.includes('d1') ? command[command.indexOf('create') + 1] : undefined
      if (made !== undefined) listed = JSON.stringify([...JSON.parse(listed), ...rowsOf(made)])
      return act(command, extras)
    }
    await run(shell)
    expect(makersOf(shell)).toHaveLength(2 + 1 + 1 + QUEUES.length + 1 + 3)
    const found = JSON.parse(shell.written['found.json'] ?? '')
    const databaseId = '11111111-2222-3333-4444-555555555555'
    expect(found).toMatchObject({ accountId: 'acc1', databaseId, searchDatabaseId: SEARCH_ID })
    expect(found.clerkJwtKey).toBe(publicKey.export({ type: 'spki', format: 'pem' }))
    expect(JSON.parse(shell.written['wrangler.json'] ?? '')).toMatchObject({
      account_id: 'acc1',
      d1_databases: [{ database_id: databaseId }, { database_id: SEARCH_ID }],
      vars: { R2_S3_ENDPOINT: 'https://acc1.r2.cloudflarestorage.com/adapt-media' },
    })
  })

  it('makes nothing where all of it is there', async () => {
    const shell = openFakeShell(COMPLETE, KEY_SET)
    await run(shell)
    expect(makersOf(shell)).toEqual([])
  })

  it('takes "already exists" for an answer', async () => {
    const { 'npx wrangler r2 bucket info': _, 'npx wrangler queues info': __, ...rest } = COMPLETE
    const taken = new Error('The bucket you tried to create already exists, and you own it. [code: 10004]')
    const shell = openFakeShell(
      {
        ...rest,
        'npx wrangler r2 bucket create': taken,
        'npx wrangler queues create': new Error(
          "Queue name 'adapt-ingest' is already taken. Please use a different name",
        ),
      },
      KEY_SET,
    )
    await run(shell)
    expect(shell.said.filter((line) => line === '  is there')).toHaveLength(2 + 1 + QUEUES.length)
  })

  it('makes databases and bucket in the European Union where the settings say so, whatever the location', async () => {
    let listed = '[]'
    const shell = openFakeShell({ 'npx wrangler whoami': ME }, KEY_SET)
    const { ask, act } = shell
    shell.ask = async (command) => (command.includes('d1') ? (await ask(command), listed) : ask(command))
    shell.act = async (command, extras) => {
      const made = command.includes('d1') ? command[command.indexOf('create') + 1] : undefined
      if (made !== undefined) listed = JSON.stringify([...JSON.parse(listed), ...rowsOf(made)])
      return act(command, extras)
    }
    const environment = await run(shell, openEnvironment(), { jurisdiction: 'eu', location: 'apac' })
    expect(makersOf(shell)).toEqual(
      expect.arrayContaining([
        'npx wrangler d1 create adapt --jurisdiction eu',
        'npx wrangler d1 create adapt-search --jurisdiction eu',
        'npx wrangler r2 bucket create adapt-media --jurisdiction eu',
      ]),
    )
    const ofBucket = shell.ran.filter((line) => line.includes(' r2 bucket '))
    expect(ofBucket.filter((line) => !line.includes(' --jurisdiction eu --config '))).toEqual([])
    expect(ofBucket).toHaveLength(7)
    expect(JSON.parse(shell.written['wrangler.json'] ?? '')).toMatchObject({
      r2_buckets: [{ bucket_name: 'adapt-media', jurisdiction: 'eu' }],
      vars: { R2_S3_ENDPOINT: 'https://acc1.eu.r2.cloudflarestorage.com/adapt-media', ROOM_JURISDICTION: 'eu' },
    })
    noteFound(environment, JSON.parse(shell.written['found.json'] ?? '') as Found)
    await expect(run(openFakeShell(COMPLETE, KEY_SET), environment)).rejects.toThrow(
      'jurisdiction: database and bucket were made with "eu" and cannot be moved; set it back.',
    )
  })

  const NO_WORKER = new Error('Worker "adapt" not found.')
  it.each([
    ['in the European Union for a new deployment', {}, { 'npx wrangler secret list': NO_WORKER }, 'eu'],
    ['where they are for a worker that is there', {}, {}, ''],
    [
      'where they are, also when the worker is gone',
      { roomJurisdiction: '' },
      { 'npx wrangler secret list': NO_WORKER },
      '',
    ],
    ['in the European Union once they were begun there', { roomJurisdiction: 'eu' }, {}, 'eu'],
  ] as const)('keeps rooms %s', async (_, known, answers, jurisdiction) => {
    const environment = openEnvironment()
    const databaseId = '11111111-2222-3333-4444-555555555555'
    const found = {
      accountId: 'acc1',
      databaseId,
      searchDatabaseId: SEARCH_ID,
      clerkJwtKey: '',
      readReplication: '',
    } as const
    noteFound(environment, { ...found, jurisdiction: 'eu', ...known })
    const shell = openFakeShell({ ...COMPLETE, ...answers }, KEY_SET)
    await run(shell, environment, { jurisdiction: 'eu' })
    const { vars } = JSON.parse(shell.written['wrangler.json'] ?? '')
    expect(vars).toMatchObject({ ROOM_JURISDICTION: jurisdiction, DB_READ_REPLICATION: '' })
    expect(JSON.parse(shell.written['found.json'] ?? '')).toMatchObject({ roomJurisdiction: jurisdiction })
    // Whether copies stay within the jurisdiction is not documented.
    expect(shell.ran.filter((line) => line.includes('read_replication'))).toEqual([])
  })

  describe('copies of the database near its readers', () => {
    const url = 'https://api.cloudflare.com/client/v4/accounts/acc1/d1/database/11111111-2222-3333-4444-555555555555'
    const off = {
      ...COMPLETE,
      'npx wrangler d1 info': JSON.stringify({ read_replication: { mode: 'disabled' } }),
      'npx wrangler auth token': 'the-token\n',
    }
    const modeOf = (shell: FakeShell) => JSON.parse(shell.written['wrangler.json'] ?? '').vars.DB_READ_REPLICATION

    it('copies of the database near its readers are turned on by the API, with the token of wrangler, which is not shown', async () => {
      const shell = openFakeShell({ ...off, [`PUT ${url}`]: '{"success":true}' }, KEY_SET)
      await run(shell)
      expect(shell.ran).toContain(`PUT ${url} '{"read_replication":{"mode":"auto"}}'`)
      expect(shell.inputs[`PUT ${url}`]).toBe('the-token')
      expect([...shell.said, ...shell.ran].join('\n')).not.toContain('the-token')
      expect(modeOf(shell)).toBe('auto')
    })

    it('copies of the database near its readers are left as they are where they are on', async () => {
      const shell = openFakeShell(COMPLETE, KEY_SET)
      await run(shell)
      expect(shell.ran.filter((line) => line.startsWith('PUT') || line.includes('auth token'))).toEqual([])
      expect(modeOf(shell)).toBe('auto')
    })

    it.each([
      ['refused', '{"success":false,"errors":[{"code":10000}]}'],
      ['away', new Error('away')],
    ])(
      'copies of the database near its readers are left to a person where the API is %s, and the set-up goes on',
      async (_, answer) => {
        const shell = openFakeShell({ ...off, [`PUT ${url}`]: answer }, KEY_SET)
        await run(shell)
        expect(shell.said.join('\n')).toContain('Enable Read Replication')
        expect(modeOf(shell)).toBe('')
        expect(shell.said).toContain('Secrets')
      },
    )
  })

  it('stops where something cannot be made', async () => {
    const { 'npx wrangler r2 bucket info': _, ...rest } = COMPLETE
    const shell = openFakeShell({ ...rest, 'npx wrangler r2 bucket create': new Error('Please enable R2') }, KEY_SET)
    await expect(run(shell)).rejects.toThrow('Please enable R2')
    expect(shell.ran.at(-1)).toContain('r2 bucket create')
  })

  it('makes only the secrets that no person has to know, and shows none', async () => {
    const shell = openFakeShell({ ...COMPLETE, 'npx wrangler secret list': '[]' }, KEY_SET)
    await run(shell)
    const inputs = Object.entries(shell.inputs).map(([command, input]) => [command.split(' ')[4], input])
    expect(inputs.map(([name]) => name)).toEqual(['TICKET_SECRET', 'SPEECH_API_KEY', 'LANGUAGE_API_KEY'])
    const ticketSecret = inputs[0]?.[1] ?? ''
    expect(ticketSecret).toHaveLength(43)
    expect([...shell.said, ...shell.ran].join('\n')).not.toContain(ticketSecret)
  })

  it('replaces no secret because it could not see whether it is there', async () => {
    const broken = openFakeShell({ ...COMPLETE, 'npx wrangler secret list': new Error('fetch failed') }, KEY_SET)
    await expect(run(broken)).rejects.toThrow('fetch failed')
    expect(makersOf(broken)).toEqual([])
    const noWorker = new Error('Worker "adapt" not found.\n\nIf this is a new Worker, run `wrangler deploy` first.')
    const fresh = openFakeShell({ ...COMPLETE, 'npx wrangler secret list': noWorker }, KEY_SET)
    await run(fresh)
    expect(makersOf(fresh)).toHaveLength(3)
  })

  it('leaves the key of a model of your own to you', async () => {
    const environment = openEnvironment()
    fillIn(environment, { vars: { SPEECH_BASE_URL: 'https://speech.acme.com/v1' } })
    const shell = openFakeShell({ ...COMPLETE, 'npx wrangler secret list': '[]' }, KEY_SET)
    await setUp({ environment, base, shell })
    expect(makersOf(shell).join()).not.toContain('SPEECH_API_KEY')
    expect(shell.said.join('\n')).toContain('secret put SPEECH_API_KEY')
  })

  it('lets exactly the origins of the app put videos, and read the ETag of a part', async () => {
    const environment = openEnvironment()
    fillIn(environment, { domains: ['adapt.acme.com', 'learn.acme.com'] })
    const shell = openFakeShell(COMPLETE, KEY_SET)
    await setUp({ environment, base, shell })
    expect(JSON.parse(shell.written['cors.json'] ?? '')).toEqual({
      rules: [
        {
          allowed: {
            origins: ['https://adapt.acme.com', 'https://learn.acme.com'],
            methods: ['PUT'],
            headers: ['content-type', 'if-none-match'],
          },
          exposeHeaders: ['ETag'],
          maxAgeSeconds: 7200,
        },
      ],
    })
  })

  it('says what only a person can do, with the values', async () => {
    const shell = openFakeShell(COMPLETE, KEY_SET)
    const { configPath } = await run(shell)
    const text = shell.said.join('\n')
    expect(text).toContain(
      '{"org_id":"{{org.id}}","org_role":"{{org.role}}","org_permissions":"{{org_membership.permissions}}"}',
    )
    expect(text).toContain(`npx wrangler secret put R2_ACCESS_KEY_ID --config ${configPath}`)
    expect(text).toContain(`npx wrangler secret put R2_SECRET_ACCESS_KEY --config ${configPath}`)
    expect(text).toContain('for the bucket adapt-media only')
  })

  it('writes empty settings the first time, and says where', async () => {
    const environment = openEnvironment()
    const shell = openFakeShell(COMPLETE, KEY_SET)
    await expect(setUp({ environment, base, shell })).rejects.toThrow(`Fill in ${environment.settingsPath}`)
    expect(JSON.parse(shell.written['settings.json'] ?? '')).toMatchObject({ domains: [], clerkPublishableKey: '' })
    expect(shell.ran).toEqual([])
  })

  it.each([
    ['no account is signed in', null, 'npx wrangler login'],
    [
      'there are several accounts',
      [
        { id: 'a1', name: 'A' },
        { id: 'b2', name: 'B' },
      ],
      'a1 (A)\n  b2 (B)',
    ],
  ])('stops while %s', async (_, accounts, advice) => {
    const { 'npx wrangler whoami': __, ...rest } = COMPLETE
    const answers = accounts === null ? rest : { ...rest, 'npx wrangler whoami': JSON.stringify({ accounts }) }
    await expect(run(openFakeShell(answers, KEY_SET))).rejects.toThrow(advice)
  })

  it('takes the key that tokens are signed with among keys of other kinds', async () => {
    const { publicKey: other } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keys = [{ ...other.export({ format: 'jwk' }), kid: 'ins_0', alg: 'ES256' }, ...KEY_SET.keys]
    await expect(run(openFakeShell(COMPLETE, { keys }))).resolves.not.toThrow()
  })

  it.each([
    ['nothing', null],
    ['no key', { keys: [] }],
    ['keys of other kinds alone', { keys: [{ kty: 'EC', crv: 'P-256', alg: 'ES256' }] }],
    ['a page', 'html'],
  ])('stops when Clerk answers with %s', async (_, keySet) => {
    await expect(run(openFakeShell(COMPLETE, keySet))).rejects.toThrow('/.well-known/jwks.json gave no key')
  })
})

describe("Clerk's organizations", () => {
  const ENVIRONMENT_URL = 'GET https://clerk.example.com/v1/environment'
  const environmentOf = (enabled: boolean, isRequired: boolean) =>
    JSON.stringify({ organization_settings: { enabled, force_organization_selection: isRequired } })

  /** @param states of the instance, one each time that it is asked; the last one stays */
  async function setUpWith(states: string[], apiUrl: string | null = null) {
    const shell = openFakeShell({ ...COMPLETE, [ENVIRONMENT_URL]: () => states.shift() ?? '' }, KEY_SET)
    const environment = openEnvironment()
    fillIn(environment)
    const clerk = apiUrl === null ? null : openClerk({ CLERK_SECRET_KEY: 'sk_live_acme', CLERK_API_URL: apiUrl })
    await setUp({ environment, base, shell, clerk })
    return shell.said.find((line) => line.startsWith('1. Clerk, '))
  }

  it.each([
    ['off', environmentOf(false, false), 'turn on organizations, with "Membership: optional".'],
    ['required, as Clerk has them by default', environmentOf(true, true), 'membership of organizations to "optional"'],
    ['as Adapt needs them', environmentOf(true, false), 'are on and membership is optional, so leave it so.'],
    ['not to be read', '{}', 'turn on organizations, with "Membership: optional".'],
  ])("Clerk's organizations are said to be %s", async (_, state, sentence) => {
    expect(await setUpWith([state])).toContain(sentence)
  })

  it("Clerk's organizations are set with the secret key, and read again, since Clerk may leave one setting as it is", async () => {
    const asked: string[] = []
    const { origin, close } = await serveOnFreePort(async (request) => {
      const { pathname, search } = new URL(request.url)
      asked.push(`${request.method} ${pathname}${search} ${await request.text()}`)
      const answers: Record<string, object> = {
        '/v1/jwks': KEY_SET,
        '/v1/jwt_templates': { data: [{ name: 'api', claims: TEMPLATE_CLAIMS }], total_count: 1 },
      }
      return Response.json(answers[pathname] ?? {})
    })
    onTestFinished(close)
    expect(await setUpWith([environmentOf(false, true), environmentOf(true, false)], origin)).toContain('leave it so')
    expect(await setUpWith([environmentOf(true, true), environmentOf(true, true)], origin)).toContain('to "optional"')
    const change = 'PATCH /v1/instance/organization_settings {"enabled":true,"force_organization_selection":false}'
    expect(asked.filter((line) => line.startsWith('PATCH'))).toEqual([change, change])
  })
})

describe("Clerk's template of tokens", () => {
  /** Clerk's own API with the given templates; one that is created is added to them. */
  async function serveClerk(templates: { name: string; claims: object }[], keySet: object = KEY_SET) {
    const { origin, close } = await serveOnFreePort(async (request) => {
      const isAllowed = request.headers.get('authorization') === 'Bearer sk_live_acme'
      if (isAllowed && request.method === 'POST') templates.push((await request.json()) as (typeof templates)[number])
      const answers: Record<string, object> = {
        '/v1/jwks': keySet,
        '/v1/jwt_templates': { data: templates, total_count: templates.length },
      }
      const answer = answers[new URL(request.url).pathname] ?? {}
      const refusal = { errors: [{ code: 'secret_key_invalid', message: 'The provided Clerk Secret Key is invalid.' }] }
      return isAllowed ? Response.json(answer) : Response.json(refusal, { status: 401 })
    })
    onTestFinished(close)
    return origin
  }

  async function setUpWith(apiUrl: string, secretKey = 'sk_live_acme') {
    const environment = openEnvironment()
    fillIn(environment)
    const shell = openFakeShell(COMPLETE, KEY_SET)
    const clerk = openClerk({ CLERK_SECRET_KEY: secretKey, CLERK_API_URL: apiUrl })
    await setUp({ environment, base, shell, clerk })
    return shell.said.join('\n')
  }

  it('is created with the secret key, once, and then no person is asked for it', async () => {
    const templates: { name: string; claims: object }[] = [{ name: 'hasura', claims: {} }]
    const apiUrl = await serveClerk(templates)
    expect(await setUpWith(apiUrl)).not.toContain('{{org.id}}')
    expect(templates[1]).toMatchObject({ name: 'api', claims: TEMPLATE_CLAIMS, lifetime: 60 })
    expect(await setUpWith(apiUrl)).toContain("Clerk's template of tokens")
    expect(templates).toHaveLength(2)
  })

  it('stays as it is where a person has made it otherwise, which is said', async () => {
    const templates = [{ name: 'api', claims: { ...TEMPLATE_CLAIMS, org_permissions: undefined } }]
    const said = await setUpWith(await serveClerk(templates))
    expect(said).toContain('is there without org_permissions')
    expect(said).toContain('{"org_id":"{{org.id}}"')
    expect(templates).toHaveLength(1)
  })

  it('is not created in another instance, nor with a key that opens none', async () => {
    const { publicKey: other } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const templates: { name: string; claims: object }[] = []
    const foreign = await serveClerk(templates, { keys: [other.export({ format: 'jwk' })] })
    await expect(setUpWith(foreign)).rejects.toThrow('another instance of Clerk')
    await expect(setUpWith(foreign, 'sk_live_old')).rejects.toThrow('The provided Clerk Secret Key is invalid.')
    expect(templates).toEqual([])
  })
})
