/** The client waits no longer for a rewritten text: the server's own deadline for it is nine seconds. */
export const REWRITE_TIMEOUT_MS = 9_000
/** What the fastest of the models writes in that time (some 150 tokens a second); a longer answer comes too late. */
export const REWRITE_MAX_TOKENS = 1_400
