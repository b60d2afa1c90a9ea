import { parseAst } from 'vite'

/** A node of the syntax tree, as ESTree has it. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export function parseSource(file: string, text: string): Node {
  return parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/** Visits a tree from its root; a visit that returns false leaves out what is below. */
export function walkTree(value: unknown, visit: (node: Node) => boolean): void {
  if (Array.isArray(value)) for (const each of value) walkTree(each, visit)
  else if (isNode(value) && visit(value)) for (const each of Object.values(value)) walkTree(each, visit)
}
