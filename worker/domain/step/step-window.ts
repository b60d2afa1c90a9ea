/** What a writer may look back on: granularity and topics do not need more, and it bounds the work per section. */
export const WINDOW_BEFORE_MS = 30 * 60_000
/** How far it may look ahead where captions exist, in segments: about half an hour. */
export const WINDOW_AFTER_SEGMENTS = 600
