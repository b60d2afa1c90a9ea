import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findPatterns, judgePattern } from './patterns.ts'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'adapt-patterns-'))
  for (const room of ['contract', 'media', 'worker', 'web']) mkdirSync(join(root, room))
})
afterEach(() => rmSync(root, { recursive: true }))

function judge(text: string) {
  writeFileSync(join(root, 'worker/planted.ts'), text)
  return findPatterns(root).map((pattern) => judgePattern(pattern))
}

it.each([
  ['a comment of HTML', String.raw`export const planted = /<!--[\s\S]*?-->/g`, /2nd degree/],
  ['blanks at an end', String.raw`export const planted = /\s+$/`, /2nd degree/],
  ['a name that may be two', String.raw`export const planted = /^(?:\w*Error:?\s*)*x/`, /exponential/],
  ['pieces with names', 'const A = "a+"\nexport const planted = new RegExp(`^(?:${A})+$`, "i")', /exponential/],
  ['raw pieces', 'const A = String.raw`\\s*`\nexport const planted = RegExp(String.raw`${A}$`)', /2nd degree/],
  ['the source of another', 'const A = /a+/; export const planted = new RegExp(A.source + "b")', /2nd degree/],
  [
    'a piece of words of people',
    'const a = process.argv[2]\nexport const planted = new RegExp(`x${a}`)',
    /put together/,
  ],
  ['words of people', 'export const planted = (words: string) => new RegExp(words)', /put together while/],
])('refuses a pattern that a text can hold up: %s', { tags: 'attack-26' }, (_what, text, fault) => {
  expect(judge(text).filter((each) => each !== null)).toEqual([expect.stringMatching(fault)])
})

it('takes patterns that need time by the length of a text', () => {
  const text = String.raw`
    export const planted = [/^\s+/, /<[^<>]*>/g, /\d[a-z]+\d/i, new RegExp('^a{1,3}$', 'u')]
  `
  expect(judge(text)).toEqual([null, null, null, null])
})
