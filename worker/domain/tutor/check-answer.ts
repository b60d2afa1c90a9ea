import { isTimeMarker } from '#contract/tutor.ts'
import type { TutorIndex } from './open-index.ts'
import { findWords } from './words/words.ts'

/** No honest answer about a video is longer; a longer one is cut at a word. */
const MAX_ANSWER_CHARS = 4_000
/** The text is cut to this before its markup is removed, which bounds the work. */
const MAX_LOOKED_AT_CHARS = 4 * MAX_ANSWER_CHARS

/**
 * What may be shown of an answer: text alone. Lines that begin with a start-at or time marker go, and so do markup,
 * links and invisible characters.
 */
export function cleanAnswer(answer: string): string {
  const looked = answer.slice(0, MAX_LOOKED_AT_CHARS)
  const text = removeMarkup(looked.normalize('NFC').replace(/\r\n?/g, '\n'))
    .split('\n')
    .filter((line) => !isTimeMarker(line))
    .map((line) => line.replace(/[ \t]+/g, ' ').trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  if (text.length <= MAX_ANSWER_CHARS) return text
  const cut = text.slice(0, MAX_ANSWER_CHARS - 1)
  const space = cut.search(/\s\S*$/)
  return `${space === -1 ? cut : cut.slice(0, space).trimEnd()}…`
}

/**
 * Invisible characters: controls, zero width, direction marks, tags (U+E0000), private use. Indic scripts and
 * Persian need the two joiners to be spelled right, and to be found in the transcript.
 */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu
// Each pattern stops where another match may begin, so that matching takes linear time.
const TAG = /<\/?[a-z!?][^<>]*>/gi
const OPEN_TAG = /<(?=[a-z/!?])/gi
const MARKDOWN_LINK = /!?\[([^[\]\n]*)\]\([^[)\n]*\)/g
const MARKDOWN_REFERENCE = /^[ \t]*\[[^[\]\n]+\]:[ \t]*\S.*$/gm
const ADDRESS = /[a-z][a-z\d+.-]{0,20}:\/\/\S*/gi
const SHORT_ADDRESS = /(?<![\p{L}\p{N}])(?:www\.|mailto:|javascript:|data:[a-z]{1,20}\/)\S*/giu

/** Markup inside of markup that honest text has at most. */
const MOST_PASSES = 8

/** Removes markup, links and invisible characters. Takes time by the length of the text, whatever is in it. */
export function removeMarkup(text: string): string {
  let before = ''
  let after = text.replace(INVISIBLE, (char) => (char === '\n' ? '\n' : char === '\t' ? ' ' : ''))
  // Removing one piece may join two others to a new one.
  for (let pass = 0; after !== before; pass += 1) {
    before = after
    after = removeOnce(pass < MOST_PASSES ? before : before.replace(/[<>[\]():]/g, ' '))
  }
  return after.replace(OPEN_TAG, '‹').replaceAll('](', '] (')
}

function removeOnce(text: string): string {
  return removeComments(text)
    .replace(TAG, '')
    .replace(MARKDOWN_REFERENCE, '')
    .replace(MARKDOWN_LINK, '$1')
    .replace(ADDRESS, '')
    .replace(SHORT_ADDRESS, '')
}

function removeComments(text: string): string {
  let withoutComments = ''
  let offset = 0
  for (;;) {
    const start = text.indexOf('<!--', offset)
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4)
    if (end === -1) return withoutComments + text.slice(offset)
    withoutComments += text.slice(offset, start)
    offset = end + 3
  }
}

/** A sentence of an answer with the segments that it is taken from. */
export interface CitedSentence {
  text: string
  segmentIds: readonly string[]
}

/**
 * Keeps of quoted sentences the citations that hold: the segments, joined where they follow each other, have the words
 * of the sentence as they stand there.
 * @returns the sentences as given, those that were not said with no segment
 */
export function checkQuotes<Sentence extends CitedSentence>(
  sentences: readonly Sentence[],
  { segments }: Pick<TutorIndex, 'segments'>,
): Sentence[] {
  return sentences.map((sentence) => {
    const cited = segments.filter(({ id }) => sentence.segmentIds.includes(id))
    const isSaid = isQuoted(sentence.text, cited.map(({ text }) => text).join(' '))
    return { ...sentence, segmentIds: isSaid ? cited.map(({ id }) => id) : [] }
  })
}

/** What speakers put between their words and writers leave out. */
const FILLERS: ReadonlySet<string> = new Set(['uh', 'um', 'uhm', 'er', 'erm', 'hmm'])

/** True where the words of a text stand in a source, one after the other, whatever the marks between them. */
export function isQuoted(text: string, source: string): boolean {
  const sourceWords = ` ${readWords(source)} `
  const pieces = text.split(/…|\.\.\./).map(readWords)
  return (
    pieces.some((piece) => piece !== '') &&
    pieces.every((piece) => sourceWords.includes(piece === '' ? '' : ` ${piece} `))
  )
}

function readWords(text: string): string {
  return findWords(text)
    .filter((word) => !FILLERS.has(word))
    .join(' ')
}
