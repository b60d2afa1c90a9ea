// `npm run check:boundaries`: which folder may import which, and that neither files nor folders import each other in a
// circle. The linter's own rules see no imports of types, and hold one list of patterns for each folder.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path/posix'
import { listShipped, refuse } from '../check.ts'
import { findCycles } from './find-cycles.ts'
import { type Import, readImports } from './read-imports.ts'
import { PLACES, type Place, WRAPPED } from './table.ts'

/** The imports of each file. */
export type Imports = ReadonlyMap<string, readonly Import[]>

/** A place that holds a file, with `*` replaced by the name of the folder. */
interface Held {
  place: Place
  folder: string
}

/** Finds the place that holds a file; null where none does. */
function placeOf(file: string): Held | null {
  let best: Held | null = null
  for (const place of PLACES) {
    const found = new RegExp(`^${place.path.replace('*', '[^/]+')}(?=/|$)`).exec(file)?.[0]
    if (found === undefined || (place.path.endsWith('*') && found === file)) continue
    if (best === null || found.length > best.folder.length) best = { place, folder: found }
  }
  return best
}

/** What is wrong with the imports of all files, a line each. */
export function findFaults(files: Imports): string[] {
  // Of files without a place, such as those of a bench, only circles are refused.
  const product = new Map(Array.from(files).filter(([file]) => placeOf(file) !== null))
  return [
    ...Array.from(product, ([file, imports]) => findCrossings(file, imports)).flat(),
    ...listUnusedPlaces(product),
    ...findCycles(edgesOf(files, (file) => file)).map((cycle) => `files in a circle: ${cycle.join(', ')}`),
    ...findCycles(edgesOf(product, dirname)).map((cycle) => `folders in a circle: ${cycle.join(', ')}`),
  ]
}

function findCrossings(file: string, imports: readonly Import[]): string[] {
  const from = placeOf(file)
  if (from === null) return []
  const crossings = imports.filter((each) => !isAllowed(from, each) || isWrapped(file, each))
  return crossings.map(({ to }) => `${file} imports ${to}, which ${from.place.path} may not`)
}

function isAllowed({ place, folder }: Held, { to, isPackage }: Import): boolean {
  if (isPackage) return place.packages?.includes(to) ?? true
  const target = placeOf(to)
  return target?.folder === folder || place.may.includes(target?.place.path ?? '')
}

function isWrapped(file: string, { to, isTypeOnly, names }: Import): boolean {
  const { files, inside, by } = WRAPPED
  if (isTypeOnly || !file.startsWith(inside) || placeOf(file)?.folder === by) return false
  return files.some((each) => each === to) && WRAPPED.names.some((name) => names.includes(name))
}

/** Lines of the table that hold no file any more. */
function listUnusedPlaces(files: Imports): string[] {
  const used = new Set(Array.from(files.keys(), (file) => placeOf(file)?.place))
  return PLACES.filter((place) => !used.has(place)).map(
    ({ path }) => `${path} of checks/boundaries/table.ts is no more`,
  )
}

/** Which files, or which of what they stand in, import which. */
function edgesOf(files: Imports, groupOf: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const [file, imports] of files) {
    const from = groupOf(file)
    const targets = edges.get(from) ?? new Set()
    edges.set(from, targets)
    for (const { to } of imports) if (files.has(to) && groupOf(to) !== from) targets.add(groupOf(to))
  }
  return edges
}

if (import.meta.main) {
  const files = listShipped(
    '.',
    '{contract,media,records,screen,worker,web,local,cloud,bench,checks,e2e}/**/*.{ts,tsx}',
  )
  const imports = new Map(files.map((file) => [file, readImports(file, readFileSync(file, 'utf8'))] as const))
  refuse(findFaults(imports))
}
