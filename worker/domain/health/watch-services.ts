import type { Context } from '#worker/context.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { AppError, faultOf } from '#worker/errors.ts'
import { logLine } from '#worker/log/log.ts'
import type { TutorModel } from '#worker/ports/language-model.ts'
import type { Services } from '#worker/services.ts'
import { upsertOutcome, type WatchedPart } from './outcome-store.ts'

/** Failures that the model causes; all others come from its input or from a caller that stopped waiting. */
const OWN_FAILURES: ReadonlySet<string> = new Set(['ai_busy', 'ai_quota', 'ai_timeout', 'ai_failed', 'no_recogniser'])

/** The services of a worker, whose models have it noted how each of their calls ended. Ours need no model and are not watched. */
export function watchServices(services: Services, note: NoteOutcome): Services {
  const { speech, stepWriter, textRewriter, tutorModel } = services
  const watched = { ...services }
  watched.speech = {
    name: speech.name,
    transcribe: (part, signal) => watch('speech', note, () => speech.transcribe(part, signal)),
  }
  if (stepWriter !== extractiveStepWriter)
    watched.stepWriter = {
      name: stepWriter.name,
      writeSteps: (window, signal) => watch('steps', note, () => stepWriter.writeSteps(window, signal)),
    }
  if (textRewriter !== extractiveTextRewriter)
    watched.textRewriter = {
      name: textRewriter.name,
      rewrite: (task, signal) => watch('rewriter', note, () => textRewriter.rewrite(task, signal)),
    }
  if (tutorModel !== null) watched.tutorModel = watchTutor(tutorModel, note)
  return watched
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
    async *answer(task, signal) {
      try {
        for await (const sentence of model.answer(task, signal)) {
          note('tutor', null)
          yield sentence
        }
      } catch (error) {
        noteFailure('tutor', note, error)
        throw error
      }
    },
  }
}

function noteFailure(part: WatchedPart, note: NoteOutcome, error: unknown): void {
  if (error instanceof AppError && OWN_FAILURES.has(error.code)) note(part, error.code)
}

/** Records how a call ended: null for success, else its failure code. Never fails, and no caller waits for it. */
type NoteOutcome = (part: WatchedPart, code: string | null) => void

/** What is the same as before is written this often: well within what the health page calls lately. */
const SAME_EVERY_MS = 20_000
/** Sixty calls at once, some of which fail, are not worth sixty writes. */
const CHANGED_EVERY_MS = 2_000

interface Notes extends Pick<Context, 'd1' | 'nowMs'> {
  waitUntil: (work: Promise<unknown>) => void
  /** What this isolate has written, by part. */
  written?: Map<WatchedPart, { atMs: number; code: string | null }>
}

const writtenHere: NonNullable<Notes['written']> = new Map()

/** Stores outcomes in the database, except those that come too soon after the last write. */
export function openNotes({ d1, nowMs, waitUntil, written = writtenHere }: Notes): NoteOutcome {
  return (part, code) => {
    const atMs = nowMs()
    const last = written.get(part)
    if (last !== undefined && atMs - last.atMs < (last.code === code ? SAME_EVERY_MS : CHANGED_EVERY_MS)) return
    written.set(part, { atMs, code })
    const kept = upsertOutcome(d1, { part, code, nowMs: atMs })
    waitUntil(kept.catch((error: unknown) => logLine('warn', 'outcome_not_kept', faultOf(error))))
  }
}
