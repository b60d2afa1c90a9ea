import type { AiUse, DebugModule, DebugRun } from '#contract/debug.ts'
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

/** A run with the times, causes and tries of its stages. */
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

/**
 * List prices of Workers AI in US dollars: Whisper large v3 turbo by the minute of sound, Llama 3.3 70B by the token.
 * A stretch of three minutes is about 1,400 tokens of instructions and narration and 450 of steps; an answer about
 * 1,500 and 120.
 */
const USD = { perMinute: 0.00051, perTokenIn: 0.293e-6, perTokenOut: 2.253e-6 }
const STRETCH_TOKENS = { in: 1_400, out: 450 }
const ANSWER_TOKENS = { in: 1_500, out: 120 }

/** What a module used on a day, and about what that costs. */
export function presentAiUse({ heardMs, ...row }: AiUseRow): AiUse {
  const heardMinutes = heardMs / 60_000
  const textUsd = (count: number, tokens: { in: number; out: number }) =>
    count * (tokens.in * USD.perTokenIn + tokens.out * USD.perTokenOut)
  const estimatedUsd =
    heardMinutes * USD.perMinute +
    textUsd(row.writtenStretches, STRETCH_TOKENS) +
    textUsd(row.modelAnswers, ANSWER_TOKENS)
  return { ...row, heardMinutes, estimatedUsd }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}

function toIsoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms)
}
