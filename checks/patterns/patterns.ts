import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Recheck from 'recheck'
import { parseAst } from 'vite'
import { lineAt, listShipped, refuse } from '../check.ts'
import { ACCEPTED } from './accepted.ts'

/** Rooms whose code meets text that other people wrote. */
const SOURCES = '{contract,media,worker,web}/**/*.{ts,tsx}'

interface Pattern {
  file: string
  line: number
  /** Null where it is put together while the program runs. */
  source: string | null
  flags: string
  /** As it stands in the file. */
  code: string
}

/** A node of the syntax tree, as ESTree has it. */
interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** All regular expressions of the product, in the order of its files. */
export function findPatterns(root: string): Pattern[] {
  return listShipped(root, SOURCES).flatMap((file) => readPatterns(root, file))
}

function readPatterns(root: string, file: string): Pattern[] {
  const text = readFileSync(join(root, file), 'utf8')
  const tree = parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const known = new Map<string, string>()
  const found: Pattern[] = []
  walk(tree, (node) => {
    const { type, start, end } = node
    if (type === 'VariableDeclarator') remember(node, known)
    const regex = node['regex'] as { pattern: string; flags: string } | undefined
    const place = { file, line: lineAt(text, start), code: text.slice(start, end) }
    if (type === 'Literal' && regex !== undefined) found.push({ ...place, source: regex.pattern, flags: regex.flags })
    if (!isMade(node)) return
    const [source, flags] = node['arguments'] as Node[]
    found.push({ ...place, source: evaluate(source, known), flags: evaluate(flags, known) ?? '' })
  })
  return found
}

function isMade({ type, callee }: Node): boolean {
  return (type === 'NewExpression' || type === 'CallExpression') && (callee as Node)['name'] === 'RegExp'
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) walk(each, visit)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value && typeof value.type === 'string') visit(value as Node)
    for (const each of Object.values(value)) walk(each, visit)
  }
}

/** Pieces of patterns have names of their own, above the patterns. */
function remember({ id, init }: Node, known: Map<string, string>): void {
  const value = evaluate(init as Node | undefined, known)
  const name = (id as Node)['name']
  if (typeof name === 'string' && value !== null) known.set(name, value)
}

/** The text that an expression always has, of a pattern its source; null where that is not certain. */
function evaluate(node: Node | null | undefined, known: ReadonlyMap<string, string>): string | null {
  if (node === undefined || node === null) return null
  if (node.type === 'Literal') {
    const { regex, value } = node as { regex?: { pattern: string }; value?: unknown }
    return regex?.pattern ?? (typeof value === 'string' ? value : null)
  }
  if (node.type === 'Identifier') return known.get(node['name'] as string) ?? null
  if (node.type === 'MemberExpression' && (node['property'] as Node)['name'] === 'source')
    return evaluate(node['object'] as Node, known)
  if (node.type === 'TaggedTemplateExpression') return fill(node['quasi'] as Node, 'raw', known)
  return node.type === 'TemplateLiteral' ? fill(node, 'cooked', known) : null
}

function fill(template: Node, kind: 'raw' | 'cooked', known: ReadonlyMap<string, string>): string | null {
  const pieces = (template['expressions'] as Node[]).map((each) => evaluate(each, known))
  const texts = (template['quasis'] as { value: { raw: string; cooked: string } }[]).map(({ value }) => value[kind])
  if (pieces.includes(null)) return null
  return texts.map((text, at) => text + (pieces[at] ?? '')).join('')
}

// Its other engines are programs for single systems; this one runs wherever Node does.
process.env['RECHECK_BACKEND'] = 'pure'
const { checkSync } = createRequire(import.meta.url)('recheck') as typeof Recheck

/** No clock: the search is bounded by steps, so that the same pattern gets the same verdict on every machine. */
const NO_CLOCK = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
} as const
/** An automaton of more states is searched by trying inputs; the largest would take half a minute. */
const SEARCH = {
  ...NO_CLOCK,
  maxNFASize: 4_000,
  incubationLimit: 3_000,
  attackLimit: 200_000,
  maxIteration: 3,
  maxGenerationSize: 30,
  maxInitialGenerationSize: 100,
  seedingLimit: 1_000,
} as const

/** What is wrong with a pattern; null where it takes time by the length of its text, or is accepted for a reason. */
export function judgePattern(pattern: Pattern): string | null {
  if (Object.keys(ACCEPTED[pattern.file] ?? {}).some((begins) => pattern.code.startsWith(begins))) return null
  if (pattern.source === null) return 'is put together while the program runs, so it cannot be judged'
  const judged = checkSync(pattern.source, pattern.flags, SEARCH)
  // Of a few patterns with look-aheads it cannot make an automaton.
  const verdict =
    judged.status === 'unknown' ? checkSync(pattern.source, pattern.flags, { ...SEARCH, checker: 'fuzz' }) : judged
  if (verdict.status === 'safe') return null
  if (verdict.status === 'unknown') return `cannot be judged: ${verdict.error.kind}`
  return `takes ${verdict.complexity.summary} time, for example for ${verdict.attack.pattern.slice(0, 120)}`
}

/** Exceptions that no pattern needs any more. */
function listUnused(patterns: readonly Pattern[]): string[] {
  const isUsed = (file: string, begins: string) =>
    patterns.some((each) => each.file === file && each.code.startsWith(begins))
  return Object.entries(ACCEPTED).flatMap(([file, accepted]) =>
    Object.keys(accepted).flatMap((begins) => (isUsed(file, begins) ? [] : [`${file}: ${begins}`])),
  )
}

if (import.meta.main) {
  const patterns = findPatterns('.')
  const faults = patterns.flatMap((pattern) => {
    const fault = judgePattern(pattern)
    return fault === null ? [] : [`${pattern.file}:${pattern.line}: ${pattern.code} ${fault}`]
  })
  refuse(faults, '; a text can hold this pattern up')
  refuse(listUnused(patterns), ': no pattern needs this exception of checks/patterns/accepted.ts')
}
