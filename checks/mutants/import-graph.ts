import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listFiles } from '../check.ts'
import { isNode, type Node, parseSource, walkTree } from '../syntax-tree.ts'

/** For each file, those that it imports; names of packages stand as they are. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** What a test that calls the worker itself runs, without importing it. */
const WORKER = 'local/worker.ts'
const CALLS_WORKER = /import \{[^}]*\bexports\b[^}]*\} from 'cloudflare:workers'/

/** Reads the imports of a working copy, without those of types. */
export function readImports(root: string): ImportGraph {
  const files = (listFiles(root) ?? []).filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))]))
}

export function importsOf(file: string, text: string): string[] {
  const found = CALLS_WORKER.test(text) ? [WORKER] : []
  walkTree(parseSource(file, text), (node) => {
    const { source } = node
    if (isNode(source) && typeof source['value'] === 'string' && !isOfTypes(node)) found.push(source['value'])
    return true
  })
  return found.map((specifier) => resolveFile(file, specifier))
}

/** Whether a statement imports types alone. */
function isOfTypes({ importKind, exportKind, specifiers }: Node): boolean {
  if (importKind === 'type' || exportKind === 'type') return true
  const names = Array.isArray(specifiers) ? (specifiers as Node[]) : []
  return names.length > 0 && names.every((name) => name['importKind'] === 'type' || name['exportKind'] === 'type')
}

function resolveFile(file: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1)
  return specifier.startsWith('.') ? join(dirname(file), specifier) : specifier
}

/** Finds the files that reach a file, with the number of imports between them. */
export function findImporters(graph: ImportGraph, file: string): Map<string, number> {
  const distances = new Map([[file, 0]])
  for (let reached = [file], distance = 1; reached.length > 0; distance++) {
    const next = [...graph].flatMap(([importer, imports]) =>
      !distances.has(importer) && imports.some((each) => reached.includes(each)) ? [importer] : [],
    )
    for (const importer of next) distances.set(importer, distance)
    reached = next
  }
  return distances
}

/** Finds everything that a file imports, also through others. */
export function findImported(graph: ImportGraph, file: string): Set<string> {
  const found = new Set([file])
  for (const each of found) for (const imported of graph.get(each) ?? []) found.add(imported)
  return found
}
