import { AppError } from '#worker/errors.ts'

/**
 * As often as the speech queue delivers a message (`max_retries` + 1, wrangler.toml). A message that is sent anew counts
 * from the beginning, and a unit that ends whoever works on it never fails; the unit's own row bounds them all, and with
 * them the calls of a model for one unit.
 */
const MAX_TRIES = 7

/** @throws {AppError} module_failed when a unit of work has been taken up too often */
export function checkTries({ tries }: { tries: number }): void {
  if (tries <= MAX_TRIES) return
  throw new AppError(
    'module_failed',
    'Processing broke off several times at the same place. Nothing of your video is lost: please try again in a few minutes.',
    { failure: 'gave_up' },
  )
}
