// `npm run check:patterns`: whether a text can hold a pattern up. `recheck` judges; its rule for ESLint needs a second linter,
// and knows only patterns that stand in one piece.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { types } from 'node:util'
import { type Context, createContext, runInContext } from 'node:vm'
import type * as Recheck from 'recheck'
import { cacheFolder } from '#local/speech/whisper/cache-folder.ts'
import { lineAt, listShipped, refuse } from '../check.ts'
import { type Node, parseSource, walkTree } from '../syntax-tree.ts'
import { ACCEPTED } from './accepted.ts'
import { openSafeList, type SafeList } from './safe-list.ts'

/** Rooms whose code meets text that other people wrote. */
const SOURCES = '{contract,media,records,screen,worker,web}/**/*.{ts,tsx}'

interface Pattern {
  file: string
  line: number
  /** Null where it is put together while the program runs. */
  source: string | null
  flags: string
  code: string
}

export function findPatterns(root: string): Pattern[] {
  return listShipped(root, SOURCES).flatMap((file) => readPatterns(root, file))
}

function readPatterns(root: string, file: string): Pattern[] {
  const text = readFileSync(join(root, file), 'utf8')
  const pieces = createContext()
  const found: Pattern[] = []
  walkTree(parseSource(file, text), (node) => {
    if (node.type === 'VariableDeclarator') remember(node, text, pieces)
    if (!isPattern(node)) return true
    const code = text.slice(node.start, node.end)
    const made = evaluate(code, pieces)
    found.push({ file, line: lineAt(text, node.start), code, source: made?.source ?? null, flags: made?.flags ?? '' })
    return true
  })
  return found
}

function isPattern({ type, regex, callee }: Node): boolean {
  if (type === 'Literal') return regex !== undefined
  return (type === 'NewExpression' || type === 'CallExpression') && (callee as Node)['name'] === 'RegExp'
}

/** Pieces of patterns have names of their own, above the patterns. */
function remember({ id, init }: Node, text: string, pieces: Context): void {
  const name = (id as Node)['name']
  if (typeof name !== 'string' || !init) return
  const { start, end } = init as Node
  // Evaluated where a pattern needs it; what needs more than other pieces throws, and so does the pattern.
  const get = () => runInContext(`(${text.slice(start, end)})`, pieces) as unknown
  Object.defineProperty(pieces, name, { get, configurable: true })
}

/** The pattern that an expression makes of pieces; null where it needs anything else of the program. */
function evaluate(code: string, pieces: Context): RegExp | null {
  try {
    const made: unknown = runInContext(code, pieces)
    return types.isRegExp(made) ? made : null
  } catch {
    return null
  }
}

// Its other engines are programs for single systems; this one runs wherever Node does.
process.env['RECHECK_BACKEND'] = 'pure'
const require = createRequire(import.meta.url)
const { checkSync } = require('recheck') as typeof Recheck
const { version } = require('recheck/package.json') as { version: string }

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

function isAccepted({ file, code }: Pattern): boolean {
  return Object.keys(ACCEPTED[file] ?? {}).some((begins) => code.startsWith(begins))
}

/** What is wrong with a pattern; null where it takes time by the length of its text, or is accepted for a reason. */
export function judgePattern(pattern: Pattern): string | null {
  if (isAccepted(pattern)) return null
  if (pattern.source === null) return 'is put together while the program runs, so it cannot be judged'
  const judged = checkSync(pattern.source, pattern.flags, SEARCH)
  // Of a few patterns with look-aheads it cannot make an automaton.
  const verdict =
    judged.status === 'unknown' ? checkSync(pattern.source, pattern.flags, { ...SEARCH, checker: 'fuzz' }) : judged
  if (verdict.status === 'safe') return null
  if (verdict.status === 'unknown') return `cannot be judged: ${verdict.error.kind}`
  return `takes ${verdict.complexity.summary} time, for example for ${verdict.attack.pattern.slice(0, 120)}`
}

/** Judges only what has not been found safe on this machine: all together are a minute and a half of work. */
function judgeOnce(pattern: Pattern, known: SafeList): string | null {
  const { source, flags } = pattern
  if (source === null || isAccepted(pattern)) return judgePattern(pattern)
  const name = `/${source}/${flags}`
  if (known.has(name)) return null
  const fault = judgePattern(pattern)
  if (fault === null) known.add(name)
  return fault
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
  const folder = cacheFolder({ platform: process.platform, env: process.env, homeDir: homedir() })
  const known = openSafeList(join(folder, 'safe-patterns.json'), `recheck ${version} ${JSON.stringify(SEARCH)}`)
  const faults = patterns.flatMap((pattern) => {
    const fault = judgeOnce(pattern, known)
    return fault === null ? [] : [`${pattern.file}:${pattern.line}: ${pattern.code} ${fault}`]
  })
  known.save()
  refuse(faults, '; a text can hold this pattern up')
  refuse(listUnused(patterns), ': no pattern needs this exception of checks/patterns/accepted.ts')
}
