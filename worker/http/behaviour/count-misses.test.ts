// Behaviour: addresses that lead nowhere count against the network that asks for them.
import { env } from 'cloudflare:workers'
import { nanoid } from 'nanoid'
import { describe, expect, it } from 'vitest'
import { localServices } from '#local/local-services.ts'
import { createApp } from '#worker/create-worker.ts'
import { faultyD1 } from '#worker/db/testing/faulty-d1.ts'
import { createShareOrigin } from '#worker/routes/share-origin.ts'
import { requestFor } from '#worker/routes/testing/ask-route.ts'
import { ROUTES } from '#worker/routes/testing/route-table.ts'

/** The routes that guess at ids without signing in. */
const GUESSED = Object.entries(ROUTES).flatMap(([route, { access }]) => (access === 'link' ? [route] : []))

/** A worker that notes what it reads for an address that has used up all its misses, or none. */
function openNoting(hasMisses: boolean) {
  const read: string[] = []
  const DB = faultyD1(env.DB, (queries) => {
    read.push(...queries)
    return null
  })
  const ASSETS = {
    fetch: async (url: string) => {
      read.push(`template ${url}`)
      return env.ASSETS.fetch(url)
    },
  }
  const MEDIA = {
    get: async (key: string) => {
      read.push(`object ${key}`)
      return null
    },
  }
  const misses = { limit: async () => ({ success: hasMisses }) }
  const noting = { ...env, DB, ASSETS, MEDIA, MISS_LIMIT: misses } as unknown as Env
  const rest = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
  const origin = createShareOrigin()
  const SharePage = { fetch: async (request: Request) => origin.fetch(request, noting, rest as never) }
  const ctx = { ...rest, exports: { SharePage } }
  const app = createApp(localServices)
  async function ask(route: string, moduleId: string) {
    const { path, options } = requestFor(route, moduleId, {})
    const headers = new Headers({ ...options.headers, 'cf-connecting-ip': '2001:db8::9' })
    const body = 'json' in options ? JSON.stringify(options.json) : undefined
    if (body !== undefined) headers.set('content-type', 'application/json')
    const init = { method: options.method, headers, ...(body === undefined ? {} : { body }) }
    const answer = await app.fetch(new Request(`http://localhost:8787${path}`, init), noting, ctx as never)
    return { status: answer.status, text: (await answer.text()).replaceAll(/"requestId":"[^"]*"/g, '') }
  }
  return { ask, read }
}

describe('an id that leads nowhere', () => {
  it.each(GUESSED)(
    'costs %s one indexed read, and its answer is the same for all ids',
    { tags: 'attack-33' },
    async (route) => {
      for (const hasMisses of [true, false]) {
        const { ask, read } = openNoting(hasMisses)
        // The page is written once for all.
        const first = await ask(route, nanoid(22))
        for (let guess = 0; guess < 3; guess += 1) {
          read.length = 0
          expect(await ask(route, nanoid(22))).toEqual(first)
          expect(read).toHaveLength(1)
          expect(read[0]).toMatch(/from "(modules|collections)" where \(?"\1"."id" = \?/)
        }
        read.length = 0
        expect(await ask(route, 'no-id')).toEqual(first)
        expect(read).toEqual([])
      }
    },
  )
})
