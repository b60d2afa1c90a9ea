import { describeError, faultOf, untilAborted } from '#worker/core/errors.ts'
import { logLine } from '#worker/log/log.ts'
import {
  NO_ANSWER,
  type TutorModel,
  type TutorReply,
  type TutorSentence,
  type TutorTask,
} from '#worker/ports/language-model.ts'
import { cleanAnswer } from './check-answer.ts'
import { type CheckedClaim, checkClaim } from './check-claim.ts'
import type { ShownSegment } from './open-index.ts'
import { answerNotCovered, type PublishedAnswer, publishWhole, type TutorAnswer } from './plan-answer.ts'
import { type JudgedSentence, MAX_JUDGED } from './prompts/judge-sentences.v1.ts'
import type { QuotedSentence } from './quote-moments.ts'

/** Why an answer ends early: a person stopped it, its deadline has passed, or the room that relays it has gone. */
export type Halt = 'stopped' | 'late' | 'lost'

/** How an answer is asked for, judged and sent. */
export interface PublishOptions {
  /** A refusal is in its language. */
  question: string
  model: TutorModel
  /** Where the answer comes from that stands in for the model's. */
  by: string
  /** What the model is asked; it has the numbers of the segments that are shown. */
  task: TutorTask
  askJudge: (sentences: readonly JudgedSentence[]) => TutorTask
  /** Returns the time that remains for the answer. */
  leftMs: () => number
  /** Fires with a {@link Halt} as its reason. */
  halt: AbortSignal
  /** Is given the text, piece by piece; all pieces together are the text. */
  publish: (piece: string) => void
}

/** The prompt asks for five; a model that does not stop is stopped. */
const MAX_SENTENCES = 8
/** Stands for sentences that were left out, so that a procedure never looks complete when it is not. */
const GAP = '…'

/**
 * Sends a model's answer as it is made. Of its sentences only those are sent that follow from their segments: by the
 * rules, or where these do not decide, by a second call that judges. Nothing is sent before it was checked, and not before
 * the sentences in front of it. Never fails: where a model failed or had no supported sentence, the speaker's own words
 * are sent. A model that finds no answer is believed.
 * @param whole what is sent in place of the model's answer
 */
export async function publishModelAnswer(
  whole: TutorAnswer,
  shownSegments: readonly ShownSegment[],
  options: PublishOptions,
): Promise<PublishedAnswer> {
  const { model, by, task, halt, publish } = options
  const drafts = openDrafts(publish)
  let isDeclined = false
  const outcome = await listen(model.answer(task, halt), halt, (reply) => {
    if (reply === NO_ANSWER) {
      isDeclined = true
      return false
    }
    const draft = readDraft(reply, shownSegments)
    return draft === null || drafts.add(draft) < MAX_SENTENCES
  })
  if (outcome === 'complete') await judgeHeld(drafts, options)
  const { sentences } = drafts
  // A model answers in the language of the question, which need not be that of the quotes.
  const { language: _quoted, ...extraFields } = whole
  const answer = {
    ...extraFields,
    isCovered: true,
    sentences,
    text: drafts.end(),
    ...(drafts.hasGap() && { hasGap: true }),
  }
  if (halt.reason === 'stopped') return { answer, end: 'stopped', by: model.name }
  if (isDeclined && sentences.length === 0) {
    return publishWhole(answerNotCovered(options.question, whole.step, whole.knownUntil), model.name, publish)
  }
  if (outcome !== 'complete') {
    logLine('warn', 'tutor_model_failed', { model: model.name, sentences: sentences.length, cause: outcome })
  } else if (sentences.length === 0) logLine('warn', 'tutor_answer_rejected', { model: model.name, sentences: 0 })
  if (sentences.length === 0) return publishWhole(whole, by, publish)
  // Too late to send more; the whole text replaces the pieces.
  if (halt.reason === 'late') return publishWhole(whole, by, () => undefined)
  return { answer, end: outcome === 'complete' ? 'complete' : 'broken', by: model.name }
}

/** A sentence of the model with what the rules say of it. */
interface Draft extends QuotedSentence, Pick<CheckedClaim, 'verdict' | 'source'> {}

/** Reads a sentence of the model, which cites only what it was shown. @returns null where nothing of it is text */
function readDraft(
  { text: rawText, segments, quote = '' }: TutorSentence,
  shownSegments: readonly ShownSegment[],
): Draft | null {
  const text = cleanAnswer(rawText).replace(/\s+/g, ' ')
  if (text === '') return null
  const cited = segments.flatMap((number) => shownSegments[number - 1]?.id ?? [])
  const { verdict, segmentIds: found, source } = checkClaim({ text, segmentIds: cited, quote }, shownSegments)
  const sources = shownSegments.filter(({ id }) => found.includes(id))
  const segmentIds = sources.flatMap(({ id, note, onScreen }) => ((note ?? onScreen) === undefined ? id : []))
  const notes = sources.flatMap(({ note, startMs }) => (note === undefined ? [] : { ...note, startMs }))
  const screenMs = sources.flatMap(({ onScreen, startMs }) => (onScreen === undefined ? [] : startMs))
  const startMs = sources[0]?.startMs ?? 0
  const others = { ...(notes.length > 0 && { notes }), ...(screenMs.length > 0 && { screenMs }) }
  return { text, segmentIds, startMs, verdict, source, ...others }
}

/** The sentences of an answer: sent as soon as they and all before them are checked, held until then. */
function openDrafts(publish: (piece: string) => void) {
  const sentences: QuotedSentence[] = []
  const held: Draft[] = []
  const pieces: string[] = []
  let gapCount = 0
  let isOpen = false
  const send = (text: string) => {
    const piece = pieces.length === 0 ? text : ` ${text}`
    pieces.push(piece)
    publish(piece)
  }
  const settle = ({ verdict, source: _source, ...sentence }: Draft) => {
    isOpen ||= verdict !== 'supported'
    if (verdict !== 'supported') return
    if (isOpen) gapCount += 1
    send(isOpen ? `${GAP} ${sentence.text}` : sentence.text)
    isOpen = false
    sentences.push(sentence)
  }
  return {
    sentences,
    held,
    /** @returns how many sentences there may be */
    add(draft: Draft): number {
      if (held.length > 0 || draft.verdict === 'unsure') held.push(draft)
      else settle(draft)
      return sentences.length + held.length
    },
    settleHeld: (judge: (draft: Draft) => Draft['verdict']) => {
      for (const draft of held.splice(0)) settle({ ...draft, verdict: judge(draft) })
    },
    hasGap: () => gapCount > 0,
    /** Marks what was left out at the end. @returns the whole text */
    end(): string {
      if (isOpen && sentences.length > 0) {
        gapCount += 1
        send(GAP)
      }
      return pieces.join('')
    },
  }
}

/** A judge writes five short lines; a slower one is not waited for. */
const JUDGE_MS = 3_000

/** Settles the sentences that are held: one call judges those that the rules do not decide. */
async function judgeHeld(
  { held, settleHeld }: ReturnType<typeof openDrafts>,
  { model, askJudge, leftMs, halt }: PublishOptions,
): Promise<void> {
  const unsure = held.filter(({ verdict }) => verdict === 'unsure').slice(0, MAX_JUDGED)
  if (unsure.length === 0 || halt.aborted) return
  const signal = AbortSignal.any([halt, AbortSignal.timeout(Math.max(0, Math.min(JUDGE_MS, leftMs())))])
  let followed: ReadonlySet<number> = new Set()
  try {
    const tooLate = untilAborted(signal, () => 'The judge was not waited for.')
    followed = await Promise.race([model.judge(askJudge(unsure), signal), tooLate])
  } catch (error) {
    logLine('warn', 'tutor_judge_failed', { model: model.name, ...faultOf(error) })
  }
  if (halt.aborted) return
  settleHeld((draft) => {
    if (draft.verdict !== 'unsure') return draft.verdict
    return followed.has(unsure.indexOf(draft) + 1) ? 'supported' : 'unsupported'
  })
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
  const halted = untilAborted(halt, () => `The answer was halted: ${String(halt.reason)}.`)
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), halted])
      if (next.done === true || !take(next.value)) return 'complete'
    }
  } catch (error) {
    return describeError(error)
  } finally {
    // Not awaited: a model that hangs would hang here too. Its failure is reported already.
    iterator.return?.().catch(() => undefined)
  }
}
