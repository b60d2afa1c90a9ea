/**
 * How long a message offers to undo its change: long enough to read the sentence and reach its button by
 * keyboard; it stays while it is pointed at.
 */
export const UNDO_MS = 10_000
