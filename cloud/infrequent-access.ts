import { PRICES } from '#worker/domain/quota/prices.ts'

/** Age of an original at which the bucket's rule moves it, in days after its upload. */
export const MOVED_AFTER_DAYS = 90
/** Of an average original: ten minutes at 2.5 Mbit/s. */
export const ORIGINAL_BYTES = 188e6
/** How often an average training is watched in each month after its first, where the settings say nothing else. */
export const LATER_VIEWS = 1
/** Reads of the bucket for a whole view where the edge's cache has nothing. */
export const RANGES_PER_VIEW = 5

const GB = 1e9
const MILLION = 1e6

/**
 * Computes how much more an original costs in a month in Infrequent Access than in standard storage, by list price and
 * beyond what the plan includes. Each view reads all of it once: nothing of a training that is rarely watched is in the
 * edge's cache. Moving it there is left out: once, a hundredth of what a month without views saves.
 * @param views of one training in the month
 * @returns US dollars; less than 0 where Infrequent Access saves
 */
export function extraUsdOfRare(views: number): number {
  const { storedGb, rareStoredGb, r2ClassB, rareClassB } = PRICES
  const stored = (ORIGINAL_BYTES / GB) * (rareStoredGb.perMonth - storedGb.perMonth)
  const read = (ORIGINAL_BYTES / GB) * rareStoredGb.perGbRead
  const operations = (RANGES_PER_VIEW / MILLION) * (rareClassB.perMillion - r2ClassB.perMillion)
  return stored + views * (read + operations)
}
