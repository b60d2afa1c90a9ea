import { makeHasher } from '#worker/domain/signed-payload.ts'

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
/** The same of one learner without an account, who is one of one module. */
export const REPORTS_PER_LEARNER = 2_000
/** Reports of one module on one day: as many new learners as it may have, with an hour of video each. */
export const REPORTS_PER_MODULE = 225_000
/**
 * The sums of a learner, a module and a site grow by so many with each so-manyth report of a learner, so that they cost a
 * twentieth of a row each; those of an address and an account are exact.
 */
export const SUMMED_EVERY = 20
/** How many times as much as one network of IPv6 all networks of its site may use: a /48 holds 65,536. */
export const NETWORKS_PER_SITE = 10
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

/** What a report adds to one sum of a day, and the most that the sum may be. Null: without a limit. */
export interface LearningUse {
  who: string
  learners: number
  learnersMax: number | null
  reports: number
  reportsMax: number | null
}

/** Who reports. */
interface Reporter extends Record<'moduleId' | 'learnerId' | 'day', string> {
  /** The result of `holderOf`. */
  holder: string | null
  /** The result of `networkOf`; null where it is not known. */
  network: string | null
  /** The result of `siteOf`; null where the network is all of it. */
  site: string | null
}

/**
 * Lists the sums of the day that a report counts towards: the account's, or those of the address and the learner; the
 * module's; and where a learner without an account is new, those of the address at this module too. Learners who are
 * known are not held up by new ones.
 * @param secrets prevent finding an address by hashing every address
 * @param counted as how many reports it counts, whether its learner is new, and the how-many-th of the learner it is
 */
export async function listUses(
  secrets: string,
  { moduleId, learnerId, holder, network, site, day }: Reporter,
  { isNew, reports, number }: { isNew: boolean; reports: number; number: number },
): Promise<LearningUse[]> {
  const hash = await makeHasher(secrets, { purpose: 'uses', sizeBytes: USE_NAME_BYTES })
  const isNewVisitor = isNew && holder === null
  const summed = number % SUMMED_EVERY === 0 ? SUMMED_EVERY : 0
  const use = async (of: string[], learnersMax: number | null, reportsMax: number | null, added = summed) => {
    const learners = Number(isNewVisitor && learnersMax !== null)
    const counted = reportsMax === null ? 0 : added
    return { who: await hash(day, ...of), learners, learnersMax, reports: counted, reportsMax }
  }
  const uses = [use(['module', moduleId], NEW_LEARNERS_PER_MODULE, REPORTS_PER_MODULE)]
  if (holder !== null) uses.push(use(['account', holder], null, REPORTS_PER_ACCOUNT, reports))
  else uses.push(use(['learner', moduleId, learnerId], null, REPORTS_PER_LEARNER))
  const places = [
    { name: network, times: 1, added: reports },
    { name: site, times: NETWORKS_PER_SITE, added: summed },
  ]
  for (const { name, times, added } of holder === null ? places : []) {
    if (name === null) continue
    uses.push(use(['address', name], times * NEW_LEARNERS_PER_ADDRESS, times * REPORTS_PER_DAY, added))
    if (isNewVisitor) uses.push(use(['address', name, moduleId], times * NEW_LEARNERS_PER_ADDRESS_AND_MODULE, null))
  }
  return Promise.all(uses)
}

/** Bytes of the name of a sum: enough that a million names do not collide. */
export const USE_NAME_BYTES = 12

/** Selects a row when one of the sums (JSON, `uses`) would pass its limit on a day. */
export function findOverSql(day: string, uses: string): string {
  return `SELECT 1 FROM json_each(${uses}) AS u JOIN learning_uses AS l ON l.day = ${day} AND l.who = u.value->>'who'
    WHERE l.learners + (u.value->>'learners') > coalesce(u.value->>'learnersMax', 9e9) AND u.value->>'learners' > 0
       OR l.reports + max(u.value->>'reports', 1) > coalesce(u.value->>'reportsMax', 9e9)`
}

/** Adds to the sums of a day; the condition is bound to ?1 to ?3, the day to ?4 and the uses to ?5. */
export function addUsesSql(condition: string): string {
  return `INSERT INTO learning_uses (day, who, learners, reports)
    SELECT ?4, value->>'who', value->>'learners', value->>'reports' FROM json_each(?5)
    WHERE value->>'learners' + (value->>'reports') > 0 AND ${condition}
    ON CONFLICT (day, who) DO UPDATE SET learners = learners + excluded.learners, reports = reports + excluded.reports`
}
