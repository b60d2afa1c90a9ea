import { endRestorable, takeErasable } from '#worker/domain/module/deleted-store.ts'
import type { RunDeps } from '#worker/domain/run/run-deps.ts'

/** Modules that one sweep erases: each takes some twenty calls of the thousand that an invocation may make. */
export const ERASED_PER_SWEEP = 20

/** Deleted modules that are to be removed for good now. Those whose time is over can no longer be restored. */
export async function takeToErase(deps: Pick<RunDeps, 'db' | 'nowMs'>) {
  const nowMs = deps.nowMs()
  await endRestorable(deps.db, nowMs)
  return takeErasable(deps.db, nowMs, ERASED_PER_SWEEP)
}
