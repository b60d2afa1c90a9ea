/** A word with its time in the video. `startMs ≤ endMs`. */
export interface TimedWord {
  text: string
  startMs: number
  endMs: number
  /** 0–1; null when the recogniser reports none. */
  confidence: number | null
}

/** A place between two aligned words: so many words of the left list, and of the right one, lie before it. */
export interface AlignedPlace {
  left: number
  right: number
  /** What the alignment did to get here from the place before. */
  by: 'start' | 'same' | 'other' | 'left_only' | 'right_only'
}

/** An equal word this near is the same word transcribed twice (media.md measured 0.4 s at the seams). */
export const SAME_WORD_MS = 400
/** Different words whose middles are this near are one word, transcribed in two ways. */
const MISRECOGNISED_MS = 200
const MISRECOGNISED_SCORE = 0.25

/** A word for comparison: without case and punctuation. */
export function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || text
}

function middleMs(word: TimedWord): number {
  return (word.startMs + word.endMs) / 2
}

/** Whether two recognisers' words are one word: equal but for case and punctuation, and near in time. */
export function isSameWord(a: TimedWord, b: TimedWord): boolean {
  return Math.abs(middleMs(a) - middleMs(b)) < SAME_WORD_MS && bareWord(a.text) === bareWord(b.text)
}

function pairScore(a: TimedWord, b: TimedWord): number {
  const apartMs = Math.abs(middleMs(a) - middleMs(b))
  // Equal words that repeat ("click, click") pair up by time, hence the slope.
  if (isSameWord(a, b)) return 2 - apartMs / SAME_WORD_MS
  return apartMs < MISRECOGNISED_MS ? MISRECOGNISED_SCORE : 0
}

/**
 * Aligns the words of two transcriptions of one section (Needleman–Wunsch on words and times).
 * @returns every place along the best alignment, from before the first words to after the last ones
 */
export function alignWords(left: TimedWord[], right: TimedWord[]): AlignedPlace[] {
  const width = right.length + 1
  const best = new Float64Array((left.length + 1) * width)
  const scoreAt = (i: number, j: number) => best[i * width + j] ?? 0
  const pairAt = (i: number, j: number) => pairScore(left[i - 1] as TimedWord, right[j - 1] as TimedWord)
  for (let i = 1; i <= left.length; i++) {
    for (let j = 1; j <= right.length; j++) {
      const pair = pairAt(i, j)
      const paired = pair > 0 ? scoreAt(i - 1, j - 1) + pair : 0
      best[i * width + j] = Math.max(paired, scoreAt(i - 1, j), scoreAt(i, j - 1))
    }
  }
  const places: AlignedPlace[] = []
  let i = left.length
  let j = right.length
  while (i > 0 || j > 0) {
    const pair = i > 0 && j > 0 ? pairAt(i, j) : 0
    const here = { left: i, right: j }
    if (pair > 0 && scoreAt(i, j) === scoreAt(i - 1, j - 1) + pair) {
      places.push({ ...here, by: pair > MISRECOGNISED_SCORE ? 'same' : 'other' })
      i -= 1
      j -= 1
    } else if (j > 0 && (i === 0 || scoreAt(i, j) === scoreAt(i, j - 1))) {
      places.push({ ...here, by: 'right_only' })
      j -= 1
    } else {
      places.push({ ...here, by: 'left_only' })
      i -= 1
    }
  }
  places.push({ left: 0, right: 0, by: 'start' })
  return places.reverse()
}
