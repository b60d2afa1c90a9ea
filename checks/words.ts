// `npm run check:words`: refuses the words of the last column of docs/glossary.md in code and documents.
import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { listFiles, readText, refuse } from './check.ts'

/** Files in which refused words may stand. */
export interface Allowance {
  /** A glob. */
  files: string
  /** Any where there are none. */
  words: readonly string[]
  /** Lists of English words, and records that quote; their uses are counted apart. */
  isList: boolean
}

const ALLOWANCE = /^\| `([^`]+)` \|(.*)\| (list|use) \|.*\|$/gm

/** The second table of the glossary, which says why for each. */
export function readAllowances(glossary: string): Allowance[] {
  return [...glossary.matchAll(ALLOWANCE)].map(([, files = '', words = '', kind]) => ({
    files,
    words: [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
    isList: kind === 'list',
  }))
}

const CHECKED = /\.(?:tsx?|mjs|md)$/
const GENERATED = /\.d\.ts$|^docs\/licences\.md$/

/** The refused words of the glossary: those in the last column of its table that stand as code. */
export function readRefusedWords(glossary: string): string[] {
  const rows = [...glossary.matchAll(/^\|.*\|(.*)\|$/gm)].map(([, last = '']) => last)
  return rows.flatMap((last) => [...last.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)).toSorted()
}

/** Forms of a word: with an ending, with a capital, as a part of a camelCase name, and in a constant. */
function patternOf(word: string): RegExp {
  const endings = '(?:s|es|ed|ing|er|ers|able)?'
  const parts = word.split(' ')
  const capitals = parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`).join('')
  const small = `(?<![a-z])${word}${endings}(?![a-z])`
  const sentence = `${word.charAt(0).toUpperCase()}${word.slice(1)}${endings}(?![a-z])`
  const camel = `(?:(?<![A-Za-z])${parts[0]}${capitals.slice(parts[0]?.length)}|${capitals})${endings}(?![a-z])`
  const constant = `(?<![A-Z])${parts.join('_').toUpperCase()}S?(?![A-Z])`
  return new RegExp([small, sentence, camel, constant].join('|'), 'g')
}

/** Refused words in a text, with their lines. */
export function findRefusedWords(text: string, refused: readonly string[]): { line: number; word: string }[] {
  const patterns = refused.map(patternOf)
  return text.split('\n').flatMap((line, index) => {
    const found = patterns.flatMap((pattern) => [...line.matchAll(pattern)].map(([word]) => word))
    return [...new Set(found)].map((word) => ({ line: index + 1, word }))
  })
}

/** What the check found in all files: uses that are refused, as `file:line: word`, and the number of those that are allowed. */
export interface Findings {
  refused: string[]
  allowed: number
  inLists: number
}

export function checkWords(
  files: Iterable<readonly [path: string, text: string]>,
  words: readonly string[],
  allowances: readonly Allowance[],
): Findings {
  const findings: Findings = { refused: [], allowed: 0, inLists: 0 }
  for (const [path, text] of files) {
    const here = allowances.filter(({ files: glob }) => matchesGlob(path, glob))
    for (const { line, word } of findRefusedWords(text, words)) {
      const allowance = here.find((each) => each.words.length === 0 || each.words.includes(word))
      if (allowance === undefined) findings.refused.push(`${path}:${line}: ${word}`)
      else if (allowance.isList) findings.inLists += 1
      else findings.allowed += 1
    }
  }
  return findings
}

if (import.meta.main) {
  const glossary = readFileSync('docs/glossary.md', 'utf8')
  const words = readRefusedWords(glossary)
  const checked = (listFiles('.') ?? []).filter((file) => CHECKED.test(file) && !GENERATED.test(file))
  const texts = checked.map((file) => [file, readText('.', file) ?? ''] as const)
  const { refused, allowed, inLists } = checkWords(texts, words, readAllowances(glossary))
  refuse(refused, ': docs/glossary.md has the word to say')
  console.log(`${words.length} words refused; ${allowed} uses allowed, and ${inLists} in word lists and records`)
}
