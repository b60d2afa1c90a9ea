import type { Context } from '#worker/core/context.ts'
import { AppError, faultOf } from '#worker/core/errors.ts'
import { IsolateCache } from '#worker/core/isolate-cache.ts'
import type { Services } from '#worker/core/services.ts'
import { listRows, runSql } from '#worker/db/db.ts'
import type { outcomes } from '#worker/db/operation-tables.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import type { AacMemory } from '#worker/domain/transcript/transcribe-chunk.ts'
import { logLine } from '#worker/log/log.ts'
import type { StepWriter, TutorModel } from '#worker/ports/language-model.ts'
import type { SweptPart } from './swept-parts.ts'

/** Parts that are judged by how their last work ended, because probing a model would cost a call. */
export type WatchedPart = 'speech' | 'm4a' | 'steps' | 'rewriter' | 'tutor' | 'sweep' | `sweep:${SweptPart}` | AlertPart

/** Since when health is well or bad, and when that was last reported. */
type AlertPart = 'health' | 'alert'

/** When a part's work last went well and when it last failed, epoch milliseconds. */
export type OutcomeRow = typeof outcomes.$inferSelect & { part: WatchedPart }

const UPSERT = `
  INSERT INTO outcomes (part, ok_at, failed_at, code) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (part) DO UPDATE SET ok_at = coalesce(?2, ok_at), failed_at = coalesce(?3, failed_at), code = coalesce(?4, code)`

/** Keeps how a part's latest work ended. @param outcome `code` is null where it went well */
export async function upsertOutcome(
  d1: D1Database,
  { part, code, nowMs }: { part: WatchedPart; code: string | null; nowMs: number },
): Promise<void> {
  const [okAt, failedAt] = code === null ? [nowMs, null] : [null, nowMs]
  await runSql(d1, UPSERT, part, okAt, failedAt, code)
}

const M4A = `SELECT failed_at > coalesce(ok_at, 0) AND failed_at > ?1 AS isRefused FROM outcomes WHERE part = 'm4a'`
/** After this M4A is tried once more: a platform may learn to read it. */
const M4A_REFUSED_FOR_MS = 24 * 60 * 60_000
/** An isolate reads the stored outcome again after this time. */
const M4A_READ_EVERY_MS = 60_000
const m4aRefusals = new IsolateCache<boolean>({ maxAgeMs: M4A_READ_EVERY_MS, maxWeight: 1 })

/** Reads how the account's recogniser takes AAC; what chunks show to be otherwise is kept for all of them. */
export async function openAacMemory({ d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>): Promise<AacMemory> {
  const atMs = nowMs()
  const isRefusedNow = await m4aRefusals.load('m4a', atMs, async () => {
    const [row] = await listRows<{ isRefused: number }>(d1, M4A, atMs - M4A_REFUSED_FOR_MS)
    return row?.isRefused === 1
  })
  return {
    get isM4aRefused() {
      return m4aRefusals.get('m4a', nowMs()) ?? isRefusedNow
    },
    async note(isRefused) {
      m4aRefusals.set('m4a', isRefused, atMs)
      const code = isRefused ? 'ai_refused_audio' : null
      await upsertOutcome(d1, { part: 'm4a', code, nowMs: atMs }).catch(logNotKept)
    },
  }
}

/** Lists the outcomes of all parts; one that was never used has no row. */
export function listOutcomes(d1: D1Database): Promise<OutcomeRow[]> {
  return listRows(d1, 'SELECT part, ok_at AS okAt, failed_at AS failedAt, code FROM outcomes')
}

/** Failures that the model causes; all others come from its input or from a caller that stopped waiting. */
const OWN_FAILURES: ReadonlySet<string> = new Set(['ai_busy', 'ai_quota', 'ai_timeout', 'ai_failed', 'no_recogniser'])

/** The services of a worker, whose models have it noted how each of their calls ended. Ours need no model and are not watched. */
export function watchServices(services: Services, note: NoteOutcome): Services {
  const { speech, stepWriter, textRewriter, tutorModel } = services
  const watched = { ...services }
  watched.speech = {
    ...speech,
    transcribe: (part, signal) => watch('speech', note, () => speech.transcribe(part, signal)),
  }
  if (stepWriter !== extractiveStepWriter) watched.stepWriter = watchStepWriter(stepWriter, note)
  if (textRewriter !== extractiveTextRewriter)
    watched.textRewriter = {
      name: textRewriter.name,
      rewrite: (...args) => watch('rewriter', note, () => textRewriter.rewrite(...args)),
    }
  if (tutorModel !== null) watched.tutorModel = watchTutor(tutorModel, note)
  return watched
}

function watchStepWriter(writer: StepWriter, note: NoteOutcome): StepWriter {
  const { name, outline } = writer
  return {
    name,
    writeSteps: (...args) => watch('steps', note, () => writer.writeSteps(...args)),
    ...(outline && { outline: (...args) => watch('steps', note, () => outline(...args)) }),
  }
}

async function watch<Answer>(part: WatchedPart, note: NoteOutcome, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await ask()
    note(part, null)
    return answer
  } catch (error) {
    noteFailure(part, note, error)
    throw error
  }
}

/** One sentence is enough to see that it answers. */
function watchTutor(model: TutorModel, note: NoteOutcome): TutorModel {
  return {
    name: model.name,
    async *answer(...args) {
      try {
        for await (const sentence of model.answer(...args)) {
          note('tutor', null)
          yield sentence
        }
      } catch (error) {
        noteFailure('tutor', note, error)
        throw error
      }
    },
    judge: (...args) => watch('tutor', note, () => model.judge(...args)),
  }
}

function noteFailure(part: WatchedPart, note: NoteOutcome, error: unknown): void {
  if (!(error instanceof AppError) || error.isPaced || error.isUnasked || error.isPreparing) return
  if (OWN_FAILURES.has(error.code)) note(part, error.code)
}

/** Records how a call ended: null for success, else its failure code. Never fails, and no caller waits for it. */
type NoteOutcome = (part: WatchedPart, code: string | null) => void

/** An unchanged outcome is written this often, well within the time that the health page calls recent. */
const SAME_EVERY_MS = 20_000
/** Sixty calls at once, some of which fail, are not worth sixty writes. */
const CHANGED_EVERY_MS = 2_000

interface Notes extends Pick<Context, 'd1' | 'nowMs'> {
  /** The invocation, which outlasts its answer until an outcome is stored. */
  ctx: Pick<ExecutionContext, 'waitUntil'>
  /** What this isolate has written, by part. */
  written?: Map<WatchedPart, { atMs: number; code: string | null }>
}

const writtenHere: NonNullable<Notes['written']> = new Map()

/** Stores outcomes in the database, except those that come too soon after the last write. */
export function makeOutcomeRecorder({ d1, nowMs, ctx, written = writtenHere }: Notes): NoteOutcome {
  return (part, code) => {
    const atMs = nowMs()
    const last = written.get(part)
    if (last !== undefined && atMs - last.atMs < (last.code === code ? SAME_EVERY_MS : CHANGED_EVERY_MS)) return
    written.set(part, { atMs, code })
    const recorded = upsertOutcome(d1, { part, code, nowMs: atMs })
    ctx.waitUntil(recorded.catch(logNotKept))
  }
}

function logNotKept(error: unknown): void {
  logLine('warn', 'outcome_not_kept', faultOf(error))
}
