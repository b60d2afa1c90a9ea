import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The project's own media, made by `npm run fixtures`. */
export const FIXTURES = 'local/media/fixtures'

/** Real narrated videos, which are not part of the project. */
export const ACCEPTANCE = process.env['ADAPT_ACCEPTANCE_DIR'] ?? '../shared/acceptance'

export function hasAcceptanceMedia(): boolean {
  return existsSync(join(ACCEPTANCE, 'README.md'))
}
