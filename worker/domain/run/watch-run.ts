import { findModule, type ModuleRow } from '#worker/domain/module/module-store.ts'
import { countRedrive, reportRun, updateFailed } from '#worker/domain/module/run-status-store.ts'
import { logLine } from '#worker/log/log-line.ts'
import { admitRuns } from './admit-runs.ts'
import { askForWork } from './ask-for-work.ts'
import { failRun, type RunFailure } from './fail-run.ts'
import { hasBusyParts, hasHeardSince, listIdleParts } from './part-store.ts'
import type { RunDeps } from './run-deps.ts'
import { findRun, type RunRow } from './run-store.ts'
import { startRun } from './start-run.ts'
import { hasBusyStretches } from './stretch-store.ts'

/**
 * A run that was silent this long has probably lost a message: the local queue lives in memory. Whoever is at work
 * gives a sign of life every 10 s, and what waits for its next try says until when. Doubles with every redrive.
 */
export const QUIET_MS = 45_000
/** 45 + 90 + 180 + 360 s, and as long again before giving up: under 20 minutes without a sign of life. */
export const MAX_REDRIVES = 4
const QUIET_MAX_MS = 6 * 60_000

const GIVE_UP: RunFailure = {
  code: 'gave_up',
  reason: 'Processing stopped and did not come back. Nothing of your video is lost: please try again.',
}

/** How long a module may be silent before something is done about it. */
export function quietLimitMs(redrives: number): number {
  return Math.min(QUIET_MAX_MS, QUIET_MS * 2 ** redrives)
}

/**
 * Looks after a module that is being worked on: asks again for what was lost once it has been silent for too long, and
 * ends it after a few times. Looking twice, or at any other moment, does no harm.
 * @returns false when there is nothing to look after any more
 */
export async function watchModule(deps: RunDeps, moduleId: string): Promise<boolean> {
  const module = await findModule(deps.db, moduleId)
  if (module === null || module.status !== 'PROCESSING' || module.receivedAt === null) return false
  if (deps.nowMs() - module.updatedAt < quietLimitMs(module.redrives)) return true
  if (module.sourceEtag === null) return reviveEarly(deps, module)
  await revive(deps, module)
  return true
}

/**
 * A run whose video is on its way ends only with it, however long that takes: just what was lost is asked for again, a
 * few times. The sweep looks after the upload itself.
 */
async function reviveEarly(deps: RunDeps, module: ModuleRow): Promise<boolean> {
  const at = { moduleId: module.id, run: module.run, nowMs: deps.nowMs() }
  const run = await findRun(deps.db, at)
  if (run === null || module.redrives >= MAX_REDRIVES) return false
  if (run.admittedAt !== null && (await isWaiting(deps, module, run))) await reportRun(deps.db, at, {})
  else if (await countRedrive(deps.db, at)) await reviveSound(deps, module, run)
  return true
}

async function reviveSound(deps: RunDeps, module: ModuleRow, run: RunRow): Promise<void> {
  if (run.admittedAt === null) await admitRuns(deps, module.userId)
  else await askForWork(deps, run)
}

/** Silence is counted in attempts, not by the clock: a machine that was off for a day has not given up on anything. */
async function revive(deps: RunDeps, module: ModuleRow): Promise<void> {
  const at = { moduleId: module.id, run: module.run, nowMs: deps.nowMs() }
  const run = await findRun(deps.db, at)
  if (run !== null && (await isWaiting(deps, module, run))) await reportRun(deps.db, at, {})
  else if (module.redrives >= MAX_REDRIVES) await end(deps, module)
  else if (await countRedrive(deps.db, at)) await redrive(deps, module, run)
}

/** Waiting for its turn, for an answer, or behind other videos that are being heard is a sign of life. */
async function isWaiting(deps: RunDeps, module: ModuleRow, run: RunRow): Promise<boolean> {
  if (run.admittedAt === null) {
    await admitRuns(deps, module.userId)
    return true
  }
  const nowMs = deps.nowMs()
  if ((await hasBusyParts(deps.db, run, nowMs)) || (await hasBusyStretches(deps.db, run, nowMs))) return true
  // Only once its messages have been sent again: until then a lost one and one that waits look the same.
  if (module.redrives === 0 || !(await hasHeardSince(deps.db, nowMs - QUIET_MS))) return false
  return (await listIdleParts(deps.db, run, nowMs)).length > 0
}

async function redrive(deps: RunDeps, module: ModuleRow, run: RunRow | null): Promise<void> {
  logLine('warn', 'redrive', { moduleId: module.id, run: module.run, redrives: module.redrives + 1 })
  if (run === null) await startRun(deps, module, { trigger: 'upload' })
  else await askForWork(deps, run)
}

async function end(deps: RunDeps, module: ModuleRow): Promise<void> {
  const id = { moduleId: module.id, run: module.run }
  if (module.run === 0) await updateFailed(deps.db, { ...id, nowMs: deps.nowMs() }, GIVE_UP)
  else await failRun(deps, id, GIVE_UP)
}
