import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findRecordFaults, findWrongNames } from './decision-records.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adapt-records-'))
  mkdirSync(join(root, 'docs/decisions'), { recursive: true })
  write('README', '# Decisions\n\n- [Caching](caching.md)\n')
  write('caching', '# Caching\n\n**Status:** accepted.\n')
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(name: string, text: string): void {
  writeFileSync(join(root, `docs/decisions/${name}.md`), text)
}

describe('findRecordFaults', () => {
  it('accepts records with a status that the index lists', () => {
    expect(findRecordFaults(root)).toEqual([])
  })

  it('refuses a record that the index does not list, one without a status, and one of more than a page', () => {
    write('new', '# New\n\n**Status:** accepted.\n')
    write('caching', `# Caching\n${' word'.repeat(599)}`)
    expect(findRecordFaults(root)).toEqual([
      'docs/decisions/caching.md: has no status',
      'docs/decisions/caching.md: has 601 words, of at most 600',
      'docs/decisions/new.md: is not in docs/decisions/README.md',
    ])
  })
})

describe('findWrongNames', () => {
  it('accepts the path of a record in a comment', () => {
    expect(findWrongNames(root, 'a.ts', '// docs/decisions/caching.md says why.')).toEqual([])
  })

  it('refuses a path without a record, and a number', () => {
    expect(findWrongNames(root, 'a.ts', '// docs/decisions/gone.md (Decisions 3 and 4)')).toEqual([
      'a.ts: docs/decisions/gone.md does not exist',
      'a.ts: "Decisions 3" is no name of a decision record',
    ])
  })
})
