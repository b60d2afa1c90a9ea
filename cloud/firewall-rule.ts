/** A rate limiting rule of Cloudflare's firewall (WAF), which refuses requests before they are billed. */
interface FirewallRule {
  /** Requests of one address that pass in ten seconds. */
  limit: number
  /** How long the address is blocked after that, seconds. */
  blockS: number
}
const RULE_PERIOD_S = 10
/** The one that `docs/deploy.md` has people make: as much as `LINK_LIMIT` lets pass, with the times of the free plan. */
export const FIREWALL_RULE: FirewallRule = { limit: 1_000, blockS: 10 }
/** The same while an attack lasts. */
export const ATTACKED: FirewallRule = { ...FIREWALL_RULE, limit: 200 }
/** The same with the longest block of the Pro plan. */
export const ATTACKED_PRO: FirewallRule = { ...ATTACKED, blockS: 3_600 }
/** Addresses of an attack, as in the worst bill of a day (`worker/routes/behaviour/worst-bill.test.ts`). */
export const HOSTILE_ADDRESSES = 100
const DAY_S = 86_400

/**
 * Counts requests of hostile addresses on one day that reach the worker.
 * @param perS that each address sends in a second
 * @param isSlowing each address slows down to what the rule lets pass, instead of being blocked again and again
 */
export function countPassed(perS: number, rule: FirewallRule | null, isSlowing = false): number {
  const all = HOSTILE_ADDRESSES * DAY_S * perS
  if (rule === null) return all
  const slow = (HOSTILE_ADDRESSES * DAY_S * rule.limit) / RULE_PERIOD_S
  if (isSlowing) return Math.min(all, slow)
  if (perS * RULE_PERIOD_S <= rule.limit) return all
  return (HOSTILE_ADDRESSES * DAY_S * rule.limit) / (rule.limit / perS + rule.blockS)
}
