import { dirname, join } from 'node:path/posix'
import { type Node, parseSource, walkTree } from '../syntax-tree.ts'

/** One import of a file, also one of types, one on demand, and what it exports from another. */
export interface Import {
  /** The file, from the root of the project; or the name of a package, with `node` for all of Node's own. */
  to: string
  isPackage: boolean
  /** Whether only types are taken. */
  isTypeOnly: boolean
  /** The names that are taken; empty where it is all. */
  names: readonly string[]
}

interface Specifier {
  imported?: { name?: string }
  importKind?: 'type' | 'value'
}

interface ImportNode extends Node {
  source?: { value?: unknown } | null
  importKind?: 'type' | 'value'
  exportKind?: 'type' | 'value'
  specifiers?: Specifier[]
}

/** Reads the imports of a file, in no order. What is no code, such as a style sheet or the address of a file, is left out. */
export function readImports(file: string, text: string): Import[] {
  const found: Import[] = []
  walkTree(parseSource(file, text), (node: ImportNode) => {
    const name = node.source?.value
    if (typeof name !== 'string' || /\.(css|json)$|\?/.test(name)) return true
    const specifiers = node.specifiers ?? []
    const isTypeOnly =
      [node.importKind, node.exportKind].includes('type') ||
      (specifiers.length > 0 && specifiers.every((specifier) => specifier.importKind === 'type'))
    const names = specifiers.flatMap(({ imported }) => (imported?.name === undefined ? [] : [imported.name]))
    found.push({ ...resolve(file, name), isTypeOnly, names })
    return true
  })
  return found
}

/** `#worker/core/errors.ts` is a file, as `imports` of package.json says; the compiled texts stand in for a package. */
function resolve(file: string, name: string): Pick<Import, 'to' | 'isPackage'> {
  if (name.startsWith('.')) return { to: join(dirname(file), name), isPackage: false }
  if (/^#(messages|clerk-texts)/.test(name)) return { to: name.split('/')[0] ?? name, isPackage: true }
  if (name.startsWith('#')) return { to: name.slice(1), isPackage: false }
  if (name.startsWith('node:')) return { to: 'node', isPackage: true }
  const [scope = '', rest = ''] = name.split('/')
  return { to: name.startsWith('@') ? `${scope}/${rest}` : scope, isPackage: true }
}
