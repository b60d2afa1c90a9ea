import type { QuotaKind } from '#contract/quota.ts'

/** The most of each kind on one day; null for no limit. Modules, milliseconds of video, millionths of a US dollar, bytes, cues. */
export type Limits = Readonly<Record<QuotaKind, number | null>>

/** The limits of one person, and of all members of one organization together. */
export interface Quotas {
  user: Limits
  organization: Limits
}

/** How many of what is counted make one of what people configure and read. */
export const UNITS: Readonly<Record<QuotaKind, number>> = {
  modules: 1,
  minutes: 60_000,
  ai: 1_000_000,
  bytes: 1,
  cues: 1,
}

/** @throws when a variable is neither empty nor a number of at least 0 */
export function readQuotas(env: Env): Quotas {
  return {
    user: {
      modules: readLimit('modules', env.USER_MODULES_PER_DAY),
      minutes: readLimit('minutes', env.USER_MINUTES_PER_DAY),
      ai: readLimit('ai', env.USER_AI_USD_PER_DAY),
      bytes: readLimit('bytes', env.USER_UPLOAD_BYTES_PER_DAY),
      cues: readLimit('cues', env.USER_CAPTION_CUES_PER_DAY),
    },
    organization: {
      modules: readLimit('modules', env.ORG_MODULES_PER_DAY),
      minutes: readLimit('minutes', env.ORG_MINUTES_PER_DAY),
      ai: readLimit('ai', env.ORG_AI_USD_PER_DAY),
      bytes: readLimit('bytes', env.ORG_UPLOAD_BYTES_PER_DAY),
      cues: readLimit('cues', env.ORG_CAPTION_CUES_PER_DAY),
    },
  }
}

function readLimit(kind: QuotaKind, text: string): number | null {
  if (text.trim() === '') return null
  const limit = Number(text)
  // Every comparison with NaN is false: a typing error would mean no limit at all.
  if (!(limit >= 0)) throw new Error(`The quota of ${kind} is not a number: ${text}`)
  return Math.round(limit * UNITS[kind])
}

/** Whether anything of this kind is limited, for anybody. */
export function isLimited({ user, organization }: Quotas, kind: QuotaKind): boolean {
  return user[kind] !== null || organization[kind] !== null
}
