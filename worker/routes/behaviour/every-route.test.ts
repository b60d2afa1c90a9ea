// Behaviour: what holds for all routes alike: bodies, queries, methods and headers.
import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { JSON_BODY_MAX_BYTES } from '#contract/limits.ts'
import { Problem } from '#contract/problem.ts'
import { localServices } from '#local/local-services.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { seedCollection, seedPerson, seedTutored } from '#local/testing/tutored.ts'
import { createApp } from '#worker/create-worker.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { createShareOrigin } from '../share-origin.ts'
import { type Caller, EVERY_CALLER, MAY, ORG, type Who, whoIs } from '../testing/access-callers.ts'
import { answerTo, requestFor, sameOf } from '../testing/ask-route.ts'
import { ROUTES as TABLE } from '../testing/route-table.ts'

vi.spyOn(console, 'log').mockImplementation(() => undefined)

const ROUTES = Object.entries(TABLE)

/** A module, and a collection, a person, a group and an assignment with its id. */
async function seedBoth(fields: { orgId: string; shared?: boolean }) {
  const planted = await seedTutored(fields)
  await seedCollection(planted.as, planted.moduleId, fields)
  await seedPerson(fields.orgId, planted.moduleId)
  return planted
}
const ORIGIN = 'http://localhost:8787'

let planted: Awaited<ReturnType<typeof seedBoth>>
let hidden: typeof planted
beforeAll(async () => {
  planted = await seedBoth({ orgId: ORG })
  hidden = await seedBoth({ orgId: ORG, shared: false })
})

async function requestOf(name: string, moduleId: string, who: Who): Promise<Request> {
  const { path, options } = requestFor(name, moduleId, who)
  const { as, method, json } = options
  const headers = new Headers(options.headers)
  if (as !== undefined) headers.set('authorization', `Bearer ${await tokenOf(as, who)}`)
  if (json !== undefined) headers.set('content-type', 'application/json')
  const body = json === undefined ? options.body : JSON.stringify(json)
  return new Request(`${ORIGIN}${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
}

describe('a body that is larger than its route takes', () => {
  /** This one takes a body or none. */
  const MAY_HAVE_BODY = 'POST /api/reprocess/:moduleId'
  const withBody = ROUTES.filter(
    ([name, { json, text }]) => json !== undefined || text !== undefined || name === MAY_HAVE_BODY,
  )
  /** Chunk after chunk, so that nothing says beforehand how much it is. */
  function endless(): ReadableStream<Uint8Array> {
    const chunk = new TextEncoder().encode(' '.repeat(64 * 1024))
    let left = 2 * JSON_BODY_MAX_BYTES + 64 * 1024
    return new ReadableStream({
      pull(controller) {
        if (left <= 0) return controller.close()
        left -= chunk.byteLength
        controller.enqueue(chunk)
      },
    })
  }

  it.each(withBody)('is refused by %s, whatever its head says', { tags: 'threat-19' }, async (name) => {
    const { as, moduleId } = planted
    const request = await requestOf(name, moduleId, { as })
    const headers = new Headers(request.headers)
    headers.set('content-length', '2')
    if (name === MAY_HAVE_BODY) headers.set('content-type', 'application/json')
    const body = endless()
    const answer = await exports.default.fetch(new Request(request.url, { method: request.method, headers, body }))
    expect([answer.status, Problem.parse(await answer.json()).code]).toEqual([413, 'payload_too_large'])
  })
})

describe('a GET', () => {
  const GETS = ROUTES.filter(([name]) => name.startsWith('GET '))

  /** A GET updates only these derived counts: how far learners came in the steps as they are now. */
  const COUNTED = ['learning_steps']

  /** Every row about the module, and of the tables that know no modules. Other tests may change other rows. */
  async function dump(): Promise<Record<string, unknown>> {
    const { results: tables } = await env.DB.prepare(
      `SELECT name, sql LIKE '%module\\_id%' ESCAPE '\\' AS isAbout FROM sqlite_master
       WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'`,
    ).all<{ name: string; isAbout: 0 | 1 }>()
    const looked = tables.filter(({ name }) => !COUNTED.includes(name))
    const conditionOf = (name: string, isAbout: 0 | 1) =>
      name === 'modules' || name === 'collections' ? 'id = ?1' : isAbout === 1 ? 'module_id = ?1' : '?1 IS ?1'
    const rows = await env.DB.batch(
      looked.map(({ name, isAbout }) =>
        env.DB.prepare(`SELECT * FROM "${name}" WHERE ${conditionOf(name, isAbout)}`).bind(planted.moduleId),
      ),
    )
    return Object.fromEntries(looked.map(({ name }, at) => [name, rows[at]?.results]))
  }

  async function objects(): Promise<string[]> {
    return (await env.MEDIA.list({ prefix: `src/${planted.moduleId}` })).objects.map(
      ({ key, etag }) => `${key} ${etag}`,
    )
  }

  it('changes no row and no object, for any caller', { tags: 'threat-7' }, async () => {
    await requestOf('GET /api/modules', planted.moduleId, { as: planted.as })
    const before = [await dump(), await objects()]
    expect(JSON.stringify(before)).toContain('Secure the car')
    for (const [name] of GETS) {
      for (const caller of ['anonymous', 'owner'] as const) {
        const request = await requestOf(name, planted.moduleId, whoIs(caller, planted.as))
        await (await exports.default.fetch(request)).body?.cancel()
      }
    }
    expect([await dump(), await objects()]).toEqual(before)
  })
})

describe('the queries of a route', () => {
  /** Asks the worker itself, on a database that notes what it is asked. */
  async function askNoting(name: string, moduleId: string, who: Who) {
    const queries: string[] = []
    const DB = faultyD1(env.DB, (asked) => {
      queries.push(...asked)
      return null
    })
    const noting = { ...env, DB } as Env
    const rest = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
    const sharePage = { fetch: async (request: Request) => createShareOrigin().fetch(request, noting, rest as never) }
    const ctx = { ...rest, exports: { SharePage: { ...sharePage, purge: async () => undefined } } }
    const request = await requestOf(name, moduleId, who)
    const answer = await answerTo(await createApp(localServices).fetch(request, noting, ctx as never))
    return { ...sameOf(answer, moduleId), queries }
  }

  /** `isHidden`: the module is not shared, so that only its owners may learn that it exists. */
  const CASES = ROUTES.filter(([, { access }]) => !['anyone', 'ticket', 'user'].includes(access)).map(
    ([name, { access }]) => ({ name, access, isHidden: access === 'link' || access === 'viewer' }),
  )

  it.each(CASES)(
    'a query by $name is the same for a module that one may not know of as for none',
    { tags: ['guarantee-G8', 'fault-44', 'spec-6.4'] },
    async (asked) => {
      const { name, access, isHidden } = asked
      const { as, moduleId } = isHidden ? hidden : planted
      const missing = 'x'.repeat(22)
      const knows = (caller: Caller) => MAY.owner.includes(caller) || (!isHidden && MAY[access].includes(caller))
      for (const caller of EVERY_CALLER.filter((each) => !knows(each))) {
        const who = whoIs(caller, as)
        expect(await askNoting(name, moduleId, who), caller).toEqual(await askNoting(name, missing, who))
      }
    },
  )

  it('is noted at all', async () => {
    const { queries } = await askNoting('GET /api/modules/:moduleId', planted.moduleId, { as: 'user_stranger' })
    expect(queries.filter((query) => query.includes('"modules"')).length).toBeGreaterThan(0)
    const page = await askNoting('GET /share/:moduleId', planted.moduleId, {})
    expect(page.queries.filter((query) => query.includes('"modules"')).length).toBeGreaterThan(0)
  })
})
