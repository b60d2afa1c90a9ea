import type { SaidSegment } from '#worker/ports/language-model.ts'
import { endsWithStop } from './sentences.ts'

/**
 * What can be said: characters, of which a sentence counts as {@link SENTENCE_CHARS} more, since reading it costs as much
 * as reading so many. The quickest speaker of the benchmark needs 70 a second.
 */
const CHARS_PER_S = 100
const SENTENCE_CHARS = 150
/** What may be said at once, since times are rough: more than the quickest speaker says in five minutes. */
const BURST_CHARS = 30_000

/** What is read before a section, and after it: a tenth more than the most that any recording of the benchmark has there. */
const SIDE_CHARS = 150_000

/**
 * Leaves out the words of segments that cannot be said in their time, so that reading a narration costs no more than its
 * length allows, whatever a file claims. The transcript itself keeps them.
 * @param segments in time order
 */
export function keepSpeakable<Said extends SaidSegment>(segments: readonly Said[]): Said[] {
  return limitWords(segments).map(({ segment }) => segment)
}

/** A segment with the words that can be said in its time, and what they count. */
interface Speakable<Said extends SaidSegment> {
  segment: Said
  costChars: number
}

function limitWords<Said extends SaidSegment>(segments: readonly Said[]): Speakable<Said>[] {
  let leftChars = BURST_CHARS
  let untilMs = segments[0]?.startMs ?? 0
  return segments.map((segment) => {
    leftChars = Math.min(BURST_CHARS, leftChars + (CHARS_PER_S * Math.max(0, segment.endMs - untilMs)) / 1_000)
    untilMs = Math.max(untilMs, segment.endMs)
    const { text, costChars } = takeWords(segment.text, leftChars)
    leftChars -= costChars
    return { segment: text === segment.text ? segment : { ...segment, text }, costChars }
  })
}

/**
 * The same of a section together with what is known beside it, of which only so much is read as shows the grain.
 * @returns as many segments as are given; what is not read of them has no text
 */
export function keepSpeakableAround(
  before: readonly SaidSegment[],
  segments: readonly SaidSegment[],
  after: readonly SaidSegment[],
): SaidSegment[] {
  const speakable = limitWords([...before, ...segments, ...after])
  const until = before.length + segments.length
  const nearest = keepFirst(speakable.slice(0, before.length).reverse()).reverse()
  const own = speakable.slice(before.length, until).map(({ segment }) => segment)
  return [...nearest, ...own, ...keepFirst(speakable.slice(until))]
}

function keepFirst(speakable: readonly Speakable<SaidSegment>[]): SaidSegment[] {
  let leftChars = SIDE_CHARS
  return speakable.map(({ segment, costChars }) => {
    leftChars -= costChars
    return leftChars > 0 ? segment : { ...segment, text: '' }
  })
}

/** Takes words from the beginning of a text, up to a cost. */
function takeWords(text: string, mostChars: number): { text: string; costChars: number } {
  let costChars = 0
  let end = 0
  while (end < text.length) {
    const blank = text.indexOf(' ', end)
    const next = blank === -1 ? text.length : blank + 1
    const word = text.slice(end, next).trimEnd()
    costChars += next - end + (endsWithStop(word) ? SENTENCE_CHARS : 0)
    if (costChars > mostChars) return { text: text.slice(0, end).trimEnd(), costChars: mostChars }
    end = next
  }
  return { text, costChars }
}
