import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { INTERFACE_LANGUAGES } from '#contract/languages.ts'
import { listMessages, MESSAGES_DIR, type Message } from './messages.ts'

/**
 * Compiles the catalogue into `web/messages/compiled/`: a module of functions per language, and one in all languages of
 * what the worker writes, unless they are of the same texts already. Part of `npm ci`, of each check and of each build.
 */
const outdir = join(MESSAGES_DIR, 'compiled')
const stampPath = join(outdir, 'stamp')
const stamp = hashSources()
if (existsSync(stampPath) && readFileSync(stampPath, 'utf8') === stamp) process.exit()
rmSync(stampPath, { force: true })

// The compiler alone takes seconds to load.
const { compile } = await import('@inlang/paraglide-js')
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
writeFileSync(stampPath, stamp)

function declare({ key, values }: Message, extraParameters: string[]): string {
  const given = values.map((name) => `${name}: string | number`).join('; ')
  const parameters = [...(given === '' ? [] : [`values: { ${given} }`]), ...extraParameters]
  return `export declare const ${key}: (${parameters.join(', ')}) => string\n`
}

/** Only what has changed, so that nothing that watches it starts again. */
function write(name: string, text: string): void {
  const path = join(outdir, name)
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
}

/** One value for everything that the compiled texts depend on. */
function hashSources(): string {
  const repoDir = join(MESSAGES_DIR, '../..')
  const sources = [
    'web/messages/*.json',
    'web/messages/project.inlang/settings.json',
    'web/build/{compile-messages,messages}.ts',
    'contract/languages.ts',
    'node_modules/@inlang/*/package.json',
  ]
  const hash = createHash('sha256')
  for (const path of globSync(sources, { cwd: repoDir }).sort()) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(repoDir, path)))
      .update('\0')
  }
  return hash.digest('hex')
}
