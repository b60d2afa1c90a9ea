import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { USE_NAME_BYTES } from '#worker/domain/learning/learning-limits.ts'
import { dayOf } from '#worker/domain/quota/take-quota.ts'
import { makeHasher } from '#worker/domain/signed-payload.ts'

/** How long wrong codes are counted together. */
const PERIOD_MS = 15 * 60_000
/** Wrong codes on one shared device, which is known by its network, in that time. */
const TRIES_PER_NETWORK = 5
/** The same of all networks of one site, of which a holder of IPv6 addresses has 65,536. */
const TRIES_PER_SITE = 20
/** The same of all devices that have the link of a group: networks are cheap, and a shift is twenty people. */
const TRIES_PER_GROUP = 50

/** A code that is tried on the shared device of a group. */
interface Try {
  orgId: string
  groupId: string
  /** The result of `networkOf`. */
  network: string | null
  /** The result of `siteOf`. */
  site: string | null
}

type TryContext = Pick<Context, 'd1' | 'nowMs' | 'secrets'>

/** Lists the sums of now, in the table of what learners use up in a day, which is emptied by itself. */
async function listSums({ secrets, nowMs }: TryContext, { orgId, groupId, network, site }: Try) {
  const now = nowMs()
  const hash = await makeHasher(secrets, { purpose: 'codes', sizeBytes: USE_NAME_BYTES })
  const period = String(Math.floor(now / PERIOD_MS))
  const day = dayOf(now)
  return [
    { day, who: await hash(orgId, groupId, period, network ?? ''), max: TRIES_PER_NETWORK },
    ...(site === null ? [] : [{ day, who: await hash(orgId, groupId, period, 'site', site), max: TRIES_PER_SITE }]),
    { day, who: await hash(orgId, groupId, period), max: TRIES_PER_GROUP },
  ]
}

/** Counts a code that is tried as a wrong one. @throws {AppError} rate_limited where no more may be tried */
export async function countTry(context: TryContext, tried: Try): Promise<void> {
  for (const { day, who, max } of await listSums(context, tried)) {
    const { meta } = await context.d1
      .prepare(
        `INSERT INTO learning_uses (day, who, learners, reports) VALUES (?1, ?2, 0, 1)
         ON CONFLICT (day, who) DO UPDATE SET reports = reports + 1 WHERE reports < ?3`,
      )
      .bind(day, who, max)
      .run()
    if (meta.changes === 1) continue
    const retryAfterS = Math.ceil((PERIOD_MS - (context.nowMs() % PERIOD_MS)) / 1000)
    const message = 'Too many wrong codes were tried here. Please wait a quarter of an hour, then try again.'
    throw new AppError('rate_limited', message, { retryAfterS })
  }
}

/** Counts a code that was right as not tried. */
export async function refundTry(context: TryContext, tried: Try): Promise<void> {
  const sums = await listSums(context, tried)
  await context.d1.batch(
    sums.map(({ day, who }) =>
      context.d1
        .prepare('UPDATE learning_uses SET reports = max(0, reports - 1) WHERE day = ? AND who = ?')
        .bind(day, who),
    ),
  )
}
