import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Real narrated videos, which are not part of the project. */
export const ACCEPTANCE = process.env['ADAPT_ACCEPTANCE_DIR'] ?? '../shared/acceptance'

export function hasAcceptanceMedia(): boolean {
  return existsSync(join(ACCEPTANCE, 'README.md'))
}
