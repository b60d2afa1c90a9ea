import type { TutorSentence } from '#worker/ports/tutor-model.ts'

/** Numbers of segments behind a sentence: `[3]`, `[3, 4]`, `[3][4]`. */
const SOURCES = String.raw`(?:[ \t]*\[[ \t]*#?\d+(?:[ \t]*[,;–-][ \t]*#?\d+)*[ \t]*\])+`
/** A sentence with its sources, once it is certain that no more of them come; or a line without any. */
const SENTENCE = new RegExp(String.raw`^([^\n]*?)(${SOURCES})[ \t]*[.。]?[ \t\r]*(?=[^\s[.。]|\n)|^([^\n]*)\n`)
/** What models put before a line although nobody asked for a list. */
const BULLET = /^\s*(?:[-*•]\s+|\d{1,2}[.)]\s+)/
/** Five times the longest sentence that anybody wants to read; what goes on without an end is no sentence. */
const MAX_SENTENCE_CHARS = 2_000

/**
 * Reads sentences out of a model's text as it comes: one a line, ending with the numbers of its segments in brackets.
 * Each is given as soon as it is whole, also where several stand in one line. A line that names no segments is passed
 * over, as are thoughts.
 */
export async function* readSentences(tokens: AsyncIterable<string>): AsyncGenerator<TutorSentence, void, undefined> {
  let text = ''
  for await (const said of passOverThoughts(tokens)) {
    const { sentences, rest } = takeSentences(text + said)
    text = rest.length > MAX_SENTENCE_CHARS ? '' : rest
    yield* sentences
  }
  yield* takeSentences(`${text}\n`).sentences
}

/** What is said outside of `<think>…</think>`. */
async function* passOverThoughts(tokens: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let text = ''
  let mark = '<think>'
  for await (const token of tokens) {
    text += token
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark)) {
      if (mark === '<think>') yield text.slice(0, at)
      text = text.slice(at + mark.length)
      mark = mark === '<think>' ? '</think>' : '<think>'
    }
    const heldBack = countBegun(text, mark)
    if (mark === '<think>') yield text.slice(0, text.length - heldBack)
    text = text.slice(text.length - heldBack)
  }
  if (mark === '<think>') yield text
}

/** How many of the last characters may be the beginning of a mark. */
function countBegun(text: string, mark: string): number {
  let count = Math.min(mark.length - 1, text.length)
  while (!mark.startsWith(text.slice(text.length - count))) count -= 1
  return count
}

function takeSentences(text: string): { sentences: TutorSentence[]; rest: string } {
  const sentences: TutorSentence[] = []
  let rest = text
  for (let found = SENTENCE.exec(rest); found !== null; found = SENTENCE.exec(rest)) {
    rest = rest.slice(found[0].length)
    const [, said = '', sources] = found
    const words = said.replace(BULLET, '').trim()
    if (sources !== undefined && words !== '') sentences.push({ text: words, segments: readNumbers(sources) })
  }
  return { sentences, rest }
}

function readNumbers(sources: string): number[] {
  return [...new Set(Array.from(sources.matchAll(/\d+/g), ([digits]) => Number(digits)))]
}
