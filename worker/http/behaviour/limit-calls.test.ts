// Behaviour: which calls are counted, by whom, and what a limit that cannot be asked does.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Problem } from '#contract/problem.ts'
import { localServices } from '#local/local-services.ts'
import { call } from '#local/testing/api.ts'
import { seedModule } from '#local/testing/modules.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { seedTutored, WRENCH } from '#local/testing/tutored.ts'
import { createApp } from '#worker/create-worker.ts'
import toml from '../../../wrangler.toml?raw'
import { CALL_LIMITS } from '../call-limits.ts'

const LIMIT_NAMES = [
  'CALLER_LIMIT',
  'READ_LIMIT',
  'UPLOAD_LIMIT',
  'CAPTIONS_LIMIT',
  'ADDRESS_LIMIT',
  'ADDRESS_SITE_LIMIT',
  'LINK_LIMIT',
  'LINK_SITE_LIMIT',
] as const
type LimitName = (typeof LIMIT_NAMES)[number]

/** Calls a route with limits that are used up, or have room, and notes under what it was counted. */
async function callWith(route: string, full: readonly LimitName[], accept = '*/*') {
  const keys: string[] = []
  const limiter = (name: LimitName) => ({
    limit: async ({ key }: { key: string }) => {
      keys.push(`${name} ${key}`)
      return { success: !full.includes(name) }
    },
  })
  const limits = Object.fromEntries(LIMIT_NAMES.map((name) => [name, limiter(name)]))
  const [method = '', path = ''] = route.split(' ')
  const request = new Request(`http://localhost:8787${path.replace(':moduleId', 'none')}`, {
    method,
    headers: { authorization: `Bearer ${await tokenOf('user_hasty')}`, 'cf-connecting-ip': '2001:db8::7', accept },
  })
  const answer = await createApp(localServices).fetch(request, { ...env, ...limits }, createExecutionContext())
  return { answer, keys }
}

describe('the calls that are counted', () => {
  it.each(Object.entries(CALL_LIMITS))(
    '%s is refused beyond its budget',
    { tags: 'threat-4' },
    async (route, { budget, caller, address }) => {
      const { answer, keys } = await callWith(route, [address])
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '60'])
      expect(Problem.parse(await answer.json()).code).toBe('rate_limited')
      expect(keys).toEqual([`${address} ${budget}:2001:db8:0:0`])
      const site = `${address.replace('_LIMIT', '')}_SITE_LIMIT` as LimitName
      const bySite = await callWith(route, [site])
      expect(bySite.answer.status).toBe(429)
      expect(bySite.keys).toEqual([`${address} ${budget}:2001:db8:0:0`, `${site} ${budget}:2001:db8:0`])
      if (caller === null) return
      const byPerson = await callWith(route, [caller])
      expect(byPerson.answer.status).toBe(429)
      expect(byPerson.keys.at(-1)).toBe(`${caller} ${budget}:user_hasty`)
      expect((await callWith(route, [])).answer.status).not.toBe(429)
    },
  )

  it('cover every route that reads a whole transcript or searches', { tags: 'attack-65' }, async () => {
    const parsing = [
      'transcript/:moduleId',
      'steps/:moduleId',
      'modules/:moduleId',
      'modules/search',
      'questions/:moduleId',
    ]
    for (const path of parsing) {
      const { answer, keys } = await callWith(`GET /api/${path}`, ['READ_LIMIT'])
      expect([answer.status, keys.at(-1)]).toEqual([429, expect.stringMatching(/^READ_LIMIT \w+:user_hasty$/)])
    }
  })

  it('a shared module as JSON at the address of its page counts twice, because no cache answers it', async () => {
    const route = 'GET /share/:moduleId'
    const keysOf = (budget: string) => [`LINK_LIMIT ${budget}:2001:db8:0:0`, `LINK_SITE_LIMIT ${budget}:2001:db8:0`]
    const json = await callWith(route, [], 'text/html;q=0.1, application/json')
    expect(json.keys).toEqual([...keysOf('page'), ...keysOf('link')])
    expect((await callWith(route, [], 'text/html')).keys).toEqual(keysOf('page'))
  })
})

describe('a site that has very many networks of IPv6', () => {
  it('gets ten times what one network gets, of each limit that counts networks', { tags: 'attack-64' }, () => {
    const limitOf = (name: string) => Number(new RegExp(`name = "${name}"[^[]*limit = (\\d+)`).exec(toml)?.[1])
    for (const name of ['ADDRESS', 'LINK', 'MISS'])
      expect([name, limitOf(`${name}_SITE_LIMIT`)]).toEqual([name, 10 * limitOf(`${name}_LIMIT`)])
    // Of questions the module's own limit is nearer; one site is to leave some of it for others.
    expect(limitOf('LINK_QUESTION_SITE_LIMIT')).toBeLessThan(limitOf('TUTOR_MODULE_LIMIT'))
  })

  it('stops at its sum however many networks ask, and others go on', { tags: 'attack-64' }, async () => {
    const asked = (await seedModule({ status: 'READY', linkAnswersPerDay: 5 })).id
    const statusOf = async (address: string, path: string, json?: object) =>
      (await call(path, { headers: { 'cf-connecting-ip': address }, ...(json && { json }) })).status
    const limits: Record<string, [string, object | undefined, number]> = {
      misses: ['/api/share/x', undefined, 404],
      questions: [`/api/share/${asked}/questions`, { question: WRENCH }, 200],
    }
    for (const [path, json, usual] of Object.values(limits)) {
      const site = `2001:db8:${Math.floor(Math.random() * 0xff_ff).toString(16)}`
      const names = ['MISS_SITE_LIMIT', 'LINK_QUESTION_SITE_LIMIT'] as const
      const seen: string[] = []
      const before = names.map((name) => env[name])
      const limiter = { limit: async ({ key }: { key: string }) => ({ success: seen.push(key) <= 3 }) }
      Object.assign(env, Object.fromEntries(names.map((name) => [name, limiter])))
      onTestFinished(() => names.forEach((name, at) => Object.assign(env, { [name]: before[at] })))
      const statuses: number[] = []
      for (let network = 1; network <= 5; network += 1)
        statuses.push(await statusOf(`${site}:${network}::1`, path, json))
      expect(statuses).toEqual([usual, usual, usual, 429, 429])
      expect(new Set(seen).size).toBe(1)
      expect(await statusOf('203.0.113.77', path, json)).toBe(usual)
    }
  })
})

describe('limits that cannot be asked', () => {
  it('let calls pass, and log it', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    const away = { limit: () => Promise.reject(new Error('The limiter is away.')) }
    const names = ['CALLER_LIMIT', 'ADDRESS_LIMIT', 'LINK_LIMIT', 'TUTOR_USER_LIMIT', 'TUTOR_MODULE_LIMIT']
    const limits = Object.fromEntries(
      Object.keys(env).flatMap((name) => (name.endsWith('_LIMIT') ? [[name, away]] : [])),
    )
    expect(Object.keys(limits)).toEqual(expect.arrayContaining(names))
    const { moduleId } = await seedTutored({ userId: 'user_hasty' })
    const fetchPath = async (path: string, init: RequestInit = {}) => {
      const headers = {
        authorization: `Bearer ${await tokenOf('user_hasty')}`,
        'cf-connecting-ip': '2001:db8::7',
        'content-type': 'application/json',
      }
      const request = new Request(`http://localhost:8787${path}`, { headers, ...init })
      return createApp(localServices).fetch(request, { ...env, ...limits }, createExecutionContext())
    }
    expect((await fetchPath(`/api/steps/${moduleId}`)).status).toBe(200)
    expect((await fetchPath('/api/share/x')).status).toBe(404)
    const body = JSON.stringify({ moduleId, question: WRENCH })
    expect((await fetchPath('/api/qa/ask', { method: 'POST', body })).status).toBe(200)
    const lines = warn.mock.calls.map(([line]) => line)
    expect(lines).toContainEqual(
      expect.objectContaining({ event: 'limit_unread', cause: expect.stringContaining('away') }),
    )
  })
})

describe('a network that guesses ids (case 44)', () => {
  const guess = (path: string, address: string) =>
    call(path, { headers: { 'cf-connecting-ip': address, accept: 'application/json' } })
  const MINUTE_MS = 60_000
  const TEST_MS = 10_000
  const LONG_WAIT_MS = 40_000
  const addressOf = () => `network-${nanoid(8)}`

  it('gets 429 after 300 guesses of any form, and other addresses do not', {
    tags: 'fault-44',
    timeout: LONG_WAIT_MS,
  }, async () => {
    const { id } = await seedModule({ status: 'READY' })
    const address = addressOf()
    // Counted by the minute of the clock, which is not to turn in between.
    const restMs = MINUTE_MS - (Date.now() % MINUTE_MS)
    if (restMs < TEST_MS) await scheduler.wait(restMs)
    const guesses = Array.from({ length: 330 }, (_, at) => `/api/share/${at % 2 === 0 ? nanoid(22) : 'x'}`)
    const answers = await Promise.all(guesses.map((path) => guess(path, address)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(300)
    expect(statuses.filter((status) => status === 429)).toHaveLength(30)
    const bodies = await Promise.all(answers.map(async (answer) => Problem.parse(await answer.json())))
    expect(new Set(bodies.map(({ status, detail }) => `${status} ${detail}`)).size).toBe(2)
    expect((await guess(`/api/share/${id}`, address)).status).toBe(200)
    // It has none, which its page cannot know.
    expect((await guess(`/share/${id}/images/step-0`, address)).status).toBe(404)
    expect((await guess('/api/share/x', addressOf())).status).toBe(404)
    const page = await call('/share/x', { headers: { 'cf-connecting-ip': address, accept: 'text/html' } })
    expect([page.status, page.headers.get('retry-after')]).toEqual([429, '60'])
    expect(await page.text()).toContain('<!doctype html>')
  })
})
