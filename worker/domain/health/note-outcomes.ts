import { faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import { upsertOutcome, type WatchedPart } from './outcome-store.ts'

/** Records how a call ended: null for success, else its failure code. Never fails, and no caller waits for it. */
export type NoteOutcome = (part: WatchedPart, code: string | null) => void

/** What is the same as before is written this often: well within what the health page calls lately. */
const SAME_EVERY_MS = 20_000
/** Sixty calls at once, some of which fail, are not worth sixty writes. */
const CHANGED_EVERY_MS = 2_000

interface NoteDeps {
  d1: D1Database
  nowMs: () => number
  waitUntil: (work: Promise<unknown>) => void
  /** What this isolate has written, by part. */
  written?: Map<WatchedPart, { atMs: number; code: string | null }>
}

const writtenHere: NonNullable<NoteDeps['written']> = new Map()

/** Stores outcomes in the database, except those that come too soon after the last write. */
export function openNotes({ d1, nowMs, waitUntil, written = writtenHere }: NoteDeps): NoteOutcome {
  return (part, code) => {
    const atMs = nowMs()
    const last = written.get(part)
    if (last !== undefined && atMs - last.atMs < (last.code === code ? SAME_EVERY_MS : CHANGED_EVERY_MS)) return
    written.set(part, { atMs, code })
    const kept = upsertOutcome(d1, { part, code, nowMs: atMs })
    waitUntil(kept.catch((error: unknown) => logLine('warn', 'outcome_not_kept', faultOf(error))))
  }
}
