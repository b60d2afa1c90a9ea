import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { INTERFACE_LANGUAGES } from '#contract/languages.ts'

/**
 * Builds the site into `ADAPT_SITE_DIR`, or `dist/`: the pages of English at its top, those of each other language in a
 * folder of its name, and the files of all of them in `assets/`.
 */
const ROOT = join(import.meta.dirname, '../..')
const CONFIGS = ['vite.config.ts', 'vite.share.config.ts', 'vite.kept.config.ts', 'vite.verify.config.ts']
const PAGES = ['index.html', 'share.html', 'kept.html', 'verify.html']

const siteDir = resolve(ROOT, process.env['ADAPT_SITE_DIR'] ?? 'dist')
rmSync(siteDir, { recursive: true, force: true })
// English comes last: what there is one of, such as the service worker and the headers, is of its build.
for (const tag of INTERFACE_LANGUAGES.toReversed()) {
  process.env['ADAPT_LANGUAGE'] = tag
  for (const config of CONFIGS)
    await build({
      configFile: join(ROOT, config),
      logLevel: tag === 'en' ? 'info' : 'warn',
      build: { emptyOutDir: false },
    })
  if (tag === 'en') continue
  mkdirSync(join(siteDir, tag))
  for (const page of PAGES) renameSync(join(siteDir, page), join(siteDir, tag, page))
}
