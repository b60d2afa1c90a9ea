import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Rooms and files whose exports say what they are for. */
const DOCUMENTED = ['contract', 'worker/domain', 'worker/ports', 'worker/errors.ts']

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

function listSources(root: string, place: string): string[] {
  if (place.endsWith('.ts')) return [place]
  return readdirSync(join(root, place), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)testing\//.test(name))
    .map((name) => `${place}/${name}`)
    .toSorted()
}

/** Exports that say nothing of themselves, as `file:line: name`. */
export function findUndocumented(root: string): string[] {
  return DOCUMENTED.flatMap((place) => listSources(root, place)).flatMap((file) =>
    findBareExports(readFileSync(join(root, file), 'utf8')).map((bare) => `${file}:${bare}`),
  )
}

if (import.meta.main) {
  const bare = findUndocumented(process.cwd())
  if (bare.length > 0) {
    console.error(`No comment says what these are for:\n${bare.join('\n')}`)
    process.exitCode = 1
  }
}
