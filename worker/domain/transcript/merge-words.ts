import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'

/** A place between two aligned words: so many words of the left list, and of the right one, lie before it. */
interface AlignedPlace {
  left: number
  right: number
  /** What the alignment did to get here from the place before. */
  by: 'start' | 'same' | 'other' | 'left_only' | 'right_only'
}

/** An equal word this near is the same word transcribed twice: at a cut, Whisper's times were up to 0.8 s apart. */
export const SAME_WORD_MS = 900
/** Different words whose middles are this near are one word, transcribed in two ways. */
const MISRECOGNISED_MS = 200
const MISRECOGNISED_SCORE = 0.25

/** A word for comparison: without case and punctuation. */
export function bareWord(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') || text
}

function middleMs(word: TranscribedWord): number {
  return (word.startMs + word.endMs) / 2
}

/** Whether two recognisers' words are one word: equal but for case and punctuation, and near in time. */
function isSameWord(a: TranscribedWord, b: TranscribedWord): boolean {
  return Math.abs(middleMs(a) - middleMs(b)) < SAME_WORD_MS && bareWord(a.text) === bareWord(b.text)
}

function pairScore(a: TranscribedWord, b: TranscribedWord): number {
  const apartMs = Math.abs(middleMs(a) - middleMs(b))
  // Equal words that repeat ("click, click") pair up by time, hence the slope.
  if (isSameWord(a, b)) return 2 - apartMs / SAME_WORD_MS
  return apartMs < MISRECOGNISED_MS ? MISRECOGNISED_SCORE : 0
}

/**
 * Aligns the words of two transcriptions of one section (Needleman–Wunsch on words and times).
 * @returns every place along the best alignment, from before the first words to after the last ones
 */
function alignWords(left: TranscribedWord[], right: TranscribedWord[]): AlignedPlace[] {
  const width = right.length + 1
  const best = new Float64Array((left.length + 1) * width)
  const scoreAt = (i: number, j: number) => best[i * width + j] ?? 0
  const pairAt = (i: number, j: number) => pairScore(left[i - 1] as TranscribedWord, right[j - 1] as TranscribedWord)
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
    const position = { left: i, right: j }
    if (pair > 0 && scoreAt(i, j) === scoreAt(i - 1, j - 1) + pair) {
      places.push({ ...position, by: pair > MISRECOGNISED_SCORE ? 'same' : 'other' })
      i -= 1
      j -= 1
    } else if (j > 0 && (i === 0 || scoreAt(i, j) === scoreAt(i, j - 1))) {
      places.push({ ...position, by: 'right_only' })
      j -= 1
    } else {
      places.push({ ...position, by: 'left_only' })
      i -= 1
    }
  }
  places.push({ left: 0, right: 0, by: 'start' })
  return places.reverse()
}

/** The transcription of one chunk of the audio. Chunks overlap: their audio begins before their own span. */
export interface TranscribedChunk {
  /** Time in the video at which the chunk's audio begins. */
  audioStartMs: number
  /** The span that this chunk answers for; the spans of all chunks cover the audio without overlap. */
  startMs: number
  endMs: number
  /** Relative to `audioStartMs`, starts ascending. */
  words: TranscribedWord[]
}

/** Subtracted, times the distrust in its chunk there, from the score of a word that only one chunk has. */
const UNCONFIRMED = 0.5
/** Words straddle the ends of the overlap, and times differ between two recognitions. */
const OVERLAP_SLACK_MS = 500
/** More comparisons than this (about 500 words against 500) are no overlap of a few seconds but broken times. */
const MAX_COMPARISONS = 250_000

function toVideoTime(chunk: TranscribedChunk): TranscribedWord[] {
  return chunk.words.map(({ text, startMs, endMs, confidence }) => ({
    text,
    startMs: chunk.audioStartMs + startMs,
    endMs: chunk.audioStartMs + endMs,
    confidence,
  }))
}

interface Overlap {
  startMs: number
  endMs: number
  left: TranscribedWord[]
  right: TranscribedWord[]
}

/**
 * How far a chunk is trusted with a word, 0–1. What a recogniser lacks is what follows at the end of its audio, and what
 * came before at the beginning: there it makes whole words of halves of words.
 */
function trustIn(side: 'left' | 'right', word: TranscribedWord, { startMs, endMs }: Overlap): number {
  const share = Math.min(1, Math.max(0, (middleMs(word) - startMs) / Math.max(1, endMs - startMs)))
  return side === 'left' ? 1 - share : share
}

/** The score for keeping a word; negative where it was probably not said. */
function worthOf(side: 'left' | 'right', word: TranscribedWord, isAlone: boolean, overlap: Overlap): number {
  const trust = trustIn(side, word, overlap)
  // Recognisers are unsure of many words that were said: one is not dropped for that alone.
  const probability = (1 + (word.confidence ?? 1)) / 2
  return probability * trust - (isAlone ? UNCONFIRMED * (1 - trust) : 0)
}

/** Finds the place from which on the words of the right chunk are worth more than those of the left one. */
function findSeam(places: AlignedPlace[], overlap: Overlap): AlignedPlace {
  const isPair = ({ by }: AlignedPlace) => by === 'same' || by === 'other'
  const leftWorth = places.map((place) => {
    const word = place.by === 'left_only' || isPair(place) ? overlap.left[place.left - 1] : undefined
    return word === undefined ? 0 : worthOf('left', word, place.by === 'left_only', overlap)
  })
  const rightWorth = places.map((place) => {
    const word = place.by === 'right_only' || isPair(place) ? overlap.right[place.right - 1] : undefined
    return word === undefined ? 0 : worthOf('right', word, place.by === 'right_only', overlap)
  })
  let worth = rightWorth.reduce((sum, value) => sum + value, 0)
  let best = { place: places[0] as AlignedPlace, worth: Number.NEGATIVE_INFINITY }
  places.forEach((place, index) => {
    worth += (leftWorth[index] ?? 0) - (rightWorth[index] ?? 0)
    if (worth > best.worth) best = { place, worth }
  })
  return best.place
}

function joinAtBoundary(left: TranscribedWord[], right: TranscribedWord[], boundaryMs: number): TranscribedWord[] {
  const before = left.filter((word) => middleMs(word) < boundaryMs)
  const after = right.filter((word) => middleMs(word) >= boundaryMs)
  return [...before, ...dropDoubled(before.at(-1), after)]
}

function dropDoubled(before: TranscribedWord | undefined, after: TranscribedWord[]): TranscribedWord[] {
  const first = after[0]
  return before !== undefined && first !== undefined && isSameWord(before, first) ? after.slice(1) : after
}

/** Adds the words of the next chunk to those of the chunks before, in place: they grow with the recording. */
function joinChunk(merged: TranscribedWord[], leftEndMs: number, chunk: TranscribedChunk): void {
  const right = toVideoTime(chunk)
  const endMs = Math.max(leftEndMs, merged.at(-1)?.endMs ?? 0)
  if (chunk.audioStartMs >= endMs) {
    for (const word of right) merged.push(word)
    return
  }
  const firstLeft = merged.findLastIndex((word) => word.endMs <= chunk.audioStartMs - OVERLAP_SLACK_MS) + 1
  const rightTo = right.findIndex((word) => word.startMs >= endMs + OVERLAP_SLACK_MS)
  const left = merged.splice(firstLeft)
  const lastRight = rightTo === -1 ? right.length : rightTo
  const joined =
    left.length * lastRight > MAX_COMPARISONS
      ? joinAtBoundary(left, right, chunk.startMs)
      : joinAtSeam({ startMs: chunk.audioStartMs, endMs, left, right: right.slice(0, lastRight) }, right)
  for (const word of joined) merged.push(word)
}

function joinAtSeam(overlap: Overlap, right: TranscribedWord[]): TranscribedWord[] {
  const seam = findSeam(alignWords(overlap.left, overlap.right), overlap)
  return [...overlap.left.slice(0, seam.left), ...right.slice(seam.right)]
}

function withoutOverlap(words: TranscribedWord[]): TranscribedWord[] {
  const ordered = words.toSorted((a, b) => a.startMs - b.startMs)
  return ordered.map((word, i) => {
    const nextMs = ordered[i + 1]?.startMs ?? Number.POSITIVE_INFINITY
    return { ...word, endMs: Math.max(word.startMs, Math.min(word.endMs, nextMs)) }
  })
}

/**
 * Joins the words of the chunks into one sequence of words in video time, starts ascending, without overlap. Neighbours
 * are aligned where their audio overlaps, and joined at the place that keeps the most of what was probably said: a chunk
 * is trusted less the nearer a word is to the end of its audio.
 * Before the first chunk's span and after the last one's, words belong to chunks that are not given and are left out.
 * @param chunks in any order
 */
export function mergeWords(chunks: TranscribedChunk[]): TranscribedWord[] {
  const ordered = chunks.toSorted((a, b) => a.startMs - b.startMs || a.audioStartMs - b.audioStartMs)
  const merged: TranscribedWord[] = []
  let endMs = Number.NEGATIVE_INFINITY
  for (const chunk of ordered) {
    joinChunk(merged, endMs, chunk)
    endMs = Math.max(endMs, chunk.endMs)
  }
  const startMs = ordered[0]?.startMs ?? 0
  return withoutOverlap(merged.filter((word) => middleMs(word) >= startMs && middleMs(word) <= endMs))
}
