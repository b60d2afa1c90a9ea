import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INTERFACE_LANGUAGES } from '#contract/languages.ts'
import { translatePage } from '../web/build/language.ts'

/** Writes what the worker itself reads of the site, in all languages, for tests that build nothing. @returns the folder */
export function writeTestSite(): string {
  const siteDir = join(import.meta.dirname, '../.cache/test-site')
  for (const tag of INTERFACE_LANGUAGES) {
    const folder = tag === 'en' ? siteDir : join(siteDir, tag)
    mkdirSync(folder, { recursive: true })
    for (const name of ['index.html', 'share.html', 'kept.html', 'verify.html']) {
      const page = readFileSync(join(import.meta.dirname, '../web', name), 'utf8')
      writeChanged(join(folder, name), translatePage(page, tag))
    }
  }
  return siteDir
}

/** Leaves a file alone that has this text already: another runner may be reading it. */
function writeChanged(path: string, text: string): void {
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
