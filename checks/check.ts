import { spawnSync } from 'node:child_process'
import { globSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Tests, what they use, and types that are generated. */
const NOT_SHIPPED = /\.d\.ts$|\.test\.tsx?$|(?:^|\/)testing\//

export function listShipped(root: string, pattern: string): string[] {
  return globSync(pattern, { cwd: root })
    .filter((name) => !NOT_SHIPPED.test(name))
    .toSorted()
}

/** The names of all files put together are far shorter. */
const LIST_BYTES = 64_000_000

/** Files that are committed, or would be by `git add --all`. @returns null outside a working copy */
export function listFiles(root: string): string[] | null {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: LIST_BYTES })
  return status === 0 ? stdout.split('\0').filter((name) => name !== '') : null
}

/** Larger files are media; none may be committed at more than a megabyte anyway. */
const FILE_BYTES = 2_000_000

/** @returns null for what is no text: media, folders, and files that were removed but are still listed */
export function readText(root: string, file: string): string | null {
  const path = join(root, file)
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined || !facts.isFile() || facts.size > FILE_BYTES) return null
  const text = readFileSync(path, 'utf8')
  return text.includes('\0') ? null : text
}

/** Counts the line of a place in a text from 1. */
export function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** Prints what a check refuses, one line each, and lets its process fail. @param advice follows every line */
export function refuse(faults: readonly string[], advice = ''): void {
  for (const fault of faults) console.error(`${fault}${advice}`)
  if (faults.length > 0) process.exitCode = 1
}
