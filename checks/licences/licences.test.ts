import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { isAllowed, readPackage, writeList, writeNotices } from './licences.ts'

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND OFL-1.1', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['MIT OR (Apache-2.0 AND GPL-3.0-only)', false],
  ['SEE LICENSE IN LICENSE.md', false],
  ['UNLICENSED', false],
  ['constructor', false],
  ['', false],
])('something under "%s" may ship: %s', { tags: 'threat-22' }, (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected)
})

describe('readPackage', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'adapt-package-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))

  function plant(manifest: object, files: Record<string, string> = {}) {
    const all = { 'package.json': JSON.stringify({ name: 'planted', version: '1.0.0', ...manifest }), ...files }
    for (const [name, text] of Object.entries(all)) writeFileSync(join(dir, name), text)
    return readPackage(dir, ['worker', 'pages'])
  }

  it('keeps licence and notice, but not what a bundler is made of', () => {
    const files = {
      'LICENSE.md': 'Ours\r\n\n## Licenses of bundled dependencies\n\nTheirs',
      NOTICE: 'And thanks',
      'license-checker.js': 'no',
    }
    expect(plant({ license: 'MIT' }, files)).toMatchObject({
      licence: 'MIT',
      notice: 'Ours\n\nAnd thanks',
      bundles: ['pages', 'worker'],
    })
  })

  it('names author and licence where there is no text', () => {
    const { notice } = plant({ license: 'ISC', author: 'Ann Author <ann@example.com>' })
    expect(notice).toContain('Copyright (c) Ann Author.')
    expect(notice).toContain('https://spdx.org/licenses/ISC.html')
  })

  it('says no licence where the package says none', () => {
    expect(plant({}).licence).toBe('')
    expect(plant({ licenses: [{ type: 'MIT' }] }).licence).toBe('')
  })

  it.each([
    'git+https://github.com/owner/name.git',
    'git://github.com/owner/name.git',
    'git@github.com:owner/name.git',
    'github:owner/name',
    'owner/name',
  ])('finds the source at %s', (url) => {
    expect(plant({ repository: { url } }).source).toBe('https://github.com/owner/name')
    expect(plant({ repository: url }).source).toBe('https://github.com/owner/name')
  })

  it('leads to the registry where the source is not named', () => {
    expect(plant({}).source).toBe('https://www.npmjs.com/package/planted')
  })
})

test('packages that share a notice are listed above it, and those of one licence in a row', () => {
  const base = { version: '1.0.0', licence: 'MIT', source: 'https://github.com/o/n', bundles: ['pages' as const] }
  const packages = ['a', 'b', 'c'].map((name) => ({ ...base, name, notice: name === 'c' ? 'Other' : 'Same' }))
  const notices = writeNotices(packages)
  expect(notices.match(/^Same$/gm)).toHaveLength(1)
  expect(notices).toMatch(/^a 1\.0\.0 .*\nb 1\.0\.0 /m)
  expect(writeList(packages)).toMatch(/^## MIT: pages\n\na@1\.0\.0, b@1\.0\.0, c@1\.0\.0$/m)
})
