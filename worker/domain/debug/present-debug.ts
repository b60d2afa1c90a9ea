import type { AiUseAnswer, DebugModule, DebugRun, DebugScope } from '#contract/debug.ts'
import type { Quota } from '#contract/problem.ts'
import { DAY_MS } from '#contract/time/day.ts'
import type { Context } from '#worker/core/context.ts'
import { EVERYONE } from '#worker/domain/quota/quota-store.ts'
import { USD_PER_ANSWER, USD_PER_SECTION, usdOfAudio } from '#worker/domain/quota/spend-ai.ts'
import { dayOf, findOver, UNITS } from '#worker/domain/quota/take-quota.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import {
  type AiPrices,
  type DebugRow,
  type DebugRunRow,
  listAiUse,
  listDearestAiUse,
  type Sight,
} from './debug-store.ts'

/** Presents a row of the debug page to a caller who sees modules of this scope. */
export function presentDebugModule(row: DebugRow, scope: DebugScope): DebugModule {
  const { isMine, isOrphaned, ...rest } = row
  const status = isOrphaned ? 'orphaned' : row.status
  const isEmpty = row.status === 'READY' && row.stepsCount === 0
  return {
    ...rest,
    status,
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    needsAttention: row.runStatus === 'FAILED' || status === 'orphaned' || row.isStuck || isEmpty,
    mayRetry: status !== 'orphaned' && (isMine || (scope === 'all' && row.isStuck)),
    trainingUrl: `/training/${row.id}`,
  }
}

/** A run with the times, causes and attempts of its stages. */
export function presentRun({ audio, ...run }: DebugRunRow): DebugRun {
  return {
    ...run,
    startedAt: toIso(run.startedAt),
    admittedAt: toIso(run.admittedAt),
    endedAt: toIso(run.endedAt),
    audio: { ...audio, lastTranscribedAt: toIso(audio.lastTranscribedAt) },
  }
}

const DAYS = 30
const ROWS_MAX = 100

const PRICES: AiPrices = { transcribedMs: usdOfAudio(1), section: USD_PER_SECTION, answer: USD_PER_ANSWER }

/**
 * What the models did in the last thirty days, and about what that costs. The sum is of all, not of the rows alone. Of
 * everybody's modules the rows are of today and yesterday.
 */
export async function readAiUse(context: Context, sight: Sight): Promise<AiUseAnswer> {
  const { db } = context
  const nowMs = context.nowMs()
  const listOptions = { sinceMs: nowMs - DAYS * DAY_MS, limit: ROWS_MAX }
  const { rows, totalUsd } =
    sight.scope === 'all'
      ? await listDearestAiUse(db, { ...listOptions, days: [dayOf(nowMs), dayOf(nowMs - DAY_MS)] })
      : await listAiUse(db, sight, { ...listOptions, prices: PRICES })
  const presentedRows = rows.map(({ transcribedMs, ...row }) => ({
    ...row,
    transcribedMinutes: transcribedMs / 60_000,
  }))
  const reached = sight.scope === 'all' ? await findReachedByAll(context) : null
  return { success: true, scope: sight.scope, totalUsd, rows: presentedRows, reached }
}

/** Finds the limit of everyone together where no other answer of a model fits under it today. */
async function findReachedByAll(context: Context): Promise<Quota | null> {
  const amount = Math.ceil(USD_PER_ANSWER * UNITS.ai)
  const use = { kind: 'ai', day: dayOf(context.nowMs()), userId: EVERYONE, orgId: null, amount } as const
  const quota = await findOver(context, use)
  return quota?.of === 'everyone' ? quota : null
}
