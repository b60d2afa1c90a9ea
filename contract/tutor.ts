import { z } from 'zod'
import {
  COLLECTION_QUESTION_MAX_CHARS,
  EARLIER_ANSWER_MAX_CHARS,
  EARLIER_TURNS_MAX,
  QUESTION_MAX_CHARS,
  VIDEO_MAX_S,
} from './limits.ts'
import { AnyLanguage } from './module.ts'
import { Success } from './problem.ts'

/** Id of a question and its answer, made by the page, so that a retried call does not ask the model twice. */
export const TurnId = z.string().regex(/^[\w-]{8,64}$/, 'must have 8 to 64 letters, digits, - or _')

/**
 * Body of `POST /api/ai/contextual-response` and of its stream. Any signed-in user who has the module's id may ask.
 * `currentStep` and `allSteps` are what the page shows; the server answers from its own rows and reads of them only
 * where the learner is.
 */
export const TutorQuestion = z.object({
  moduleId: z.string(),
  userMessage: z.string().trim().min(1, 'must not be empty').max(QUESTION_MAX_CHARS),
  /** The step under the playhead: its index in `allSteps`, or the step. Null or left out: none. */
  currentStep: z.union([z.number().int(), z.looseObject({ id: z.string().optional() })]).nullish(),
  allSteps: z.array(z.unknown()).optional(),
  /** Seconds. Null or left out: not known. */
  videoTime: z.number().min(0).max(VIDEO_MAX_S).nullish(),
  turnId: TurnId.optional(),
})
export type TutorQuestion = z.infer<typeof TutorQuestion>

/** The teaching notes of a step. */
export const CitedNote = z.object({
  stepId: z.string(),
  /** Of the step in its list, from 1. */
  stepNumber: z.number().int(),
})
export type CitedNote = z.infer<typeof CitedNote>

/** A moment of the video, or a trainer's note, that a sentence of an answer rests on. */
export const Citation = z.object({
  /** Segments of the transcript; none for a note, and for what is only shown. */
  segmentIds: z.array(z.string()),
  /** Seconds: where the first of them starts, or the step of the note. */
  start: z.number(),
  /** Left out for a moment of the video. */
  note: CitedNote.optional(),
  /** True: it stands on the screen at that moment. Left out for what is said or noted. */
  isOnScreen: z.literal(true).optional(),
  /** The sentence of the answer that it supports, word for word as it stands in the text. */
  sentence: z.string(),
})
export type Citation = z.infer<typeof Citation>

/** Everything about an answer that is not its text. */
export const AnswerMeta = z.object({
  turnId: z.string(),
  /** False: the video does not cover the question, and the text says so. */
  isCovered: z.boolean(),
  citations: z.array(Citation),
  /** The step to look at; for what is not covered, the nearest one. Null: there is none. */
  step: z.object({ id: z.string(), title: z.string(), start: z.number() }).nullable(),
  /**
   * Seconds of the video that were transcribed when it was asked, while the module was being processed. Left out where
   * the transcript was whole.
   */
  knownUntil: z.number().optional(),
  /** Language of the text, BCP 47. Left out where it is not known. */
  language: z.string().optional(),
  /**
   * The trainer answered it: the text is that answer alone. `isEarlier`: its steps have changed since. `start`: the
   * second at which the video shows it. Left out otherwise.
   */
  trainer: z.object({ answeredAt: z.string(), isEarlier: z.boolean(), start: z.number().optional() }).optional(),
  /** True: sentences that the video does not support were left out, with an ellipsis in their place in the text. */
  hasGap: z.boolean().optional(),
})
export type AnswerMeta = z.infer<typeof AnswerMeta>

/**
 * What stands behind `data:` in the stream (specification §7), one JSON value a line, then `[DONE]`:
 * a string is the next piece of the text (an empty one is a heartbeat before the first piece), an object with `ms`
 * comes once after the text, one with `error` in place of it or after a part of it.
 */
export const StreamMeta = AnswerMeta.extend({
  /** Milliseconds from the question to the end of the answer. */
  ms: z.number(),
  /** The whole text, cleaned: what the page shows in place of its pieces. */
  answer: z.string(),
})
export type StreamMeta = z.infer<typeof StreamMeta>
/** What comes instead of {@link StreamMeta} where an answer did not come to its end; pieces may have come before. */
export const StreamError = z.object({ error: z.string(), code: z.enum(['answer_broken', 'answer_stopped']) })
export type StreamError = z.infer<typeof StreamError>
/** The answer broke off; the text so far is kept. Asking again with the same turn returns it without a model. */
export const ANSWER_BROKEN: StreamError = {
  error: "I'm having trouble processing your request right now. Please try again in a moment.",
  code: 'answer_broken',
}
/** The learner stopped it, or no client was connected; the text so far is kept. */
export const ANSWER_STOPPED: StreamError = { error: 'The answer was stopped.', code: 'answer_stopped' }

/**
 * Answer of `POST /api/ai/contextual-response` and of `POST /api/qa/ask`. It comes within nine seconds; a turn that is
 * running already is awaited, not started twice.
 */
export const TutorAnswerBody = StreamMeta.extend({ success: z.literal(true) })
export type TutorAnswerBody = z.infer<typeof TutorAnswerBody>

/** Body of `POST /api/qa/ask`, the way of the voice. */
export const SpokenQuestion = TutorQuestion.pick({ moduleId: true, videoTime: true, turnId: true }).extend({
  question: TutorQuestion.shape.userMessage,
})
export type SpokenQuestion = z.infer<typeof SpokenQuestion>

/** Moments of an answer that a follow-up may refer to; no answer has as many. */
const EARLIER_CITATIONS_MAX = 32

/** A turn before a question, as far as a follow-up ("and then?") needs it. */
export const EarlierTurn = z.object({
  question: z.string().max(QUESTION_MAX_CHARS),
  answer: z.string().max(EARLIER_ANSWER_MAX_CHARS),
  meta: z
    .object({
      isCovered: z.boolean(),
      citations: z.array(z.object({ start: z.number().min(0).max(VIDEO_MAX_S) })).max(EARLIER_CITATIONS_MAX),
      step: z.object({ id: z.string().max(64) }).nullable(),
    })
    .nullable(),
})
export type EarlierTurn = z.infer<typeof EarlierTurn>

/**
 * Body of `POST /api/share/{id}/questions`, where the owner lets people with the link ask. The answer is a
 * {@link TutorAnswerBody}; nothing of it is kept.
 */
export const LinkQuestion = SpokenQuestion.omit({ moduleId: true }).extend({
  /** The step that is shown. Null or left out: none. */
  stepId: z.string().max(64).nullish(),
  /** What was asked on this page right before, oldest first: the server keeps nothing of it. */
  earlier: z.array(EarlierTurn).max(EARLIER_TURNS_MAX).optional(),
})
export type LinkQuestion = z.infer<typeof LinkQuestion>

/** Body of `POST /api/share/c/{id}/questions`. */
export const CollectionQuestion = z.strictObject({
  question: z.string().trim().min(1).max(COLLECTION_QUESTION_MAX_CHARS),
})
export type CollectionQuestion = z.infer<typeof CollectionQuestion>

/** Answer of `POST /api/share/c/{id}/questions`. */
export const CollectionAnswerBody = Success.extend({
  /** A part of the collection's page; null where no model answers. */
  html: z.string().nullable(),
})
export type CollectionAnswerBody = z.infer<typeof CollectionAnswerBody>

/** How an answer ended: whole, stopped (by the learner, or without a connected client) or broken. Null: running. */
export const AnswerEnd = z.enum(['complete', 'stopped', 'broken'])
export type AnswerEnd = z.infer<typeof AnswerEnd>

/** A message of the conversation (specification §3). A question and its answer share a turn. */
export const ChatMessage = z.object({
  id: z.string(),
  turnId: z.string(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  /** ISO 8601, UTC. */
  timestamp: z.string(),
  /** True for an answer that is being given; its content is what there is so far. */
  isTyping: z.boolean(),
  /** Null for questions, and for answers that are still running. */
  end: AnswerEnd.nullable(),
  /** Null for questions, and for answers that did not come to their end. */
  meta: AnswerMeta.nullable(),
})
export type ChatMessage = z.infer<typeof ChatMessage>

/**
 * Answer of `GET /api/ai/conversation/{moduleId}`: what this user and the tutor of this module said, oldest first.
 * `DELETE` of the same address forgets it.
 */
export const Conversation = Success.extend({ messages: z.array(ChatMessage) })
export type Conversation = z.infer<typeof Conversation>

/**
 * `GET /api/ai/contextual-response/stream/{moduleId}/{turnId}` streams a running answer again, from its first piece and
 * in the format of the stream; 404 where none runs. `POST /api/ai/contextual-response/stop` ends it.
 */
export const StopAnswer = z.object({ moduleId: z.string(), turnId: TurnId })
export type StopAnswer = z.infer<typeof StopAnswer>

/** What a recording may be: what browsers record, AAC without a container, and WAV. What stands behind a semicolon does not matter. */
export const RECORDING_TYPES = ['audio/webm', 'audio/mp4', 'audio/aac', 'audio/ogg', 'audio/mpeg', 'audio/wav'] as const

/** Query of `POST /api/qa/transcribe`. */
export const SpokenRequest = z.object({
  moduleId: z.string(),
  /** What is spoken, BCP 47. Left out: the language of the video. */
  language: AnyLanguage.optional(),
  /** A question to the tutor, or an answer of the trainer, which owners alone dictate. */
  purpose: z.enum(['question', 'answer']).default('question'),
})
export type SpokenRequest = z.infer<typeof SpokenRequest>

/**
 * Answer of `POST /api/qa/transcribe` (body: a recording, one of {@link RECORDING_TYPES}): the transcribed text, empty
 * for a recording without speech. It may last two minutes; 413 where it is longer. 501 where there is no recogniser.
 */
export const SpokenText = Success.extend({
  text: z.string(),
  /** What the speech service took: AAC without its container where it refuses M4A. */
  takenAs: z.enum(RECORDING_TYPES).optional(),
  /** For operators: whether the words of the service begin with blanks. Left out where it gave a text alone. */
  hasBlanks: z.boolean().optional(),
})
export type SpokenText = z.infer<typeof SpokenText>

/** A marker stands at the beginning of a line; what comes later is not looked at. */
const MARKER_MAX_CHARS = 200
const TIME = String.raw`(?:\d{1,3}:\d{2}(?::\d{2})?|\d{1,6}(?:\.\d{1,3})? ?(?:s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b)`
/** A line that sends the viewer somewhere: "Start at 1:23", "[00:45] …", "at: 30 seconds". */
const MARKER = new RegExp(
  String.raw`^(?:(?:(?:start(?:s|ing)?|begin(?:s|ning)?|jump|go|skip) ?)?(?:at|to|@)\b ?(?:time(?:stamp)?)?|time(?:stamp)?|start(?: ?time)?) ?[:=\-–]? ?${TIME}`,
  'i',
)
const BARE_TIME = /^\d{1,3}:\d{2}/

/** Whether a line of an answer begins with a start-at or time marker; such lines are not shown. @see specification §5 */
export function isTimeMarker(line: string): boolean {
  const begin = line
    .slice(0, MARKER_MAX_CHARS)
    .replace(/[\s*_([]+/g, ' ')
    .replace(/^[ \->#•"'“]+/, '')
  return MARKER.test(begin) || BARE_TIME.test(begin)
}

/** An answer without the lines that {@link isTimeMarker} names. */
export function dropTimeMarkers(answer: string): string {
  return answer
    .split('\n')
    .filter((line) => !isTimeMarker(line))
    .join('\n')
}
