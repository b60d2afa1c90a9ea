import { listIll } from '#contract/debug.ts'
import type { Context } from '#worker/core/context.ts'
import { faultOf } from '#worker/core/errors.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { logLine } from '#worker/log/log.ts'
import type { HealthAlert } from '#worker/ports/alert.ts'
import { listOutcomes, type OutcomeRow, upsertOutcome, type WatchedPart } from './outcome-store.ts'
import type { PartsHealth } from './probe-parts.ts'

/** What passes within this needs no person. */
const BAD_FOR_MS = 10 * 60_000

/** What an alert says of the deployment, and how it is sent. */
export interface AlertRun {
  environment: string
  debugUrl: string
  /** @throws when the receiver has not taken it */
  send: (alert: HealthAlert) => Promise<void>
}

/**
 * Sends an alert when health has been bad for ten minutes, once for each such time, and another when it is well again.
 * One that is not taken is sent again with the next sweep. Never fails.
 */
export async function alertOfHealth(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  parts: PartsHealth,
  { environment, debugUrl, send }: AlertRun,
): Promise<void> {
  const ill = listIll(parts)
  const state = ill.length === 0 ? 'well' : 'bad'
  try {
    const atMs = nowMs()
    const rows = await listOutcomes(d1)
    const sinceMs = await keepSince(d1, rows, { state, nowMs: atMs })
    const alerted = rows.find(({ part }) => part === 'alert')
    const isOpen = isBad(alerted)
    // Of an earlier time, when its end was not sent.
    const isSent = isOpen && (alerted?.failedAt ?? 0) >= sinceMs
    const isDue = state === 'well' ? isOpen : !isSent && atMs - sinceMs >= BAD_FOR_MS
    if (!isDue) return
    const since = toIso(sinceMs)
    const text =
      state === 'well'
        ? `Adapt (${environment}) is well again since ${since}.`
        : `Adapt (${environment}) is not well since ${since}. ${ill.map(([part, status]) => `${part}: ${status}.`).join(' ')} ${debugUrl}`
    await send({ state, text, since, parts: Object.fromEntries(ill), environment, debugUrl })
    await keep(d1, 'alert', { state, nowMs: atMs })
    logLine('info', 'alert', { outcome: state })
  } catch (error) {
    logLine('warn', 'alert_failed', { outcome: state, ...faultOf(error) })
  }
}

const isBad = (row: OutcomeRow | undefined) => (row?.failedAt ?? 0) > (row?.okAt ?? 0)

type Change = { state: HealthAlert['state']; nowMs: number }

/** Keeps when health has changed, and only then. @returns since when it is as it is now */
async function keepSince(d1: D1Database, rows: readonly OutcomeRow[], change: Change): Promise<number> {
  const row = rows.find(({ part }) => part === 'health')
  const sinceMs = change.state === 'bad' ? row?.failedAt : row?.okAt
  if (isBad(row) === (change.state === 'bad') && sinceMs) return sinceMs
  await keep(d1, 'health', change)
  return change.nowMs
}

const keep = (d1: D1Database, part: WatchedPart, { state, nowMs }: Change) =>
  upsertOutcome(d1, { part, code: state === 'bad' ? 'bad' : null, nowMs })
