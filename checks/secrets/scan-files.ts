import { spawnSync } from 'node:child_process'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findSecrets } from './find-secrets.ts'

/** The names of all files put together are far shorter. */
const LIST_BYTES = 64_000_000

/** Larger files are media; none may be committed at more than a megabyte anyway. */
const FILE_BYTES = 2_000_000

/** Files that are committed, or would be by `git add --all`. @returns null outside a working copy */
export function listFiles(root: string): string[] | null {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: LIST_BYTES })
  return status === 0 ? stdout.split('\0').filter((name) => name !== '') : null
}

/** What looks like a secret, as `file:line: kind`. */
export function findSecretsIn(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readText(join(root, file))
    return text === null ? [] : findSecrets(text).map(({ line, kind }) => `${file}:${line}: looks like a ${kind}`)
  })
}

/** @returns null for what is no text: media, folders, and files that were removed but are still listed */
function readText(path: string): string | null {
  const facts = lstatSync(path, { throwIfNoEntry: false })
  if (facts === undefined || !facts.isFile() || facts.size > FILE_BYTES) return null
  const text = readFileSync(path, 'utf8')
  return text.includes('\0') ? null : text
}
