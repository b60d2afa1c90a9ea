// Part of `npm run check:texts`: a value of a message that is a literal stays English in every language.

import { isNode, type Node, parseSource, walkTree } from './syntax-tree.ts'

/** A literal that a message is given, perhaps through a function, a table or a type of the pages. */
export interface GivenLiteral {
  file: string
  line: number
  text: string
}

/** A file with what it declares, by name. */
interface ParsedFile {
  file: string
  source: string
  program: Node
  variables: Map<string, Node>
  /** What a function returns. */
  returns: Map<string, Node[]>
  /** Types of properties and parameters. */
  types: Map<string, Node[]>
}

/** So many names may stand between a literal and its message. */
const DEPTH_MAX = 4
const WORD = /\p{L}{2}/u

/** Finds the literals with words that messages are given in files of the pages. */
export function findGivenLiterals(sources: ReadonlyMap<string, string>): GivenLiteral[] {
  const files = [...sources].map(([file, source]) => parseFile(file, source))
  const found = new Map<string, GivenLiteral>()
  for (const parsed of files)
    for (const value of listValues(parsed))
      for (const literal of resolve(value, parsed, files, DEPTH_MAX))
        found.set(`${literal.file} ${literal.line} ${literal.text}`, literal)
  return [...found.values()]
}

function parseFile(file: string, source: string): ParsedFile {
  const program = parseSource(file, source)
  const parsed: ParsedFile = { file, source, program, variables: new Map(), returns: new Map(), types: new Map() }
  walkTree(program, (node) => {
    const id = nameOf(node['id'] ?? node['key'] ?? node)
    const type = node.type === 'TSPropertySignature' || node.type === 'Identifier' ? typeOf(node) : null
    if (id !== null && type !== null) parsed.types.set(id, [...(parsed.types.get(id) ?? []), type])
    if (id !== null && node.type === 'VariableDeclarator' && isNode(node['init'])) {
      parsed.variables.set(id, node['init'])
      if (node['init'].type === 'ArrowFunctionExpression') parsed.returns.set(id, listReturns(node['init']))
    }
    if (id !== null && node.type === 'FunctionDeclaration') parsed.returns.set(id, listReturns(node))
    return true
  })
  return parsed
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : null
}

function typeOf(node: Node): Node | null {
  const annotation = node['typeAnnotation']
  return isNode(annotation) && isNode(annotation['typeAnnotation']) ? annotation['typeAnnotation'] : null
}

function listReturns(node: Node): Node[] {
  const body = node['body'] as Node
  if (body.type !== 'BlockStatement') return [body]
  const returns: Node[] = []
  walkTree(body, (inner) => {
    if (inner.type === 'ReturnStatement' && isNode(inner['argument'])) returns.push(inner['argument'])
    return !/^(?:Function|Arrow)/.test(inner.type)
  })
  return returns
}

/** What messages are given in a file: the values of `m.name({ … })`, and of a message that is chosen in another way. */
function listValues(parsed: ParsedFile): Node[] {
  const values: Node[] = []
  walkTree(parsed.program, (node) => {
    if (node.type !== 'CallExpression' || !isMessage(node['callee'], parsed)) return true
    const [given] = node['arguments'] as Node[]
    if (given?.type === 'ObjectExpression')
      for (const property of given['properties'] as Node[])
        if (isNode(property['value'])) values.push(property['value'])
    return true
  })
  return values
}

function isMessage(node: unknown, parsed: ParsedFile, depth = DEPTH_MAX): boolean {
  if (!isNode(node) || depth < 0) return false
  const some = (...nodes: unknown[]) => nodes.some((each) => isMessage(each, parsed, depth - 1))
  if (node.type === 'MemberExpression') return nameOf(node['object']) === 'm' || some(node['object'])
  if (node.type === 'Identifier') return some(parsed.variables.get(String(node['name'])))
  if (node.type === 'ConditionalExpression') return some(node['consequent'], node['alternate'])
  if (node.type === 'ObjectExpression') return some(...(node['properties'] as Node[]).map((each) => each['value']))
  return isNode(node['expression']) && some(node['expression'])
}

/** The literals that an expression may be. */
function resolve(node: unknown, parsed: ParsedFile, files: readonly ParsedFile[], depth: number): GivenLiteral[] {
  if (!isNode(node) || depth < 0) return []
  const each = (...nodes: unknown[]) => nodes.flatMap((inner) => resolve(inner, parsed, files, depth))
  switch (node.type) {
    case 'Literal':
      return literalAt(node, String(node['value']), parsed)
    case 'TemplateLiteral': {
      const text = (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('{}')
      return [...literalAt(node, text, parsed), ...each(...(node['expressions'] as Node[]))]
    }
    case 'ConditionalExpression':
      return each(node['consequent'], node['alternate'])
    case 'LogicalExpression':
      return each(node['operator'] === '&&' ? null : node['left'], node['right'])
    case 'BinaryExpression':
      return node['operator'] === '+' ? each(node['left'], node['right']) : []
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
      return each(node['expression'])
    case 'ObjectExpression':
      return each(...(node['properties'] as Node[]).map((property) => property['value']))
    case 'TSUnionType':
      return each(...(node['types'] as Node[]))
    case 'TSLiteralType':
      return each(node['literal'])
    case 'MemberExpression':
      return node['computed'] === true ? each(node['object']) : []
    case 'Identifier':
      return resolveName(String(node['name']), parsed, files, depth - 1)
    case 'CallExpression':
      return resolveCall(nameOf(node['callee']), parsed, files, depth - 1)
    default:
      return []
  }
}

/** What a variable or property of a file may be. */
function resolveName(name: string, parsed: ParsedFile, files: readonly ParsedFile[], depth: number): GivenLiteral[] {
  const nodes = [parsed.variables.get(name), ...(parsed.types.get(name) ?? [])]
  return nodes.flatMap((node) => resolve(node, parsed, files, depth))
}

/** What a function of the pages returns: of this file, or else of any. */
function resolveCall(
  name: string | null,
  parsed: ParsedFile,
  files: readonly ParsedFile[],
  depth: number,
): GivenLiteral[] {
  if (name === null) return []
  const owners = parsed.returns.has(name) ? [parsed] : files.filter(({ returns }) => returns.has(name))
  return owners.flatMap((owner) =>
    (owner.returns.get(name) ?? []).flatMap((value) => resolve(value, owner, files, depth)),
  )
}

function literalAt(node: Node, text: string, { file, source }: ParsedFile): GivenLiteral[] {
  if (typeof node['value'] !== 'string' && node.type === 'Literal') return []
  if (!WORD.test(text)) return []
  return [{ file, line: source.slice(0, node.start).split('\n').length, text }]
}
