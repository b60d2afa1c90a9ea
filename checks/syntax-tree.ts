import { parseAst } from 'vite'

/** A node of the syntax tree, as ESTree has it. */
export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

/** @throws {Error} with the file's name when it is no TypeScript */
export function parseSource(file: string, text: string): Node {
  try {
    return parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  } catch (error) {
    throw new Error(`${file} does not parse`, { cause: error })
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}

/**
 * Visits a tree from its root.
 * @param enter where it returns false, what is below is left out
 * @param exit called after what is below was visited
 */
export function walkTree(
  root: unknown,
  enter: (node: Node, parent: Node | null) => boolean,
  exit?: (node: Node) => void,
): void {
  function visit(value: unknown, parent: Node | null): void {
    if (Array.isArray(value)) for (const each of value) visit(each, parent)
    else if (isNode(value) && enter(value, parent)) {
      for (const each of Object.values(value)) visit(each, value)
      exit?.(value)
    }
  }
  visit(root, null)
}
