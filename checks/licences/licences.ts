// `npm run check:licences`: whether the lists of what ships are true and everything in them may ship.
// `npm run generate:licences` writes them. Kept licence checkers list what is installed, not what is shipped.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '../check.ts'
import { type Bundle, findShipped } from './find-shipped.ts'

/** Licences under which something may ship in Adapt, by their SPDX names, and what each asks for. */
export const ALLOWED: Readonly<Record<string, string>> = {
  MIT: 'keep the notice',
  ISC: 'keep the notice',
  '0BSD': 'nothing',
  Unlicense: 'nothing',
  'CC0-1.0': 'nothing',
  'BSD-2-Clause': 'keep the notice',
  'BSD-3-Clause': 'keep the notice',
  'Apache-2.0': 'keep the notice',
  'MPL-2.0': 'keep the notice and say where its source is; changed files of it would have to be published',
  'OFL-1.1': 'keep the notice beside the font',
}

/** Whether something may ship under an SPDX expression. What has not been judged is not allowed. */
export function isAllowed(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ')
  // An expression with AND and OR depends on its brackets; nothing that ships has one.
  if (choices.length > 1 && expression.includes(' AND ')) return false
  const isKnown = (name: string) => Object.hasOwn(ALLOWED, name.trim())
  return choices.some((choice) => choice.split(' AND ').every(isKnown))
}

interface ShippedPackage {
  name: string
  version: string
  /** As an SPDX expression; empty where the package says none. */
  licence: string
  source: string
  /** The texts that its licence asks to keep. */
  notice: string
  bundles: Bundle[]
}

interface Manifest {
  name: string
  version: string
  license?: unknown
  author?: string | { name?: string }
  repository?: string | { url?: string }
}

const NOTICE_FILE = /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i

/** Bundlers list after their own licence those of all that they are made of; of that nothing ships. */
const BUNDLED = /^#+ Licenses of bundled dependencies$/m

export function readPackage(dir: string, bundles: Iterable<Bundle>): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Manifest
  const licence = typeof manifest.license === 'string' ? manifest.license : ''
  return {
    name: manifest.name,
    version: manifest.version,
    licence,
    source: sourceOf(manifest),
    notice: readNotice(dir) || describeNotice(manifest, licence),
    bundles: [...bundles].toSorted(),
  }
}

function sourceOf({ name, repository }: Manifest): string {
  const url = (typeof repository === 'string' ? repository : repository?.url) ?? ''
  // `git+https://….git`, `git://…` and `owner/name` are all in use.
  const path = /^(?:.*github\.com[/:])?([\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(url.replace(/^github:/, ''))?.[1]
  return path === undefined ? `https://www.npmjs.com/package/${name}` : `https://github.com/${path}`
}

function readNotice(dir: string): string {
  const files = readdirSync(dir).filter((file) => NOTICE_FILE.test(file))
  const texts = files.map((file) => {
    const [own = ''] = readFileSync(join(dir, file), 'utf8').split(BUNDLED)
    return own.replaceAll(/[ \t\r]+$/gm, '').trim()
  })
  return texts.join('\n\n')
}

function describeNotice({ author }: Manifest, licence: string): string {
  const name = (typeof author === 'string' ? author.replace(/ <.*/, '') : author?.name) ?? 'its authors'
  return `Copyright (c) ${name}. The package holds no text of its licence: https://spdx.org/licenses/${licence}.html`
}

const RULE = '-'.repeat(80)

const LIST_HEAD = `# What ships, and under which licence

Packages of which something is in what browsers load or in the worker, by licence and by what they are part of. Their texts and sources are served as \`/licences.txt\`. Written by \`npm run generate:licences\` from what the bundlers put in; \`npm run check\` refuses a list that is not true any more, and licences that \`checks/licences/licences.ts\` does not name.`

/** The list for people who work on Adapt. */
export function writeList(packages: readonly ShippedPackage[]): string {
  const groups = Map.groupBy(packages, ({ licence, bundles }) => `## ${licence}: ${bundles.join(', ')}`)
  const sections = [...groups].map(([heading, alike]) => {
    return `${heading}\n\n${alike.map(({ name, version }) => `${name}@${version}`).join(', ')}`
  })
  return `${[LIST_HEAD, ...sections.toSorted()].join('\n\n')}\n`
}

const NOTICES_HEAD = `Adapt is made with the work of others. These packages are part of what you load or of what
answers you, unchanged, under the licences below; their sources are at the addresses given.`

/** The notices that licences ask for, each text once, for everybody who is given the pages. */
export function writeNotices(packages: readonly ShippedPackage[]): string {
  const byNotice = Map.groupBy(packages, ({ notice }) => notice)
  const sections = [...byNotice].map(([notice, sharing]) => {
    const names = sharing.map(({ name, version, licence, source }) => `${name} ${version} (${licence}) ${source}`)
    return [RULE, names.join('\n'), RULE, notice].join('\n')
  })
  return `${[NOTICES_HEAD, ...sections].join('\n\n')}\n`
}

if (import.meta.main) {
  const packages = [...(await findShipped(process.cwd()))]
    .map(([dir, bundles]) => readPackage(dir, bundles))
    .toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
  const unjudged = packages.filter(({ licence }) => !isAllowed(licence))
  refuse(
    unjudged.map(
      ({ name, version, licence, source }) =>
        `${name} ${version} ships and may not: its licence is "${licence}" (${source})`,
    ),
  )
  const lists = { 'docs/licences.md': writeList(packages), 'web/public/licences.txt': writeNotices(packages) }
  for (const [file, text] of Object.entries(lists)) {
    if (process.argv.includes('--write')) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      refuse([`${file} is not what ships any more: npm run generate:licences`])
  }
}
