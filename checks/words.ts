import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Files in which a refused word is data or a quotation, each with the reason. */
const ALLOWED: { files: RegExp; reason: string }[] = [
  { files: /^docs\/(?:glossary\.md|decisions\/)/, reason: 'the glossary itself; decisions are not rewritten' },
]

/** A code file or a document of the project. */
const CHECKED = /\.(?:tsx?|mjs|md)$/
const GENERATED = /\.d\.ts$|^docs\/licences\.md$/

/** The refused words of the glossary: those in the last column of its table that stand as code. */
export function readRefusedWords(glossary: string): string[] {
  const rows = [...glossary.matchAll(/^\|.*\|(.*)\|$/gm)].map(([, last = '']) => last)
  return rows.flatMap((last) => [...last.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)).toSorted()
}

/** Forms of a word: `tell`, `tells`, `Telling`, and as a part of a name: `tellUser`, `isTold`, `MUST_TELL`. */
function patternOf(word: string): RegExp {
  const endings = '(?:s|es|ed|ing|er|ers|able)?'
  const [first = '', rest] = [word[0], word.slice(1)]
  const small = `(?<![a-z])${word}${endings}(?![a-z])`
  const capital = `${first.toUpperCase()}${rest}${endings}(?![a-z])`
  const shouted = `(?<![A-Z])${word.toUpperCase()}S?(?![A-Z])`
  return new RegExp([small, capital, shouted].join('|'), 'g')
}

/** Refused words in a text, as `line: word`. */
export function findRefusedWords(text: string, refused: string[]): string[] {
  const patterns = refused.map(patternOf)
  return text.split('\n').flatMap((line, index) => {
    const found = patterns.flatMap((pattern) => [...line.matchAll(pattern)].map(([word]) => word))
    return [...new Set(found)].map((word) => `${index + 1}: ${word}`)
  })
}

if (import.meta.main) {
  const refused = readRefusedWords(readFileSync('docs/glossary.md', 'utf8'))
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  const checked = files.filter((file) => CHECKED.test(file) && !GENERATED.test(file))
  let allowed = 0
  for (const file of checked) {
    const found = findRefusedWords(readFileSync(file, 'utf8'), refused)
    if (ALLOWED.some(({ files: pattern }) => pattern.test(file))) allowed += found.length
    else for (const each of found) console.error(`${file}:${each}: docs/glossary.md has the word to say`)
    if (found.length > 0) process.exitCode = 1
  }
  console.log(`${refused.length} words refused, ${allowed} uses in allowed places`)
}
