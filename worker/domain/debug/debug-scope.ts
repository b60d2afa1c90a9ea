import type { DebugScope } from '#contract/debug.ts'
import { has, ORG_ADMIN } from '#worker/domain/organization/has.ts'
import type { Caller } from '#worker/ports/identity.ts'

/** The modules that the caller may inspect. */
export interface Sight {
  scope: DebugScope
  caller: Caller
}

/**
 * Users may inspect what they own, the admins of an organization all of its modules, and operators all modules.
 * @param operatorIds user ids, comma separated, as configured
 */
export function sightOf(caller: Caller, operatorIds: string): Sight {
  const operators = operatorIds.split(',').map((id) => id.trim())
  if (operators.includes(caller.userId)) return { scope: 'all', caller }
  return { scope: has(caller, ORG_ADMIN) ? 'organization' : 'own', caller }
}
