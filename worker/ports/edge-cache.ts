/** The cache between learners and the share page. */
export interface EdgeCache {
  /**
   * Drops everything with one of these tags, everywhere.
   * @throws {AppError} unavailable when it was not done; what is cached then lives on until its time is over
   */
  purge(tags: readonly string[]): Promise<void>
}
