import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBrokenPaths, findUnstyled } from './doc-paths.ts'

const PROJECT = resolve(import.meta.dirname, '..')
let copy: string

/** What the checks look at, in a folder of its own, so that faults can be planted. */
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'adapt-planted-'))
  for (const file of ['package.json', '.oxlintrc.json', 'wrangler.toml', 'biome.json', 'contract']) {
    cpSync(join(PROJECT, file), join(copy, file), { recursive: true })
  }
  plant('worker/env.d.ts', readFileSync(join(PROJECT, 'worker/env.d.ts'), 'utf8'))
  plant('worker/index.ts', readFileSync(join(PROJECT, 'worker/index.ts'), 'utf8'))
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'))
})

afterEach(() => rmSync(copy, { recursive: true }))

function plant(file: string, text: string): void {
  mkdirSync(join(copy, dirname(file)), { recursive: true })
  writeFileSync(join(copy, file), text)
}

/** Runs the very command that `npm run check` runs. */
function run(script: 'check:lint' | 'check:generated', ...options: string[]): { ok: boolean; output: string } {
  const { status, stdout } = spawnSync('npm', ['run', '--silent', script, '--', ...options], {
    cwd: copy,
    encoding: 'utf8',
  })
  return { ok: status === 0, output: stdout }
}

const numbered = (count: number, line: (number: number) => string) => Array.from({ length: count }, (_, at) => line(at))

/** What is refused: the rule, the file and what stands in it. */
const PLANTS: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['no-restricted-properties', 'worker/domain/step/database.ts', 'export const planted = (env: Env) => env.DB'],
  ['no-restricted-properties', 'worker/domain/step/clock.ts', 'export const planted = () => Date.now()'],
  ['no-restricted-properties', 'web/mocked.test.ts', "import { vi } from 'vitest'\n\nvi.mock('#contract/step.ts')"],
  ['no-restricted-properties', 'worker/domain/mocked.test.ts', "import { vi } from 'vitest'\n\nvi.doMock('hono')"],
  ['no-console', 'worker/domain/step/log.ts', 'export function plant(text: string): void {\n  console.warn(text)\n}'],
  ['max-lines', 'contract/long-file.ts', numbered(301, (at) => `export const line${at} = ${at}`).join('\n')],
  [
    'max-lines-per-function',
    'contract/long-function.ts',
    `export function long(values: Set<number>): void {\n${numbered(61, (at) => `  values.add(${at})`).join('\n')}\n}`,
  ],
]

interface Linted {
  diagnostics: { filename: string; code: string; message: string }[]
}

/** The rules that each file breaks, in words that sort. */
function readBroken(output: string): string[] {
  const { diagnostics } = JSON.parse(output) as Linted
  return diagnostics.map(({ filename, code }) => `${filename}: ${/\(([\w-]+)\)$/.exec(code)?.[1]}`).toSorted()
}

describe('npm run check', () => {
  it('refuses what the Context gives, mocks, logs, and what is too long', () => {
    for (const [, file, text] of PLANTS) plant(file, `${text}\n`)
    const { ok, output } = run('check:lint', '--format=json')
    const planted = new Set(PLANTS.map(([, file]) => file))
    expect(readBroken(output).filter((line) => planted.has(line.split(':')[0] ?? ''))).toEqual(
      PLANTS.map(([rule, file]) => `${file}: ${rule}`).toSorted(),
    )
    expect(ok).toBe(false)
  })

  it('refuses generated types that are older than wrangler.toml', () => {
    expect(run('check:generated').ok).toBe(true)
    const toml = readFileSync(join(copy, 'wrangler.toml'), 'utf8')
    plant('wrangler.toml', toml.replace('[vars]', '[vars]\nPLANTED = "1"'))
    expect(run('check:generated').ok).toBe(false)
  })

  it('refuses a document that names a path, a heading or a command which does not exist', () => {
    const lines = [
      '# What’s planted, and where',
      'See `worker/no-such-file.ts`, [this](../contract/step.ts), [that](missing.md) and',
      '[here](#whats-planted-and-where), [there](planted.md#elsewhere).',
      '<img src="no.webp">',
      '`npm run check` and `npm run no:such`, or `npm run bench:…`.',
    ]
    plant('docs/planted.md', lines.join('\n'))
    expect(findBrokenPaths(copy, ['docs/planted.md'])).toEqual([
      'docs/planted.md: docs/missing.md',
      'docs/planted.md: docs/no.webp',
      'docs/planted.md: worker/no-such-file.ts',
      'docs/planted.md: docs/planted.md#elsewhere',
      'docs/planted.md: npm run no:such',
    ])
  })

  it('refuses a file whose classes the style sheet of its page does not take over', () => {
    const draw = (more: string) => `${more}\nexport const Part = () => <p className="p-4" />\n`
    plant('web/page.tsx', "import {\n  Part,\n} from '#web/named/part.tsx'\nconst late = import('./late.tsx')\n")
    plant('web/named/part.tsx', draw("import { Part as Other } from '../other.tsx'"))
    plant('web/other.tsx', draw("import type { Type } from './type.tsx'"))
    for (const file of ['web/late.tsx', 'web/type.tsx']) plant(file, draw(''))
    plant('web/styles/page.css', "@source '../named';\n@source '../late.tsx';\n")
    expect(findUnstyled(copy, 'web/styles/page.css', 'web/page.tsx')).toEqual(['web/styles/page.css: web/other.tsx'])
  })
})
