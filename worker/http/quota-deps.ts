import type { Context } from 'hono'
import { readQuotas } from '#worker/domain/quota/quotas.ts'
import type { QuotaDeps } from '#worker/domain/quota/take-quota.ts'
import type { AppEnv } from './app-env.ts'

/** What counting against the quotas of a day can reach. */
export function quotaDepsOf({ env }: Context<AppEnv>): QuotaDeps {
  return { d1: env.DB, quotas: readQuotas(env), nowMs: () => Date.now() }
}
