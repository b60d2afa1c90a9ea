import { readFileSync } from 'node:fs'
import { readImports } from '../boundaries/read-imports.ts'
import { listFiles } from '../check.ts'

/** For each file, the files and packages that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>

/** What a test that calls the worker itself runs, without importing it. */
const WORKER = 'local/worker.ts'

/** Reads the imports of a working copy, without those of types. */
export function readGraph(): ImportGraph {
  const files = (listFiles('.') ?? []).filter((file) => /(?<!\.d)\.tsx?$/.test(file))
  return new Map(files.map((file) => [file, listRun(file, readFileSync(file, 'utf8'))]))
}

/** Lists what a file runs of others. */
export function listRun(file: string, text: string): string[] {
  const imports = readImports(file, text).filter(({ isTypeOnly }) => !isTypeOnly)
  const callsWorker = imports.some(({ to, names }) => to === 'cloudflare:workers' && names.includes('exports'))
  return [...imports.map(({ to }) => to), ...(callsWorker ? [WORKER] : [])]
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
