import { endsWithStop, isContentWord } from '#worker/domain/step/extractive/sentences.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { findWords } from './words/words.ts'

/** A silence that ends a sentence where the transcript has no full stop. */
const PAUSE_MS = 700

/** Segments before and after a passage in which its first and last sentence may begin and end. */
export const SPILL_SEGMENTS = 3

/** Ends sentences with their segments where the transcript has no full stop: at a pause, or before a capital letter. */
export function endSentences(segments: readonly SaidSegment[]): SaidSegment[] {
  return segments.map((segment, index) => endSentence(segment, segments[index + 1]))
}

function endSentence(segment: SaidSegment, next: SaidSegment | undefined): SaidSegment {
  const text = segment.text.trimEnd()
  const last = findWords(text).at(-1) ?? ''
  if (last === '' || endsWithStop(text) || /[,;:–-]$/.test(text)) return segment
  const isPause = next === undefined || next.startMs - segment.endMs >= PAUSE_MS
  const isWritten = /\p{Lu}/u.test(text)
  const isEnd = isPause || (isContentWord(last) && (!isWritten || /^\p{Lu}/u.test(next?.text.trimStart() ?? '')))
  return isEnd ? { ...segment, text: `${text}.` } : segment
}
