// oxlint has no rule that asks for a comment, and eslint-plugin-jsdoc would bring a second linter.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listShipped, refuse } from './check.ts'

/** Folders whose exports say what they are for. */
const DOCUMENTED = ['contract', 'worker/core', 'worker/tasks', 'worker/domain', 'worker/ports']

/** What is passed on from another file (`export { … }`, `export * from`) is explained there. */
const EXPORT = /^export (?:declare |abstract |async )*(const|let|function\*?|class|interface|type|enum) (\w+)/

/** Exports of a file's text without a comment right above them, as `line: name`. */
export function findBareExports(text: string): string[] {
  const lines = text.split('\n')
  const schemas = new Set<string>()
  return lines.flatMap((line, at) => {
    const [, kind = '', name = ''] = EXPORT.exec(line) ?? []
    if (kind === 'const') schemas.add(name)
    // A zod schema and its type share one name and one explanation.
    if (name === '' || (kind === 'type' && schemas.has(name))) return []
    return lines[at - 1]?.trimEnd().endsWith('*/') ? [] : [`${at + 1}: ${name}`]
  })
}

/** Exports that say nothing of themselves, as `file:line: name`, and folders without a file, which were moved. */
export function findUndocumented(root: string): string[] {
  return DOCUMENTED.flatMap((folder) => {
    const files = listShipped(root, `${folder}/**/*.ts`)
    if (files.length === 0) return [`${folder}: has no file`]
    return files.flatMap((file) =>
      findBareExports(readFileSync(join(root, file), 'utf8')).map(
        (bare) => `${file}:${bare} has no comment that says what it is for`,
      ),
    )
  })
}

if (import.meta.main) refuse(findUndocumented('.'))
