/** A message of a conversation with a model. */
export interface TutorMessage {
  role: 'system' | 'user'
  content: string
}

/** One sentence of an answer, with the segments that it claims to rest on. */
export interface TutorSentence {
  text: string
  segmentIds: string[]
}

/** Answers a question from what was said in a video. */
export interface TutorModel {
  /** For logs: engine and model. */
  readonly name: string
  /**
   * Asks for an answer, sentence by sentence. It may be wrong in every way (segments that do not exist, things that
   * nobody said, markup, no sentences at all); `answerQuestion` checks it before anybody sees it.
   * @throws {AppError} `ai_busy`, `ai_quota`, `ai_timeout`, `ai_failed`; the caller falls back to the extractive tutor
   */
  answer(messages: readonly TutorMessage[], signal: AbortSignal): Promise<TutorSentence[]>
}
