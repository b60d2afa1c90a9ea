/** A message of a conversation with a model. */
export interface TutorMessage {
  role: 'system' | 'user'
  content: string
}

/** What a model is asked. */
export interface TutorTask {
  messages: readonly TutorMessage[]
  /** Of which video. Its questions begin alike, so a model that keeps beginnings does well to be the same one for all. */
  moduleId: string
}

/** One sentence of an answer, with the segments that it claims to rest on. */
export interface TutorSentence {
  text: string
  /** Numbers as the messages show them, from 1. */
  segments: number[]
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
  answer(task: TutorTask, signal: AbortSignal): AsyncIterable<TutorReply>
}
