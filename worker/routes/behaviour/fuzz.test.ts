// Behaviour: bad input at every route of the app ends in a named problem, never in a bug.
import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import type { Sent } from '../testing/fuzz/cases.ts'
import { runFuzz, type Target } from '../testing/fuzz/run-fuzz.ts'
import { seedWorld } from '../testing/fuzz/seed-world.ts'
import { checkTables } from '../testing/fuzz/stored-faults.ts'

/** A few of each route; `npm run fuzz` sends thousands. */
const CASES = 350

const target: Target = {
  plant: () => seedWorld({ env, fetch: (request) => exports.default.fetch(request) }),
  send,
  checkTables: () => checkTables(env.DB),
}

async function send({ method, target: path, headers, body }: Sent) {
  const response = await exports.default.fetch(`http://localhost:8787${path}`, {
    method,
    headers: new Headers(headers),
    redirect: 'manual',
    ...(body === null ? {} : { body }),
  })
  response.webSocket?.accept()
  response.webSocket?.close()
  const bytes = response.webSocket === null ? await response.arrayBuffer() : new ArrayBuffer()
  const text = new TextDecoder().decode(bytes)
  // How long an answer takes is judged by `npm run fuzz` alone.
  return { status: response.status, headers: response.headers, text, tookMs: 0 }
}

describe('bad input at every route', () => {
  it('never leads to a fault of ours, a leak, or a row that the contract would refuse', {
    tags: ['threat-17', 'threat-19'],
  }, async () => {
    const seed = pickSeed()
    const { faults } = await runFuzz(target, { seed, cases: CASES })
    expect(faults, `seed ${seed}`).toEqual([])
  })
})
