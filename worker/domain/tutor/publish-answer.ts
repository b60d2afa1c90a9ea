import type { AnswerEnd } from '#contract/tutor.ts'
import { AppError, describeError } from '#worker/errors.ts'
import { logLine } from '#worker/log/log-line.ts'
import type { SaidSegment } from '#worker/ports/step-writer.ts'
import {
  NO_ANSWER,
  type TutorModel,
  type TutorReply,
  type TutorSentence,
  type TutorTask,
} from '#worker/ports/tutor-model.ts'
import { answerNotCovered } from './answer-extractively.ts'
import { checkCitations } from './check-citations.ts'
import { cleanAnswer } from './clean-answer.ts'
import type { AnswerPlan } from './plan-answer.ts'
import type { QuotedSentence, TutorAnswer } from './tutor-answer.ts'

/** Why an answer ends early: a person stopped it, its deadline has passed, or the room that relays it has gone. */
export type Halt = 'stopped' | 'late' | 'lost'

/** An answer as it was sent. */
export interface PublishedAnswer {
  answer: TutorAnswer
  /** `broken`: only a part was sent. */
  end: AnswerEnd
  /** `steps`, `extractive` or the model's name. */
  by: string
}

interface StoredOptions {
  /** Null where there is none, or none that may be asked. */
  model: TutorModel | null
  ask: (shown: readonly SaidSegment[]) => TutorTask
  /** Fires with a {@link Halt} as its reason. */
  halt: AbortSignal
  /** Is given the text, piece by piece; all pieces together are the text. */
  publish: (piece: string) => void
}

/** The prompt asks for five; a model that does not stop is stopped. */
const MAX_SENTENCES = 8

/**
 * Sends an answer as it is made. Of a model's sentences only those are sent that their segments support. Never fails:
 * where a model failed or had no supported sentence, the speaker's own words are sent. A model that finds no answer is
 * believed.
 */
export async function publishAnswer(
  plan: AnswerPlan,
  { model, ask, halt, publish }: StoredOptions,
): Promise<PublishedAnswer> {
  const { shown } = plan
  if (model === null || shown === null) return formatWhole(plan, publish)
  const published: QuotedSentence[] = []
  let isDeclined = false
  const outcome = await listen(model.answer(ask(shown), halt), halt, (reply) => {
    if (reply === NO_ANSWER) {
      isDeclined = true
      return false
    }
    const grounded = ground(reply, shown)
    if (grounded === null) return true
    publish(published.length === 0 ? grounded.text : ` ${grounded.text}`)
    return published.push(grounded) < MAX_SENTENCES
  })
  const answer = {
    ...plan.whole,
    isCovered: true,
    sentences: published,
    text: published.map(({ text }) => text).join(' '),
  }
  if (halt.reason === 'stopped') return { answer, end: 'stopped', by: model.name }
  const isLate = halt.reason === 'late'
  if (isDeclined && published.length === 0)
    return formatWhole({ whole: answerNotCovered(plan.whole.step), by: model.name }, publish)
  if (outcome !== 'complete') {
    logLine('warn', 'tutor_model_failed', { model: model.name, sentences: published.length, cause: outcome })
  } else if (published.length === 0) logLine('warn', 'tutor_answer_rejected', { model: model.name, sentences: 0 })
  if (published.length === 0) return formatWhole(plan, publish)
  // Too late to send more; the whole text replaces the pieces.
  if (isLate) return formatWhole(plan, () => undefined)
  return { answer, end: outcome === 'complete' ? 'complete' : 'broken', by: model.name }
}

/** A piece is a paragraph. */
function formatWhole(
  { whole, by }: { whole: TutorAnswer; by: string },
  publish: (piece: string) => void,
): PublishedAnswer {
  for (const piece of whole.text.split(/(?<=\n\n)/)) publish(piece)
  return { answer: whole, end: 'complete', by }
}

/**
 * Reads the replies of a model until no more are wanted, even where the model ignores its signal.
 * @param take false when nothing more is wanted
 * @returns `complete`, or what went wrong
 */
async function listen(
  replies: AsyncIterable<TutorReply>,
  halt: AbortSignal,
  take: (reply: TutorReply) => boolean,
): Promise<string> {
  const iterator = replies[Symbol.asyncIterator]()
  const halted = untilAborted(halt)
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), halted])
      if (next.done === true) return 'complete'
      if (!take(next.value)) return 'complete'
    }
  } catch (error) {
    return describeError(error)
  } finally {
    // Not awaited: a model that hangs would hang here too. Its failure is reported already.
    iterator.return?.().catch(() => undefined)
  }
}

function untilAborted(signal: AbortSignal): Promise<never> {
  const aborted = new Promise<never>((_, reject) => {
    const stop = () => reject(new AppError('ai_timeout', `The answer was halted: ${String(signal.reason)}.`))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  // The rejection is handled later, or never where the answer ends by itself.
  aborted.catch(() => undefined)
  return aborted
}

/** A model cites only what it was shown, and a sentence without a supporting source is not sent. */
function ground(sentence: TutorSentence, shown: readonly SaidSegment[]): QuotedSentence | null {
  const text = cleanAnswer(sentence.text).replace(/\s+/g, ' ')
  const cited = sentence.segments.flatMap((number) => shown[number - 1]?.id ?? [])
  const [checked] = checkCitations([{ text, segmentIds: cited }], { segments: shown })
  if (text === '' || checked === undefined || checked.segmentIds.length === 0) return null
  const ids = new Set(checked.segmentIds)
  return { text, segmentIds: [...ids], startMs: shown.find(({ id }) => ids.has(id))?.startMs ?? 0 }
}
