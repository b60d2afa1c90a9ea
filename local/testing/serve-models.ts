import { env } from 'cloudflare:workers'
import { onTestFinished } from 'vitest'
import type { LocalEnv } from '#local/local-services.ts'

/** Has the worker under test reach its model servers by `fetch`, and be configured so, until the test ends. */
export function serveModels(fetch: NonNullable<LocalEnv['MODEL_SERVER']>['fetch'], vars: Partial<LocalEnv>): void {
  const changed = { ...vars, MODEL_SERVER: { fetch } }
  const before = Object.fromEntries(Object.keys(changed).map((name) => [name, Reflect.get(env, name) ?? null]))
  Object.assign(env, changed)
  onTestFinished(() => void Object.assign(env, before))
}
