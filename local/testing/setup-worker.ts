import { reset } from 'cloudflare:test'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { forgetSigningKey } from '#local/clerk/session/tokens.ts'
import { makeTables } from './make-tables.ts'
import { findScans, watchStatements } from './table-scans.ts'

/** What the file before has left to do ends first, which takes long on a busy machine. */
const RESET_TIMEOUT_MS = 60_000

// Files share one runtime, which takes seconds to start, but nothing that is stored in it.
beforeAll(async () => {
  await reset()
  forgetSigningKey()
  await makeTables()
}, RESET_TIMEOUT_MS)

// The worker's own lines are for operators; among the tests' output they would be most of it.
for (const method of ['log', 'warn'] as const) {
  const print = console[method]
  if (vi.isMockFunction(print)) continue
  vi.spyOn(console, method).mockImplementation((...said: unknown[]) => {
    if (!(typeof said[0] === 'object' && said[0] !== null && 'event' in said[0])) print(...said)
  })
}

// What reads a growing table from end to end is fast in a test, and stops every other query of a large database.
watchStatements()
afterAll(async () => {
  expect(await findScans()).toEqual([])
})

// A test that logs an error without expecting it hides a fault.
const errors = vi.spyOn(console, 'error')
afterEach(() => {
  const unexpected = errors.mock.calls.map((call: unknown[]) => call.map(toText).join(' '))
  errors.mockClear()
  expect(unexpected).toEqual([])
})

function toText(said: unknown): string {
  return said instanceof Error ? said.message : typeof said === 'string' ? said : JSON.stringify(said)
}
