import { and, eq, lte, sql } from 'drizzle-orm'
import { audioParts, stretches } from '#worker/db/schema.ts'
import { selectModule } from '#worker/domain/module/module-store.ts'
import type { CurrentRun } from './current-run.ts'
import type { PartRow } from './part-store.ts'
import type { RunDeps } from './run-deps.ts'
import { isRunCurrent, type RunId, selectRun } from './run-store.ts'
import type { StretchRow } from './stretch-store.ts'

/** Which unit is wanted, and for how long others are to leave it alone. */
interface Claim {
  nowMs: number
  untilMs: number
}

/** A unit to work on; null when it is done, somebody else is at work on it, or it does not exist. */
export interface Claimed<Unit> extends CurrentRun {
  unit: Unit | null
}

/**
 * Takes a part to hear, so that a copy of its message leaves it alone; in one question with its module and run.
 * @returns null when there is nothing to do for the run any more
 */
export async function claimPart(
  deps: Pick<RunDeps, 'db'>,
  id: RunId,
  { part, nowMs, untilMs }: Claim & { part: number },
): Promise<Claimed<PartRow> | null> {
  const [units, modules, runs] = await deps.db.batch([
    deps.db
      .update(audioParts)
      .set({ tries: sql`${audioParts.tries} + 1`, busyUntil: untilMs })
      .where(
        and(
          eq(audioParts.moduleId, id.moduleId),
          eq(audioParts.run, id.run),
          eq(audioParts.part, part),
          eq(audioParts.status, 'planned'),
          lte(audioParts.busyUntil, nowMs),
          isRunCurrent(id),
        ),
      )
      .returning(),
    selectModule(deps.db, id.moduleId),
    selectRun(deps.db, id),
  ])
  return toClaimed(id, { unit: units[0], module: modules[0], run: runs[0] })
}

/** The same for a stretch to write. */
export async function claimStretch(
  deps: Pick<RunDeps, 'db'>,
  id: RunId,
  { stretch, nowMs, untilMs }: Claim & { stretch: number },
): Promise<Claimed<StretchRow> | null> {
  const [units, modules, runs] = await deps.db.batch([
    deps.db
      .update(stretches)
      .set({ tries: sql`${stretches.tries} + 1`, busyUntil: untilMs })
      .where(
        and(
          eq(stretches.moduleId, id.moduleId),
          eq(stretches.run, id.run),
          eq(stretches.stretch, stretch),
          eq(stretches.status, 'planned'),
          lte(stretches.busyUntil, nowMs),
          isRunCurrent(id),
        ),
      )
      .returning(),
    selectModule(deps.db, id.moduleId),
    selectRun(deps.db, id),
  ])
  return toClaimed(id, { unit: units[0], module: modules[0], run: runs[0] })
}

function toClaimed<Unit>(
  id: RunId,
  { unit, module, run }: { unit: Unit | undefined } & { [K in keyof CurrentRun]: CurrentRun[K] | undefined },
): Claimed<Unit> | null {
  if (module === undefined || module.run !== id.run || module.status !== 'PROCESSING') return null
  return run === undefined || run.endedAt !== null ? null : { unit: unit ?? null, module, run }
}
