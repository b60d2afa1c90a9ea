import type { AiUse, DebugModule, DebugRun } from '#contract/debug.ts'
import { USD_PER_ANSWER, USD_PER_STRETCH, usdOfSound } from '#worker/domain/quota/ai-prices.ts'
import type { AiUseRow, DebugRow, DebugRunRow } from './debug-store.ts'

/** A row of the debug page. */
export function presentDebugModule(row: DebugRow): DebugModule {
  const { isMine, isOrphaned, isStuck, createdAt, updatedAt, ...rest } = row
  const status = isOrphaned === 1 ? 'orphaned' : row.status
  const isEmpty = row.status === 'READY' && row.stepsCount === 0
  return {
    ...rest,
    status,
    createdAt: toIso(createdAt),
    updatedAt: toIso(updatedAt),
    isStuck: isStuck === 1,
    needsAttention: status === 'FAILED' || status === 'orphaned' || isStuck === 1 || isEmpty,
    mayRetry: isMine === 1 && status !== 'orphaned',
    trainingUrl: `/training/${row.id}`,
  }
}

/** A run with the times, causes and attempts of its stages. */
export function presentRun(row: DebugRunRow): DebugRun {
  const { run, trigger, outcome, failureCode } = row
  return {
    run,
    trigger,
    outcome,
    failureCode,
    startedAt: toIso(row.startedAt),
    admittedAt: toIsoOrNull(row.admittedAt),
    endedAt: toIsoOrNull(row.endedAt),
    sound: {
      done: row.heard,
      total: row.partCount,
      tries: row.soundTries,
      mostTries: row.mostSoundTries,
      lastHeardAt: toIsoOrNull(row.lastHeardAt),
    },
    steps: {
      done: row.written,
      total: row.stretchCount,
      tries: row.stepTries,
      mostTries: row.mostStepTries,
      drafts: row.drafts,
    },
  }
}

/** What a module used on a day, and about what that costs. */
export function presentAiUse({ heardMs, ...row }: AiUseRow): AiUse {
  const heardMinutes = heardMs / 60_000
  const estimatedUsd = usdOfSound(heardMs) + row.writtenStretches * USD_PER_STRETCH + row.modelAnswers * USD_PER_ANSWER
  return { ...row, heardMinutes, estimatedUsd }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

function toIsoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
}
