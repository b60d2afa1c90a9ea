// Kept link checkers do not know paths in inline code and npm scripts, which are most of what the docs name.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { refuse } from './check.ts'

/** Rooms of the project: a path in the docs that begins with one of them must exist. */
const ROOMS = /^(contract|media|records|screen|worker|web|local|e2e|bench|checks|cloud|docs|migrations|\.ci)\//

const LINK = /(?:\]\(|<img src=")([^)#"\s]+)(?:#[^)]*)?[)"]/g
const CODE = /`([^`\s]+)`/g

/** Paths that a document names, as links (relative to it) or as inline code (relative to the project). */
export function namedPaths(file: string, text: string): string[] {
  const links = [...text.matchAll(LINK)].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target))
  const code = [...text.matchAll(CODE)].map(([, path = '']) => path).filter((path) => ROOMS.test(path))
  return [
    ...links.map((target) => normalize(join(dirname(file), target))),
    // Globs and placeholders name many files or none.
    ...code.filter((path) => !/[*{}<>…]/.test(path)),
  ]
}

const ANCHOR = /\]\(([^)#\s]*)#([^)\s]+)\)/g
const HEADING = /^#+ (.+)$/gm

/** Anchors as GitHub makes them of headings: small letters, no punctuation, hyphens for blanks. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(HEADING)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function findBrokenAnchors(root: string, file: string, text: string): string[] {
  return [...text.matchAll(ANCHOR)].flatMap(([, target = '', anchor = '']) => {
    const path = target === '' ? file : join(dirname(file), target)
    if (/^[a-z]+:/.test(target) || !existsSync(join(root, path))) return []
    return anchorsOf(readFileSync(join(root, path), 'utf8')).includes(anchor) ? [] : [`${normalize(path)}#${anchor}`]
  })
}

/** `npm run bench:…` stands for many. */
const SCRIPT = /npm run ([\w:-]+)(?!…|[\w:-])/g

/** What is named and does not exist, as `document: path`, `document: path#heading` or `document: npm run script`. */
export function findBrokenPaths(root: string, files: string[]): string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const paths = namedPaths(file, text).filter((path) => !existsSync(join(root, path.replace(/:\d+$/, ''))))
    const scripts = [...text.matchAll(SCRIPT)]
      .map(([, name = '']) => name)
      .filter((name) => !(name in manifest.scripts))
    return [...paths, ...findBrokenAnchors(root, file, text), ...scripts.map((name) => `npm run ${name}`)].map(
      (missing) => `${file}: ${missing}`,
    )
  })
}

/** Files whose classes a style sheet takes over: Tailwind is silent about one that does not exist. */
export function findBrokenSources(root: string, file: string): string[] {
  const css = readFileSync(join(root, file), 'utf8')
  return [...css.matchAll(/@source '([^']+)'/g)]
    .map(([, path = '']) => normalize(join(dirname(file), path)))
    .filter((path) => !existsSync(join(root, path)))
    .map((missing) => `${file}: ${missing}`)
}

const SHARE_SHEET = 'web/styles/share.css'
/** What a file loads, types apart. */
const LOADED = /(?:^import (?!type\b)[^';]*?|import\()'((?:#web\/|\.)[^']+\.tsx?)'/gm

/** Files with classes that an entry loads and its style sheet does not name: what they draw would have no look. */
export function findUnstyled(root: string, sheet: string, entry: string): string[] {
  const css = readFileSync(join(root, sheet), 'utf8')
  const named = [...css.matchAll(/@source '([^']+)'/g)].map(([, path = '']) => normalize(join(dirname(sheet), path)))
  const loaded = new Set([entry])
  for (const file of loaded) {
    for (const [, to = ''] of readFileSync(join(root, file), 'utf8').matchAll(LOADED))
      loaded.add(to.startsWith('#') ? to.slice(1) : normalize(join(dirname(file), to)))
  }
  return [...loaded]
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('className'))
    .filter((file) => !named.some((path) => file === path || file.startsWith(`${path}/`)))
    .map((file) => `${sheet}: ${file}`)
}

if (import.meta.main) {
  const docs = globSync(['{README,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md'])
  refuse([...findBrokenPaths('.', docs), ...findBrokenSources('.', SHARE_SHEET)], ' does not exist')
  refuse(findUnstyled('.', SHARE_SHEET, 'web/share.tsx'), ' has classes that the sheet does not take over')
}
