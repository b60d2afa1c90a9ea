// `npm run check:words`: refuses the words of the last column of docs/glossary.md in code and documents.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Files in which refused words may stand, with the reason. */
export interface Allowance {
  files: RegExp
  /** Only these; any where it is left out. */
  words?: readonly string[]
  /** Lists of English words, and records that quote; their uses are counted apart. */
  isList?: true
  reason: string
}

const ALLOWED: readonly Allowance[] = [
  {
    files: /^docs\/(?:glossary\.md|decisions\/)/,
    isList: true,
    reason: 'the glossary itself; decisions are not rewritten',
  },
  {
    files: /^worker\/domain\/(?:tutor\/(?:synonyms|subject-synonyms|words)|step\/extractive\/(?:sentences|cues))\.ts$/,
    isList: true,
    reason: 'lists of the words that people say',
  },
  {
    files: /^worker\/domain\/questions\/group-questions\.ts$/,
    words: ['hear'],
    isList: true,
    reason: 'a list of stop words',
  },
  {
    files: /^worker\/domain\/transcript\/tidy-cues\.ts$/,
    words: ['sound'],
    isList: true,
    reason: 'captions say "no sound"',
  },
  {
    files: /^web\/features\/(?:questions\/question-forms\.tsx|tutor\/(?:invitation|tutor-panel\.test)\.tsx)$/,
    words: ['tell', 'Tell'],
    reason: 'how a learner asks',
  },
  { files: /\/prompts\/[\w-]+\.v\d+\.ts$/, reason: 'a prompt with a version; another wording is a new version' },
  {
    files: /^worker\/pipeline\/advance-run\.ts$/,
    words: ['Nobody'],
    reason: 'a trainer reads "Nobody seems to speak in this video"',
  },
  {
    files: /^worker\/domain\/step\/extractive\/how-to-narrations\.test\.ts$/,
    words: ['hear', 'somebody', 'sounds'],
    reason: 'narrations',
  },
  {
    files: /^(?:bench\/share\/scenario|local\/media\/sample-timeline)\.ts$/,
    words: ['hear'],
    reason: 'the narration of a video: "until you hear a click"',
  },
  {
    files: /^worker\/routes\/questions\.test\.ts$/,
    words: ['brake'],
    reason: 'the brake of a car, in questions of learners',
  },
  {
    files: /^checks\/words(?:\.test)?\.ts$/,
    isList: true,
    reason: 'names what is allowed, and plants what is refused',
  },
]

/** A code file or a document of the project. */
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
  allowances: readonly Allowance[] = ALLOWED,
): Findings {
  const findings: Findings = { refused: [], allowed: 0, inLists: 0 }
  for (const [path, text] of files) {
    const here = allowances.filter((allowance) => allowance.files.test(path))
    for (const { line, word } of findRefusedWords(text, words)) {
      const allowance = here.find((each) => each.words?.includes(word) ?? true)
      if (allowance === undefined) findings.refused.push(`${path}:${line}: ${word}`)
      else if (allowance.isList === true) findings.inLists += 1
      else findings.allowed += 1
    }
  }
  return findings
}

if (import.meta.main) {
  const words = readRefusedWords(readFileSync('docs/glossary.md', 'utf8'))
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
  const checked = files.filter((file) => CHECKED.test(file) && !GENERATED.test(file))
  const { refused, allowed, inLists } = checkWords(
    checked.map((file) => [file, readFileSync(file, 'utf8')]),
    words,
  )
  for (const use of refused) console.error(`${use}: docs/glossary.md has the word to say`)
  console.log(`${words.length} words refused; ${allowed} uses allowed, and ${inLists} in word lists and records`)
  process.exitCode = refused.length === 0 ? 0 : 1
}
