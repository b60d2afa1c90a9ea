import { MediaFault } from '#media/source/byte-window.ts'
import { AppError } from '#worker/core/errors.ts'

/** A file that cannot be used is the end of its module; this is the one place that says so. */
export async function failingModule<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof MediaFault)) throw error
    throw new AppError('module_failed', error.message, { failure: error.code, cause: error.cause })
  }
}
