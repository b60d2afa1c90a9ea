import type { AiUse, AiUseAnswer, DebugModule, DebugRun } from '#contract/debug.ts'
import { USD_PER_ANSWER, USD_PER_SECTION, usdOfAudio } from '#worker/domain/quota/spend-ai.ts'
import { type AiUseRow, type DebugRow, type DebugRunRow, listAiUse, type Sight } from './debug-store.ts'

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
function presentAiUse({ transcribedMs, ...row }: AiUseRow): AiUse {
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

const DAYS = 30
const DAY_MS = 24 * 60 * 60_000
const ROWS_MAX = 100

/** What the models did in the last thirty days, and about what that costs. The sum is of all, not of the rows alone. */
export async function readAiUse(d1: D1Database, sight: Sight, nowMs: number): Promise<AiUseAnswer> {
  const used = (await listAiUse(d1, sight, nowMs - DAYS * DAY_MS)).map(presentAiUse)
  const rows = used.sort((left, right) => right.estimatedUsd - left.estimatedUsd).slice(0, ROWS_MAX)
  const totalUsd = used.reduce((sum, { estimatedUsd }) => sum + estimatedUsd, 0)
  return { success: true, scope: sight.scope, totalUsd, rows }
}
