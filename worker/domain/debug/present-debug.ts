import type { AiUse, DebugModule, DebugRun } from '#contract/debug.ts'
import { USD_PER_ANSWER, USD_PER_SECTION, usdOfAudio } from '#worker/domain/quota/ai-prices.ts'
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
    audio: {
      done: row.transcribed,
      total: row.partCount,
      tries: row.audioTries,
      mostTries: row.mostAudioTries,
      lastTranscribedAt: toIsoOrNull(row.lastTranscribedAt),
    },
    steps: {
      done: row.written,
      total: row.sectionCount,
      tries: row.stepTries,
      mostTries: row.mostStepTries,
      drafts: row.drafts,
    },
  }
}

/** What a module used on a day, and about what that costs. */
export function presentAiUse({ transcribedMs, ...row }: AiUseRow): AiUse {
  const transcribedMinutes = transcribedMs / 60_000
  const estimatedUsd =
    usdOfAudio(transcribedMs) + row.writtenSections * USD_PER_SECTION + row.modelAnswers * USD_PER_ANSWER
  return { ...row, transcribedMinutes, estimatedUsd }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

function toIsoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
}
