import {
  addScores,
  findClearLanguage,
  isKnownLanguage,
  type LanguageScores,
  scoreLanguages,
} from '#worker/domain/language/find-language.ts'
import type { CueLines } from './cue.ts'
import { splitLeadingVoice } from './speaker-names.ts'

/** The cues of one language of a file with two. */
export interface LanguageCues {
  language: string
  cues: CueLines[]
}

/** Fewer cues say nothing of a file. */
const CUES_MIN = 3
/** So many of the cues have to be in both languages, or to stand beside one in the other. */
const PAIRED_SHARE = 0.8
/** Cues without time in common that take turns throughout. */
const ALTERNATING_SHARE = 0.9
/** Something has to speak for the language of so many cues, for words of an unknown one look like those of some other. */
const KNOWN_SHARE = 0.5
/** How much speaks for the language of a cue on average, and for cues without time in common; for the other one a third. */
const SURE_SCORE = 1.2
const ALTERNATING_SCORE = 1.8
const OTHER_SHARE_MAX = 1 / 3
/** Fewer that take turns may do so by chance. */
const ALTERNATING_MIN = 6
/** How many more characters a text may have than its translation: English has four for one of Chinese. */
const LENGTH_RATIO_MAX = 5

type Pair = readonly [string, string]

/** A cue, with what speaks for languages in it. */
interface ScoredCue {
  cue: CueLines
  scores: LanguageScores
}

const scoreOf = (scores: LanguageScores, tag: string) => scores.get(tag) ?? 0

/** Which of two languages a text is in: 0, 1, or null where as much speaks for both. */
function chooseOf([one, other]: Pair, scores: LanguageScores): 0 | 1 | null {
  const difference = scoreOf(scores, one) - scoreOf(scores, other)
  return difference === 0 ? null : difference > 0 ? 0 : 1
}

/**
 * Finds the two languages of a file that says everything in both: in two lines of each cue, in cues that take turns, or in
 * two blocks. Who speaks two languages one after the other says each thing once, and stays as it is.
 * @param cues in the order of time
 * @returns the language that stands first in the file before the other; null for a file in one language
 */
export function splitLanguages(cues: readonly CueLines[]): [LanguageCues, LanguageCues] | null {
  const filled = cues.filter(({ lines }) => lines.some((line) => line !== ''))
  if (filled.length < CUES_MIN) return null
  return splitStacked(filled) ?? splitBeside(filled)
}

/** Halves of the lines of a cue; the first has one more where their number is odd. */
function halve({ lines }: CueLines): [string[], string[]] {
  const texts = lines.filter((line) => line !== '')
  const middle = Math.ceil(texts.length / 2)
  return [texts.slice(0, middle), texts.slice(middle)]
}

function splitStacked(cues: readonly CueLines[]): [LanguageCues, LanguageCues] | null {
  const halves = cues.map(halve)
  const paired = halves.filter(([, below]) => below.length > 0)
  if (paired.length < cues.length * PAIRED_SHARE) return null
  const pair = findPair(
    paired.map(([above]) => scoreLanguages(above.join(' '))),
    paired.map(([, below]) => scoreLanguages(below.join(' '))),
  )
  if (pair === null) return null
  const found: [CueLines[], CueLines[]] = [[], []]
  for (const [at, cue] of cues.entries()) addStacked(found, cue, { pair, halves: halves[at] ?? [[], []] })
  return [
    { language: pair[0], cues: found[0] },
    { language: pair[1], cues: found[1] },
  ]
}

function addStacked(
  found: [CueLines[], CueLines[]],
  cue: CueLines,
  { pair, halves }: { pair: Pair; halves: [string[], string[]] },
): void {
  const lines: [string[], string[]] = [[], []]
  for (const [half, texts] of halves.entries())
    for (const text of texts) lines[chooseOf(pair, scoreLanguages(text)) ?? (half === 0 ? 0 : 1)].push(text)
  const [voice] = splitLeadingVoice(lines[0][0] ?? '')
  const [own] = splitLeadingVoice(lines[1][0] ?? '')
  if (voice !== '' && own === '' && lines[1][0] !== undefined) lines[1][0] = voice + lines[1][0]
  for (const which of [0, 1] as const) if (lines[which].length > 0) found[which].push({ ...cue, lines: lines[which] })
}

/** Whether texts are clearly in the first and not in the second language. */
function isSure(scores: readonly LanguageScores[], [own, other]: Pair, least = SURE_SCORE): boolean {
  const sum = addScores(scores)
  const score = scoreOf(sum, own)
  return score >= least * scores.length && scoreOf(sum, other) <= OTHER_SHARE_MAX * score
}

/**
 * Finds the language of captions that are clearly not in that of the speech; null where they are in it, or nothing says so.
 * @param spoken primary tag
 */
export function findOtherLanguage(texts: readonly string[], spoken: string): string | null {
  if (texts.length < CUES_MIN || !isKnownLanguage(spoken)) return null
  const scores = texts.map(scoreLanguages)
  const tag = findClearLanguage(addScores(scores))
  return tag !== null && tag !== spoken && isSure(scores, [tag, spoken]) ? tag : null
}

/** The languages of two lists of texts that say the same; null where they are not clear, or one. */
function findPair(one: readonly LanguageScores[], other: readonly LanguageScores[]): Pair | null {
  const pair = [one, other].map((scores) => {
    const tag = findClearLanguage(addScores(scores))
    const known = scores.filter((each) => tag !== null && scoreOf(each, tag) > 0).length
    return known >= scores.length * KNOWN_SHARE ? tag : null
  })
  const [first = null, second = null] = pair
  if (first === null || second === null || first === second) return null
  return isSure(one, [first, second]) && isSure(other, [second, first]) ? [first, second] : null
}

/** The two languages that most cues are in; each has to have a good part of them. */
function findCuePair(cues: readonly ScoredCue[]): Pair | null {
  const counts = new Map<string, number>()
  for (const { scores } of cues) {
    const tag = findClearLanguage(scores)
    if (tag !== null) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  const [first, second] = [...counts].toSorted((a, b) => b[1] - a[1])
  const isEnough = first !== undefined && second !== undefined && second[1] * 4 >= cues.length
  return isEnough && first[1] + second[1] >= cues.length * KNOWN_SHARE ? [first[0], second[0]] : null
}

function splitBeside(filled: readonly CueLines[]): [LanguageCues, LanguageCues] | null {
  const cues = filled.map((cue) => ({ cue, scores: scoreLanguages(cue.lines.join(' ')) }))
  const pair = findCuePair(cues)
  if (pair === null) return null
  const chosen = fillChoices(cues, pair)
  const found: [CueLines[], CueLines[]] = [[], []]
  for (const [at, { cue }] of cues.entries()) found[chosen[at] ?? 0].push(cue)
  const areSure = (least: number) =>
    ([0, 1] as const).every((which) => {
      const own = cues.filter((_, at) => chosen[at] === which).map(({ scores }) => scores)
      return isSure(own, which === 0 ? pair : [pair[1], pair[0]], least)
    })
  const isPaired = countBeside(found[0], found[1]) + countBeside(found[1], found[0]) >= cues.length * PAIRED_SHARE
  const isPlain = isPaired ? areSure(SURE_SCORE) : areSure(ALTERNATING_SCORE) && isAlternating(chosen, found)
  if (!isPlain) return null
  const lists = ([0, 1] as const).map((which) => ({ language: pair[which], cues: found[which] }))
  const firstLine = ({ cues: own }: LanguageCues) =>
    Math.min(...own.slice(0, CUES_MIN).map(({ lineIndex }) => lineIndex))
  const [one, other] = lists.toSorted((a, b) => firstLine(a) - firstLine(b))
  return one === undefined || other === undefined ? null : [one, other]
}

/** Gives cues that could be in both the language that is missing at their time, or that of the one before. */
function fillChoices(cues: readonly ScoredCue[], pair: Pair): (0 | 1)[] {
  const choices = cues.map(({ scores }) => chooseOf(pair, scores))
  const filled: (0 | 1)[] = []
  for (const [at, { cue }] of cues.entries()) {
    const beside = [at - 1, at + 1].find((each) => cues[each]?.cue.startMs === cue.startMs && choices[each] != null)
    const other = beside === undefined ? null : choices[beside]
    filled.push(choices[at] ?? (other == null ? (filled.at(-1) ?? 0) : other === 0 ? 1 : 0))
  }
  return filled
}

/** How many cues have most of their time in common with one of the others. Both lists are in the order of time. */
function countBeside(cues: readonly CueLines[], others: readonly CueLines[]): number {
  let [count, from] = [0, 0]
  for (const { startMs, endMs } of cues) {
    while ((others[from]?.endMs ?? Number.POSITIVE_INFINITY) <= startMs) from += 1
    const other = others[from]
    const commonMs = other === undefined ? 0 : Math.min(endMs, other.endMs) - Math.max(startMs, other.startMs)
    if (commonMs * 2 > endMs - startMs) count += 1
  }
  return count
}

function isAlternating(chosen: readonly (0 | 1)[], [one, other]: [CueLines[], CueLines[]]): boolean {
  const changes = chosen.filter((which, at) => at > 0 && which !== chosen[at - 1]).length
  const lengthOf = (cues: readonly CueLines[]) => cues.reduce((sum, { lines }) => sum + lines.join(' ').length, 0)
  const [oneChars, otherChars] = [lengthOf(one), lengthOf(other)]
  const isAlike = Math.max(oneChars, otherChars) <= LENGTH_RATIO_MAX * Math.min(oneChars, otherChars)
  return isAlike && chosen.length >= ALTERNATING_MIN && changes >= (chosen.length - 1) * ALTERNATING_SHARE
}
