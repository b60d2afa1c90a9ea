import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { findTagged } from './find-tagged.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adapt-tagged-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
})

function write(file: string, text: string): void {
  mkdirSync(join(root, dirname(file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

it('finds each tag of tests and groups, in any form, with the titles of the groups around them', () => {
  write(
    'worker/a.test.ts',
    `describe('a lost run', { tags: 'fault-1' }, () => {
      it("isn't lost", { timeout: 9, tags: ['fault-2', 'spec-9.9'] }, () => {})
      it.each([1])('reads %s', { tags: 'fault-3' }, () => call('no test', { tags: 'fault-8' }))
      it('has no tag', () => {})
    })
    it.skipIf(isSlow)(\`waits \${ms} ms\`, { tags: 'fault-4' }, () => {})`,
  )
  write('e2e/b.spec.ts', `test.describe('a page', { tag: ['@spec-1.1'] }, () => test('opens', { tag: '@fault-5' }, f))`)
  write('node_modules/c/c.test.ts', `it('is not ours', { tags: 'fault-1' }, () => {})`)
  expect(findTagged(root)).toEqual([
    { tag: 'spec-1.1', file: 'e2e/b.spec.ts', title: 'a page' },
    { tag: 'fault-5', file: 'e2e/b.spec.ts', title: 'a page › opens' },
    { tag: 'fault-1', file: 'worker/a.test.ts', title: 'a lost run' },
    { tag: 'fault-2', file: 'worker/a.test.ts', title: "a lost run › isn't lost" },
    { tag: 'spec-9.9', file: 'worker/a.test.ts', title: "a lost run › isn't lost" },
    { tag: 'fault-3', file: 'worker/a.test.ts', title: 'a lost run › reads %s' },
    { tag: 'fault-4', file: 'worker/a.test.ts', title: 'waits … ms' },
  ])
})

it('refuses a file that does not parse', () => {
  write('worker/a.test.ts', "it('is broken', { tags: 'fault-1' }, () => {")
  expect(() => findTagged(root)).toThrow('worker/a.test.ts does not parse')
})
