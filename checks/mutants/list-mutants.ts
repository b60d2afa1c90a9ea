import { lineAt } from '../check.ts'
import { isNode, type Node, parseSource, walkTree } from '../syntax-tree.ts'

/** One small change of a source, of which a test should fail. */
export interface Mutant {
  file: string
  line: number
  /** Offsets in the source of what is replaced. */
  start: number
  end: number
  replacement: string
  /** For a person: what stands there, and what is put in its place. */
  change: string
}

type Edit = Pick<Mutant, 'start' | 'end' | 'replacement'>

const OPERATORS: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
}
/** Calls that return the same kind of value as the one that they are made on. */
const REMOVABLE = new Set(['filter', 'slice', 'sort', 'toSorted', 'toReversed', 'trim', 'toLowerCase', 'flat'])
const SQL = /\b(?:SELECT|UPDATE|DELETE|INSERT)\b/
const SQL_TERMS = /\bAND\b|\bOR\b|\bDESC\b|[<>]=?(?!>)/g
const SQL_OPERATORS: Record<string, string> = { ...OPERATORS, AND: 'OR', OR: 'AND', DESC: 'ASC' }

/** Lists every change that is made to a source: of operators, constants, conditions and calls that are removed. */
export function listMutants(file: string, text: string): Mutant[] {
  const edits: Edit[] = []
  walkTree(parseSource(file, text), (node) => {
    // Types and the names of modules do nothing.
    if (node.type.startsWith('TS') && !isNode(node['expression'])) return false
    if (node.type === 'ImportDeclaration' || (node.type.startsWith('Export') && isNode(node['source']))) return false
    edits.push(...editsOf(node, text))
    return true
  })
  return edits
    .filter(({ start, end, replacement }) => text.slice(start, end) !== replacement)
    .map((edit) => ({ file, line: lineAt(text, edit.start), ...edit, change: describe(text, edit) }))
}

export function applyMutant(text: string, { start, end, replacement }: Edit): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

const SHOWN = 60
const shorten = (code: string) => {
  const line = code.replaceAll(/\s+/g, ' ').trim()
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
}

/** With what stands around an operator, which alone says little. */
function describe(text: string, { start, end, replacement }: Edit): string {
  if (end - start > 3) return `${shorten(text.slice(start, end))} → ${shorten(replacement) || 'removed'}`
  const [before, after] = [text.slice(Math.max(0, start - 25), start), text.slice(end, end + 25)]
  return shorten(`${before.split('\n').at(-1)}⟨${text.slice(start, end)} → ${replacement}⟩${after.split('\n')[0]}`)
}

function editsOf(node: Node, text: string): Edit[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return replaceOperator(node, text)
    case 'UpdateExpression':
      return replaceOperator({ ...node, left: node['prefix'] ? undefined : node['argument'] }, text)
    case 'UnaryExpression':
      return node['operator'] === '!' || node['operator'] === '-'
        ? [{ start: node.start, end: node.start + 1, replacement: '' }]
        : []
    case 'IfStatement':
    case 'ConditionalExpression':
      return ['true', 'false'].map((replacement) => ({ ...spanOf(node['test'] as Node), replacement }))
    case 'Literal':
      return replaceLiteral(node)
    case 'ExpressionStatement':
      return removeCall(node)
    case 'CallExpression':
      return shortenChain(node)
    case 'TemplateElement':
      return SQL.test(text) ? replaceSqlTerms(node, text) : []
    default:
      return []
  }
}

const spanOf = ({ start, end }: Node) => ({ start, end })

/** Of `a + b`, the text between the operands has the operator; words put together with `+` are no sum. */
function replaceOperator({ start, end, operator, left, right, argument }: Node, text: string): Edit[] {
  const replacement = OPERATORS[String(operator)]
  if (replacement === undefined) return []
  if ([left, right].some((operand) => isNode(operand) && typeof operand['value'] === 'string' && operator === '+')) {
    return []
  }
  const from = isNode(left) ? left.end : start
  const until = isNode(right) ? right.start : isNode(left) ? end : (argument as Node).start
  const at = text.slice(from, until).indexOf(String(operator))
  return at < 0 ? [] : [{ start: from + at, end: from + at + String(operator).length, replacement }]
}

function replaceLiteral({ start, end, value }: Node): Edit[] {
  if (typeof value === 'boolean') return [{ start, end, replacement: String(!value) }]
  if (typeof value !== 'number') return []
  const others = value === 0 ? ['1'] : ['0', String(value + 1)]
  return others.map((replacement) => ({ start, end, replacement }))
}

/** Of a statement that only calls; the constructor of a class cannot do without `super()`. */
function removeCall({ start, end, expression }: Node): Edit[] {
  const inner = expression as Node
  const awaited = inner.type === 'AwaitExpression' || inner['operator'] === 'void' ? inner['argument'] : inner
  const call = awaited as Node
  if (call.type !== 'CallExpression' || (call['callee'] as Node).type === 'Super') return []
  return [{ start, end, replacement: ';' }]
}

function shortenChain({ start, end, callee }: Node): Edit[] {
  const { type, object, property } = callee as Node
  if (type !== 'MemberExpression' || !REMOVABLE.has(String((property as Node)['name']))) return []
  return [{ start: (object as Node).end, end, replacement: '' }].filter((edit) => edit.start > start)
}

function replaceSqlTerms({ start, end }: Node, text: string): Edit[] {
  const part = text.slice(start, end)
  if (!/\b[A-Z]{3,}\b/.test(part)) return []
  return Array.from(part.matchAll(SQL_TERMS), ({ 0: term, index }) => {
    const replacement = SQL_OPERATORS[term] ?? term
    return { start: start + index, end: start + index + term.length, replacement }
  })
}
