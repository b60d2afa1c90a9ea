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
function run(script: 'check:lint' | 'check:generated'): { ok: boolean; output: string } {
  const result = spawnSync('npm', ['run', '--silent', script], { cwd: copy, encoding: 'utf8' })
  return { ok: result.status === 0, output: `${result.stdout}${result.stderr}` }
}

describe('npm run check', () => {
  it.each(['(env: Env) => env.DB', '() => Date.now()'])('refuses %s beside the Context', (text) => {
    plant('worker/domain/step/planted.ts', `export const planted = ${text}\n`)
    const { ok, output } = run('check:lint')
    expect(output).toContain('no-restricted-properties')
    expect(ok).toBe(false)
  })

  it('refuses a worker that writes to the log by itself', () => {
    plant('worker/domain/step/planted.ts', 'export function plant(said: string): void {\n  console.warn(said)\n}\n')
    const { ok, output } = run('check:lint')
    expect(output).toContain('no-console')
    expect(ok).toBe(false)
  })

  it('refuses a file of more than 300 lines of code and a function of more than 60', () => {
    const lines = Array.from({ length: 301 }, (_, line) => `export const line${line} = ${line}`)
    plant('worker/domain/step/long-file.ts', `${lines.join('\n')}\n`)
    const body = Array.from({ length: 61 }, (_, line) => `  console.log(${line})`)
    plant('worker/domain/step/long-function.ts', `export function long(): void {\n${body.join('\n')}\n}\n`)
    const { ok, output } = run('check:lint')
    expect(output).toMatch(/eslint\(max-lines\)/)
    expect(output).toMatch(/eslint\(max-lines-per-function\)/)
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
