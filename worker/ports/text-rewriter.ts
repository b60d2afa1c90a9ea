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
  rewrite(task: RewriteTask, signal: AbortSignal): Promise<string>
}
