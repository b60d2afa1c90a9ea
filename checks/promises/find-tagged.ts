import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ESTree } from 'vite'
import { type Node, parseSource, walkTree } from '../syntax-tree.ts'

export interface Tagged {
  tag: string
  file: string
  /** With the titles of the groups that hold it, and the placeholders of a test that runs over a table. */
  title: string
}

/** Files without any are not parsed. */
const MAY_BE_TAGGED = /\btags?:/

/** Finds the tests of a folder with each of their tags, without running them. */
export function findTagged(root: string): Tagged[] {
  const files = globSync('**/*.{test,spec}.{ts,tsx}', { cwd: root, exclude: (name) => name === 'node_modules' })
  return files.toSorted().flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8')
    return MAY_BE_TAGGED.test(source) ? readTagged(file, source) : []
  })
}

/** Reads the calls of a file that begin with a title, and options with `tags` of Vitest or a `tag` of Playwright. */
function readTagged(file: string, source: string): Tagged[] {
  const found: Tagged[] = []
  const groups: string[] = []
  walkTree(
    parseSource(file, source),
    (node) => {
      const title = readTitle(node)
      if (title === null) return true
      groups.push(title)
      found.push(...readTags(node).map((tag) => ({ tag, file, title: groups.join(' › ') })))
      return true
    },
    (node) => {
      if (readTitle(node) !== null) groups.pop()
    },
  )
  return found
}

const RUNNERS = new Set(['describe', 'it', 'test'])

/** @returns null for what declares neither a test nor a group */
function readTitle(node: Node): string | null {
  if (node.type !== 'CallExpression') return null
  const {
    callee,
    arguments: [title],
  } = node as unknown as ESTree.CallExpression
  if (title === undefined || !RUNNERS.has(rootOf(callee))) return null
  if (title.type === 'TemplateLiteral') return title.quasis.map(({ value }) => value.cooked).join('…')
  return title.type === 'Literal' && typeof title.value === 'string' ? title.value : null
}

/** `it` for `it`, `it.each(rows)` and `it.skipIf(isSlow)`. */
function rootOf(callee: ESTree.Expression): string {
  if (callee.type === 'CallExpression') return rootOf(callee.callee)
  if (callee.type === 'MemberExpression') return rootOf(callee.object)
  return callee.type === 'Identifier' ? callee.name : ''
}

function readTags(call: Node): string[] {
  const [, options] = (call as unknown as ESTree.CallExpression).arguments
  if (options?.type !== 'ObjectExpression') return []
  return options.properties.flatMap((property) => {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') return []
    return /^tags?$/.test(property.key.name) ? readTexts(property.value) : []
  })
}

function readTexts(value: ESTree.Node | null): string[] {
  if (value?.type === 'ArrayExpression') return value.elements.flatMap(readTexts)
  return value?.type === 'Literal' && typeof value.value === 'string' ? [value.value.replace(/^@/, '')] : []
}
