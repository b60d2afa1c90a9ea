import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from '@inlang/paraglide-js'
import { INTERFACE_LANGUAGES } from '#contract/languages.ts'
import { listMessages, MESSAGES_DIR, type Message } from './messages.ts'

/**
 * Compiles the catalogue into `web/messages/compiled/`: a module of functions per language, and one in all languages of
 * what the worker writes. Part of `npm ci`, of each check and of each build.
 */
const outdir = join(MESSAGES_DIR, 'compiled')
await compile({
  project: join(MESSAGES_DIR, 'project.inlang'),
  outdir,
  outputStructure: 'locale-modules',
  emitReadme: false,
  emitGitIgnore: false,
  emitPrettierIgnore: false,
})

const messages = listMessages('en')
write('messages/en.d.ts', messages.map((message) => declare(message, [])).join(''))

/** Pages of the worker are in any language, so each of their texts chooses by a tag. */
const inPages = messages.filter(({ key }) => key.startsWith('page_'))
const imports = INTERFACE_LANGUAGES.map((tag) => `import * as ${tag} from './messages/${tag}.js'\n`)
const functions = inPages.map(({ key, values }) => {
  const given = values.length === 0 ? 'tag' : 'values, tag'
  const cases = INTERFACE_LANGUAGES.map((tag) => `${tag}: ${tag}.${key}`).join(', ')
  return `const ${key}_in = { ${cases} }\nexport const ${key} = (${given}) => ${key}_in[tag](${values.length === 0 ? '' : 'values'})\n`
})
write('pages.js', [...imports, ...functions].join(''))
const tags = INTERFACE_LANGUAGES.map((tag) => `'${tag}'`).join(' | ')
write('pages.d.ts', inPages.map((message) => declare(message, [`tag: ${tags}`])).join(''))

function declare({ key, values }: Message, more: string[]): string {
  const given = values.map((name) => `${name}: string | number`).join('; ')
  const parameters = [...(given === '' ? [] : [`values: { ${given} }`]), ...more]
  return `export declare const ${key}: (${parameters.join(', ')}) => string\n`
}

/** Only what has changed, so that nothing that watches it starts again. */
function write(name: string, text: string): void {
  const path = join(outdir, name)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}
