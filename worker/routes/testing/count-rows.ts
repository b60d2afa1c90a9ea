import { env } from 'cloudflare:workers'
import { localServices } from '#local/local-services.ts'
import { tokenOf } from '#local/testing/sign-in.ts'
import { createApp } from '#worker/create-worker.ts'
import { countD1 } from '#worker/db/db.ts'

interface Counted {
  as?: string
  method?: string
  json?: unknown
  body?: string
  headers?: Record<string, string>
}

/** Calls the worker itself and counts the rows that the call writes in D1. */
export async function countRows(path: string, { as, method = 'POST', json, body, headers }: Counted) {
  const { d1, rowsWritten } = countD1(env.DB)
  const ctx = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {}, exports: {} }
  const bearer: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${await tokenOf(as, {})}` }
  const content = json === undefined ? body : JSON.stringify(json)
  const request = new Request(`http://localhost:8787${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...bearer, ...headers },
    ...(content === undefined ? {} : { body: content }),
  })
  const answer = await createApp(localServices).fetch(request, { ...env, DB: d1 }, ctx as never)
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return { rows: rowsWritten(), answer }
}
