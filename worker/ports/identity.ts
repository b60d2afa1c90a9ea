/** Who is calling, as the signed token says. */
export interface Caller {
  userId: string
  /** Active organization; null without one. */
  orgId: string | null
  /** Role in it, with the `org:` prefix; null without an active organization. */
  orgRole: string | null
  /** What that role permits, as in `org:videos:manage`; empty without an active organization. */
  orgPermissions: readonly string[]
  /** Whole minutes since they last gave their password, or what they sign in with; left out in tokens without it. */
  verifiedMinutesAgo?: number
}

/** Finds out who sent a bearer token. */
export interface Identity {
  /**
   * @returns null for a token that is missing a claim, expired, not ours, or not a token at all; never throws for those.
   * @throws {AppError} sign_in_incomplete for a valid token of a person who has to do something first, mostly choose an organization
   */
  verify(token: string): Promise<Caller | null>
}
