import type { Callout } from '#contract/step.ts'

/** The transcript between two moments of the video, from which steps are made. */
export interface SaidSegment {
  id: string
  startMs: number
  endMs: number
  text: string
  /** Which of its words, between blanks and counted from 0, may not have been said; none by default. */
  unsure?: readonly number[]
  /** Which of these are no more than a guess; left out where all are. */
  guessed?: readonly number[]
}

/** What a step writer reads: a section of the narration, in time order, that fits one call of the model. */
export interface StepWindow {
  moduleTitle: string
  /** Length of the video; null until it is known. */
  durationMs: number | null
  /** ISO 639-1; null when unknown. */
  language: string | null
  /** Names and product words of this module; null when there are none. */
  glossary: string | null
  /** The transcript before the section, up to half an hour. Its steps are written elsewhere. */
  before: SaidSegment[]
  segments: SaidSegment[]
  /** The transcript after the section, up to some minutes; only when it is known already, as it is with captions. */
  after?: SaidSegment[]
  /** Titles of the steps before the section, as far as they are written by now, in order; none by default. */
  titles?: string[]
  /** Commands and names that the video shows during the section, as they are written there; none by default. */
  screen?: string[]
}

/**
 * One step as a writer proposes it. It names the segments that it covers and never times: those come from the
 * segments. May be wrong in every way (ids that do not exist, overlaps, empty titles); `tidySection` makes it safe.
 */
export interface StepDraft {
  /** Those of the first draft may begin in the last half minute of `before`: the step began there. */
  segmentIds: string[]
  title: string
  description: string
  /** Of the first draft of a section: it continues the step that was under way when the section began. */
  continues?: boolean
  /** Of one that continues: its title and description are those of the whole step, as far as it is transcribed. */
  namesWhole?: boolean
  /** What a trainer should know who teaches the step; left out where there is nothing. */
  notes?: string
  /** What a learner is to know before the step; left out where the writer looks for no such thing. */
  callouts?: CalloutDraft[]
}

/** A callout as a writer proposes it, with the segment in which it was said. */
export interface CalloutDraft extends Callout {
  segmentId: string
}

/** A whole video: its transcript, under the steps that were written section by section. */
export interface OutlineTask {
  moduleTitle: string
  /** Length of the video; null until it is known. */
  durationMs: number | null
  /** ISO 639-1; null when unknown. */
  language: string | null
  /** In time order. */
  steps: readonly OutlinedStep[]
  /** Whether its list has two levels: chapters over entries. */
  hasChapters: boolean
}

/** A step as it is outlined, with the lines of the transcript that are said in it. */
export interface OutlinedStep {
  startMs: number
  endMs: number
  title: string
  /** Numbered from 1 through all steps of a task. */
  lines: readonly { line: number; startMs: number; text: string }[]
}

/** An entry of the step list of a video. */
export interface OutlineEntry {
  /** Number of the line that begins it. */
  first: number
  title: string
  /** Title of the chapter that begins with it; left out where it belongs to the chapter before. */
  chapter?: string
}

/** Tokens that a call of a model reads and writes. */
export interface Tokens {
  in: number
  out: number
}

/** One call of a model, as it is sent. */
export interface ModelRequest {
  messages: readonly ChatMessage[]
  /** The most that the answer may have; the model is given the same number. */
  maxTokens: number
}

/** Books calls of a model for those who pay for them. Each call is booked, repairs and those of a second model too. */
export interface CallMeter {
  /**
   * Books the most that a call can cost, before it is made.
   * @throws {AppError} `ai_quota` where that does not fit any more; the call is not made then
   */
  book(request: ModelRequest): Promise<BookedCall>
}

/** A call that is booked. */
export interface BookedCall {
  /** Corrects the booking by what the model reports; null where it reports nothing. */
  settle(used: Tokens | null): Promise<void>
  /** Refunds the booking of a call that failed, unless the model has begun its work. */
  fail(error: unknown): Promise<void>
}

/** Cuts a transcript into learning steps and names them. */
export interface StepWriter {
  /** For logs: engine and model. */
  readonly name: string
  /**
   * Proposes steps for one window.
   * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`; the caller falls back to the extractive engine
   */
  writeSteps(window: StepWindow, signal: AbortSignal, meter?: CallMeter): Promise<StepDraft[]>
  /**
   * Says which lines begin an entry of the list, in rising order. Only a model has it: our own engine plans the whole
   * video anyway.
   * @throws {AppError} likewise; the list stays as it is then
   */
  outline?: (task: OutlineTask, signal: AbortSignal, meter?: CallMeter) => Promise<OutlineEntry[]>
}

/** A text to be made readable. */
export interface RewriteTask {
  /** The transcript or a written text, unchanged. */
  text: string
  /** What to do with it, in a person's own words. */
  instruction: string
}

/** Makes spoken words read well. */
export interface TextRewriter {
  /** For logs: engine and model. */
  readonly name: string
  /**
   * Rewrites one text. The answer may be wrong in every way (empty, far too long, with things that were not in the
   * text); `rewriteText` validates it before it is used.
   * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`; the caller falls back to the extractive rewriter
   */
  rewrite(task: RewriteTask, signal: AbortSignal, meter?: CallMeter): Promise<string>
}

/** A message of a conversation with a model. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
}

/** An answer is a few sentences; `publishAnswer` cuts off the rest. */
export const ANSWER_MAX_TOKENS = 400
/** A judgement is five lines of a number and a word. */
export const JUDGE_MAX_TOKENS = 40

/** What a model is asked. */
export interface TutorTask {
  messages: readonly ChatMessage[]
  /** Of which video. Its questions begin alike, so a model that keeps beginnings does well to be the same one for all. */
  moduleId: string
}

/** One sentence of an answer, with the segments that it claims to rest on. */
export interface TutorSentence {
  text: string
  /** Numbers as the messages show them, from 1. */
  segments: number[]
  /** The words of these segments that it claims to follow from; left out where the model gave none. */
  quote?: string
}

/** Stands in a model's answer where it finds none in the segments that it was shown. */
export const NO_ANSWER = 'no_answer'

/** A sentence of an answer, or that there is none. */
export type TutorReply = TutorSentence | typeof NO_ANSWER

/** Answers a question from the transcript of a video. */
export interface TutorModel {
  /** For logs: engine and model. */
  readonly name: string
  /**
   * Asks for an answer, and yields each sentence as soon as it is there; a caller that stops reading stops the model.
   * It may be wrong in every way (segments that do not exist, things that the narrator did not say, markup, no
   * sentences at all); `publishAnswer` validates each sentence before a learner sees it.
   * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`, before the first sentence or after any
   */
  answer(task: TutorTask, signal: AbortSignal, meter?: CallMeter): AsyncIterable<TutorReply>
  /**
   * Asks which numbered sentences follow from what was said. Resolves with the numbers of those that do; one that the
   * model says nothing about does not.
   * @throws {AppError} as {@link TutorModel.answer}
   */
  judge(task: TutorTask, signal: AbortSignal, meter?: CallMeter): Promise<ReadonlySet<number>>
}
