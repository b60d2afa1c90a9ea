import { AppError } from '#worker/errors.ts'

/**
 * A message is tried up to seven times, and sent again when it was lost; a unit that was taken up more often than that
 * ends whoever works on it, before it can say that it failed. It is also what bounds the calls of a model for one unit.
 */
export const MAX_TRIES = 12

/** @throws {AppError} module_failed when a unit of work has been taken up too often */
export function checkTries({ tries }: { tries: number }): void {
  if (tries <= MAX_TRIES) return
  throw new AppError(
    'module_failed',
    'Processing broke off several times at the same place. Nothing of your video is lost: please try again in a few minutes.',
    { failure: 'gave_up' },
  )
}
