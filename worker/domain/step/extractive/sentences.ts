import type { SaidSegment } from '#worker/ports/step-writer.ts'
import { splitWords, stemContentWords } from './words.ts'

/** One sentence of the narration, or one segment where the recogniser writes no punctuation. */
export interface Sentence {
  /** As it was said, with its punctuation and casing. */
  text: string
  words: string[]
  stems: string[]
  /** The segment at whose start a step that opens with this sentence begins. */
  segmentIndex: number
  startMs: number
  endMs: number
  /** Silence before the sentence, as the segments' times say it. */
  gapMs: number
  isQuestion: boolean
}

interface Token {
  text: string
  segmentIndex: number
  startMs: number
  endMs: number
}

const SENTENCE_END = /[.?!…]["'”’)\]]*$/
const ABBREVIATION = /^(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|fig|approx|[a-z])\.$/i
/** Fewer sentence ends than one in so many words means no punctuation (speech has 10–25 words a sentence). */
const MAX_WORDS_PER_SENTENCE_END = 60

/** Reads segments as sentences; a sentence may begin and end inside a segment. */
export function readSentences(segments: readonly SaidSegment[]): Sentence[] {
  const tokens = segments.flatMap(tokenize)
  const ends = tokens.filter((token) => endsWithStop(token.text)).length
  const isPunctuated = ends * MAX_WORDS_PER_SENTENCE_END >= tokens.length
  const groups = groupTokens(tokens, isPunctuated)
  return groups.map((group, index) => makeSentence(group, segments, groups[index - 1]?.at(-1)))
}

function tokenize(segment: SaidSegment, segmentIndex: number): Token[] {
  const parts = segment.text.split(/\s+/).filter((part) => part !== '')
  const perCharMs = (segment.endMs - segment.startMs) / Math.max(1, parts.join(' ').length)
  let offset = 0
  return parts.map((text) => {
    const startMs = segment.startMs + offset * perCharMs
    offset += text.length + 1
    return { text, segmentIndex, startMs, endMs: Math.min(segment.endMs, startMs + text.length * perCharMs) }
  })
}

/** True where a sentence ends; a full stop after an abbreviation is none. */
export function endsWithStop(text: string): boolean {
  return SENTENCE_END.test(text) && !ABBREVIATION.test(text.slice(text.lastIndexOf(' ') + 1))
}

function groupTokens(tokens: readonly Token[], isPunctuated: boolean): Token[][] {
  const groups: Token[][] = []
  let open: Token[] = []
  tokens.forEach((token, index) => {
    open.push(token)
    const next = tokens[index + 1]
    const isEnd = isPunctuated ? endsWithStop(token.text) : token.segmentIndex !== next?.segmentIndex
    if (!isEnd && next !== undefined) return
    groups.push(open)
    open = []
  })
  return groups
}

function makeSentence(tokens: Token[], segments: readonly SaidSegment[], before: Token | undefined): Sentence {
  const first = tokens[0] as Token
  const last = tokens.at(-1) as Token
  const text = tokens.map((token) => token.text).join(' ')
  const words = splitWords(text)
  return {
    text,
    words,
    stems: stemContentWords(words),
    segmentIndex: nearestSegment(first, segments),
    startMs: first.startMs,
    endMs: last.endMs,
    gapMs: before === undefined ? 0 : Math.max(0, first.startMs - before.endMs),
    isQuestion: /\?["'”’)\]]*$/.test(text),
  }
}

function nearestSegment(first: Token, segments: readonly SaidSegment[]): number {
  const own = segments[first.segmentIndex] as SaidSegment
  const next = segments[first.segmentIndex + 1]
  const isNearerToNext = next !== undefined && next.startMs - first.startMs < first.startMs - own.startMs
  return isNearerToNext ? first.segmentIndex + 1 : first.segmentIndex
}
