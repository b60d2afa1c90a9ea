import type { SaidSegment } from '#worker/ports/language-model.ts'
import { readSentences, readTitleTokens, type Sentence, splitWords, stemWord } from './extractive/sentences.ts'

/**
 * Clears the marks of words that are known by other ways: what is surely said elsewhere was recognised right here too.
 * @param known texts with words that are to be expected
 */
export function clearKnownWords<Said extends SaidSegment>(
  segments: readonly Said[],
  known: readonly string[] = [],
): Said[] {
  const wordsOf = ({ text }: SaidSegment) => text.split(' ')
  const sure = new Set(known.flatMap(splitWords))
  for (const segment of segments) {
    wordsOf(segment).forEach((word, at) => {
      if (!segment.unsure?.includes(at)) for (const each of splitWords(word)) sure.add(each)
    })
  }
  return segments.map((segment) => {
    if (segment.unsure === undefined) return segment
    const words = wordsOf(segment)
    return {
      ...segment,
      unsure: segment.unsure.filter((at) => !splitWords(words[at] ?? '').every((each) => sure.has(each))),
    }
  })
}

/** Lists the stems of words that are said in these sentences, but never surely. */
export function listUnsureStems(sentences: readonly Sentence[]): ReadonlySet<string> {
  const tokens = sentences.flatMap(readTitleTokens)
  const stemsOf = (isUnsure: boolean) =>
    new Set(tokens.filter((token) => token.isUnsure === isUnsure).flatMap(({ word }) => splitWords(word).map(stemWord)))
  const sure = stemsOf(false)
  return new Set([...stemsOf(true)].filter((stem) => !sure.has(stem)))
}

/** Empties the titles of entries that have a word which may not have been said; their steps keep their own. */
export function clearUnsureTitles<Entry extends { title: string; chapter?: string }>(
  entries: readonly Entry[],
  segments: readonly SaidSegment[],
): Entry[] {
  const unsureStems = listUnsureStems(readSentences(segments))
  const clear = (title: string) => (restsOnUnsure(title, unsureStems) ? '' : title)
  return entries.map((entry) => ({
    ...entry,
    title: clear(entry.title),
    ...(entry.chapter === undefined ? {} : { chapter: clear(entry.chapter) }),
  }))
}

/** Checks whether a title has a word that may not have been said. */
export function restsOnUnsure(title: string, unsureStems: ReadonlySet<string>): boolean {
  return splitWords(title).some((word) => unsureStems.has(stemWord(word)))
}
