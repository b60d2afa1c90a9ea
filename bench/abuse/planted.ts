/** Whose calls are measured, and who learns from the video. Tokens tell the person. */
export const OWNER = 'owner.of.videos'
/** Who attacks: with an account, and from one address. */
export const HOSTILE = 'hostile.to.all'
export const HOSTILE_ADDRESS = '198.51.100.66'

/** The module whose owner and learners are measured. */
export const MODULE_ID = 'bench-abuse-of-owner-01'
/** The attacker's own, shared module. */
export const HOSTILE_MODULE_ID = 'bench-abuse-of-hostile-1'
