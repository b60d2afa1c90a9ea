import { describeQuota, type Quota, type QuotaHolder, type QuotaKind } from '#contract/quota.ts'
import { AppError } from '#worker/errors.ts'
import { EVERYONE, pay, type QuotaUse, readUses, takeOnce, takeRow } from './quota-store.ts'
import { isLimited, type Limits, type Quotas, type RowKind, UNITS } from './quotas.ts'

/** What counting needs. */
export interface QuotaDeps {
  d1: D1Database
  quotas: Quotas
  nowMs: () => number
}

/** A module with whom it counts for. */
export interface CountedModule {
  id: string
  userId: string
  orgId: string | null
}

const DAY_MS = 24 * 60 * 60_000

/** `2026-11-21`, UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/**
 * Counts a module among those of its day, once.
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function takeModule(deps: QuotaDeps, module: CountedModule): Promise<void> {
  await take(deps, module, { kind: 'modules', amount: 1 })
}

/**
 * Counts a video's length; of two calls for one video, the longer length counts.
 * @throws {AppError} quota_reached; what counted before still does
 */
export async function takeMinutes(deps: QuotaDeps, module: CountedModule, durationMs: number): Promise<void> {
  await take(deps, module, { kind: 'minutes', amount: durationMs })
}

/**
 * Counts one piece of feedback, one question, or one run that a person asks for.
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function takeOne({ d1, quotas, nowMs }: QuotaDeps, kind: RowKind, userId: string): Promise<void> {
  const limit = quotas.user[kind]
  if (limit === null || (await takeRow(d1, { kind, userId, day: dayOf(nowMs()) }, limit))) return
  throw quotaReached(makeQuota('user', { kind, limit, nowMs: nowMs() }))
}

/**
 * Reserves the bytes of a module's video, once.
 * @throws {AppError} quota_reached; nothing counts then
 */
export async function takeBytes(deps: QuotaDeps, module: CountedModule, sizeBytes: number): Promise<void> {
  await take(deps, module, { kind: 'bytes', amount: sizeBytes })
}

/**
 * Adds the bytes of an address that is handed out to what counts for a module today.
 * @throws {AppError} quota_reached; nothing is added then
 */
export async function addUse(
  deps: QuotaDeps,
  { id, userId, orgId }: CountedModule,
  { kind, amount }: { kind: 'bytes'; amount: number },
): Promise<void> {
  if (!isLimited(deps.quotas, kind)) return
  const use = { kind, amount, moduleId: id, userId, orgId, day: dayOf(deps.nowMs()) } satisfies QuotaUse
  if (!(await pay(deps.d1, use, deps.quotas))) throw quotaReached(await findReached(deps, use))
}

async function take(
  deps: QuotaDeps,
  { id, userId, orgId }: CountedModule,
  what: Pick<QuotaUse, 'amount'> & { kind: Exclude<keyof Limits, 'ai'> },
): Promise<void> {
  if (!isLimited(deps.quotas, what.kind)) return
  const use: QuotaUse = { ...what, moduleId: id, userId, orgId, day: dayOf(deps.nowMs()) }
  if (!(await takeOnce(deps.d1, use, deps.quotas))) throw quotaReached(await findReached(deps, use))
}

/** Which limit a use does not fit under. */
export async function findReached(
  { d1, quotas, nowMs }: QuotaDeps,
  use: Pick<QuotaUse, 'kind' | 'day' | 'userId' | 'orgId' | 'amount'>,
): Promise<Quota> {
  const { kind } = use
  if (kind === 'ai' && (await isOverForEveryone(d1, quotas, use)))
    return makeQuota('everyone', { kind, limit: quotas.everyone.ai, nowMs: nowMs() })
  const ofOrg = use.orgId === null ? null : quotas.organization[kind]
  const used = ofOrg === null ? null : await readUses(d1, use)
  const isOrg = ofOrg !== null && used !== null && used.organization + use.amount > ofOrg
  const of = isOrg ? 'organization' : 'user'
  return makeQuota(of, { kind, limit: quotas[of][kind], nowMs: nowMs() })
}

/** Whether a cost of models does not fit under the limit of all together. */
export async function isOverForEveryone(
  d1: D1Database,
  { everyone }: Quotas,
  { day, amount }: Pick<QuotaUse, 'day' | 'amount'>,
): Promise<boolean> {
  if (everyone.ai === null) return false
  const used = await readUses(d1, { kind: 'ai', day, userId: EVERYONE, orgId: null })
  return used.user + amount > everyone.ai
}

/** The limit as a caller reads it. */
export function makeQuota(
  of: QuotaHolder,
  { kind, limit, nowMs }: { kind: QuotaKind; limit: number | null; nowMs: number },
): Quota {
  const opensMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS
  return { kind, of, limit: (limit ?? 0) / UNITS[kind], opensAt: new Date(opensMs).toISOString() }
}

/** Describes a reached quota in UTC, because the server does not know the person's time zone. */
export function sayReached(quota: Quota): string {
  return describeQuota(quota, `at 00:00 UTC (${quota.opensAt.slice(0, 10)})`)
}

/** The one place where a quota becomes a failure that a caller reads. */
export function quotaReached(quota: Quota): AppError {
  const retryAfterS = Math.max(1, Math.ceil((Date.parse(quota.opensAt) - Date.now()) / 1000))
  return new AppError('quota_reached', sayReached(quota), { retryAfterS, extensions: { quota } })
}
