import type { TranscriptSegment } from '#contract/transcript.ts'
import { trimEndOf } from '#contract/trim-end.ts'
import { diffWords } from '#web/lib/diff-words.ts'

/** Words that a correction put in the place of others. */
export interface Replacement {
  from: string
  to: string
}

/** A line with the words replaced. */
export interface OtherPlace {
  segment: TranscriptSegment
  text: string
}

/** Longer texts are rewritten sentences, which occur nowhere else; shorter ones occur everywhere. */
const WORDS_MAX = 4
const FROM_MIN_CHARS = 3

/** The words that a correction replaced by others, where they may have been misrecognised in other places too. */
export function findReplacements(before: string, after: string): Replacement[] {
  const runs = diffWords(before, after)
  return runs.flatMap((run, index) => {
    const next = runs[index + 1]
    if (run.kind !== 'removed' || next?.kind !== 'added') return []
    const [from, to] = [bare(run.text), bare(next.text)]
    const isShort = from.split(' ').length <= WORDS_MAX && to.split(' ').length <= WORDS_MAX
    const isReported = from.length >= FROM_MIN_CHARS && to !== '' && from.toLowerCase() !== to.toLowerCase()
    return isShort && isReported ? [{ from, to }] : []
  })
}

/** Words without the marks around them. */
function bare(text: string): string {
  return trimEndOf(text.replace(/^[^\p{L}\p{N}]+/u, ''), /[^\p{L}\p{N}+#]/u)
}

/** Other lines that have the words that were replaced, in any case, with them replaced. */
export function findOtherPlaces(
  segments: readonly TranscriptSegment[],
  { from, to }: Replacement,
  exceptId: string,
): OtherPlace[] {
  const words = from.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}])${words.join(String.raw`\s+`)}(?![\p{L}\p{N}])`, 'giu')
  return segments.flatMap((segment) => {
    if (segment.id === exceptId) return []
    const text = segment.text.replace(pattern, (found, at: number) => (at === 0 ? beginLike(found, to) : to))
    return text === segment.text ? [] : [{ segment, text }]
  })
}

/** Keeps the capital letter at the beginning of a line. */
function beginLike(found: string, to: string): string {
  return /^\p{Lu}/u.test(found) ? to.charAt(0).toUpperCase() + to.slice(1) : to
}
