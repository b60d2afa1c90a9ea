/** New learners without an account from one address at one module on one day: an office of 200, twice over. */
export const NEW_LEARNERS_PER_ADDRESS_AND_MODULE = 400
/** The same at all modules: that office opens ten modules each. */
export const NEW_LEARNERS_PER_ADDRESS = 2_000
/** New learners without an account of one module on one day. One address can use up a small part of it only. */
export const NEW_LEARNERS_PER_MODULE = 5_000
/** Reports from one address on one day: an office of 200 with an hour of video each. What comes later is kept in the browser. */
export const REPORTS_PER_DAY = 9_000
/** The same of one account: more than a day of video. */
export const REPORTS_PER_ACCOUNT = 2_000
/**
 * Steps whose numbers one report may change. One that changes more counts as several towards {@link REPORTS_PER_DAY}:
 * playing on from one step into the next changes two.
 */
export const STEPS_PER_REPORT = 2
/** Opened pages that are kept of one learner; the one that was used longest ago goes first. */
export const SESSIONS_PER_LEARNER = 50
/** Characters of each set of seconds that is kept of a learner. Three of them make a kilobyte at most. */
export const RANGES_MAX_CHARS = 330
/** Characters of what an opened page has played. */
export const PLAYED_MAX_CHARS = 1_000
/** A report that is ahead of the clock by less is to be retried; a report that is further ahead is self-reported. */
export const EARLY_MAX_S = 10
/** How long an account's token on a device lasts. The app renews it every day that it is opened. */
export const ACCOUNT_TOKEN_TTL_MS = 90 * 24 * 60 * 60_000
