import { halveChunk, toAdts } from '#worker/domain/media/read-chunk.ts'
import { AppError } from '#worker/errors.ts'
import type { SpeechChunk, SpeechResult, SpeechToText, TranscribedWord } from '#worker/ports/speech-to-text.ts'

/** How a chunk is transcribed. */
interface TranscribeOptions {
  signal: AbortSignal
  /** Fetches the chunk's audio once more, where the recogniser has freed it. */
  reload: () => Promise<Uint8Array<ArrayBuffer>>
  /** Left out: M4A first, and what worked is not kept. */
  aac?: AacMemory
}

/** What is known of how the recogniser takes AAC. */
export interface AacMemory {
  /** Whether it has refused M4A lately, and took ADTS. */
  readonly isM4aRefused: boolean
  /** Takes what a chunk has shown to be otherwise. */
  note: (isM4aRefused: boolean) => Promise<void>
}

/**
 * Asks for the words of a chunk: of AAC as M4A, or as ADTS where the recogniser refuses that.
 * @throws {AppError} as the port does, but `ai_failed` where it takes neither
 */
async function askInAnyContainer(
  speech: SpeechToText,
  chunk: SpeechChunk,
  { signal, reload, aac = { isM4aRefused: false, note: async () => {} } }: TranscribeOptions,
): Promise<SpeechResult> {
  const isAac = chunk.contentType === 'audio/mp4'
  const wasRefused = aac.isM4aRefused
  if (!isAac || !wasRefused) {
    try {
      return await speech.transcribe(chunk, signal)
    } catch (error) {
      if (!isRefused(error)) throw error
      if (!isAac) throw toFailure(error, chunk.contentType)
    }
  }
  const audio = await toAdts(wasRefused ? chunk.audio : await reload())
  if (audio === null) throw toFailure(null, 'AAC that only an M4A can hold')
  try {
    const result = await speech.transcribe({ ...chunk, audio, contentType: 'audio/aac' }, signal)
    if (!wasRefused) await aac.note(true)
    return result
  } catch (error) {
    if (!isRefused(error)) throw error
    // What was kept may be out of date: the next attempt begins with M4A.
    if (wasRefused) await aac.note(false)
    throw toFailure(error, 'AAC, neither as M4A nor as ADTS')
  }
}

function isRefused(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'ai_refused_audio'
}

function toFailure(error: AppError | null, audio: string): AppError {
  return new AppError('ai_failed', `The speech service cannot decode ${audio}.`, { cause: error?.cause })
}

/**
 * Transcribes one chunk. What the recogniser refuses as too large is halved, as often as it takes, and what the halves said
 * is joined; the answer does not show it.
 * @throws {AppError} as the port does; `ai_too_large` only when the chunk is too short to be halved any more
 */
export async function transcribeChunk(
  speech: SpeechToText,
  chunk: SpeechChunk,
  options: TranscribeOptions,
): Promise<SpeechResult> {
  try {
    return await askInAnyContainer(speech, chunk, options)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ai_too_large')) throw error
    const halves = await halveChunk({ ...chunk, audio: await options.reload() })
    if (halves === null) throw error
    const result: (SpeechResult & TranscribedSpan)[] = []
    // One after the other: a recogniser that is short of room is not to be asked for more at once.
    for (const { audio, durationMs, ...span } of halves) {
      const half = { ...chunk, audio: audio.slice(), durationMs }
      result.push({ ...span, ...(await transcribeChunk(speech, half, { ...options, reload: async () => audio })) })
    }
    return joinHalves(result, chunk.durationMs)
  }
}

interface TranscribedSpan {
  audioStartMs: number
  startMs: number
  endMs: number
}

function joinHalves(halves: (SpeechResult & TranscribedSpan)[], durationMs: number): SpeechResult {
  const words = mergeWords(halves).map((word) => ({
    ...word,
    // The length of a chunk stands in its index, and that of the halves is measured.
    startMs: Math.min(word.startMs, durationMs),
    endMs: Math.min(word.endMs, durationMs),
  }))
  return { words, language: languageOfMost(halves) }
}

function languageOfMost(halves: SpeechResult[]): string | null {
  const known = halves.filter(({ language }) => language !== null)
  const [most] = known.toSorted((a, b) => b.words.length - a.words.length)
  return most?.language ?? null
}

/** The sums over the transcribed chunks. */
export interface TranscribedSums {
  /** Duration of the transcribed chunks, and of those among them that have words. */
  transcribedMs: number
  spokenMs: number
  wordCount: number
  /** Sum of the words' confidences 0–1; a recogniser that reports none is trusted. */
  confidenceSum: number
}

/** The result for the narration as a whole. */
export type Transcription = 'understood' | 'not_understood' | 'no_narration' | 'undecided'

/** Mean word confidence that separated usable from useless in five recordings (0.60–0.78 against 0.32–0.39). */
const UNDERSTOOD_CONFIDENCE = 0.5
/** About a minute of speech, or two parts of 30 s cut where it is quiet: enough to give up on the rest. */
const ENOUGH_MS = 55_000
/** Slow narration has 60 words a minute; fewer than this are noises taken for words. */
const NARRATION_WORDS_PER_MINUTE = 3

/**
 * Judges whether the narration can be understood, from the chunks that are transcribed so far, in any order. Chunks
 * without words do not count as speech. Before all chunks are in, it can be `undecided`; with `isComplete` it never is.
 */
export function rateTranscription(sums: TranscribedSums, { isComplete }: { isComplete: boolean }): Transcription {
  const { transcribedMs, spokenMs, wordCount, confidenceSum } = sums
  if (isComplete && (wordCount === 0 || (wordCount / transcribedMs) * 60_000 < NARRATION_WORDS_PER_MINUTE)) {
    return 'no_narration'
  }
  if (!isComplete && spokenMs < ENOUGH_MS) return 'undecided'
  return confidenceSum / wordCount < UNDERSTOOD_CONFIDENCE ? 'not_understood' : 'understood'
}

/**
 * Returns the language of a BCP 47 tag as recognisers expect it: `pt-BR` → `pt`. They know no regions and no scripts.
 * @param tag a tag that has been checked
 */
export function spokenLanguage(tag: string): string {
  return new Intl.Locale(tag).language
}

/** A place between two aligned words: so many words of the left list, and of the right one, lie before it. */
interface AlignedPlace {
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

/** Beyond this a pause is a pause; longer ones are no better place to cut. */
const PAUSE_MAX_MS = 1_000
/** Weighs more than any pause: a word that only one chunk has is not cut away. */
const LOST_WORD_PENALTY = 2_000
/** A pair that two chunks transcribed differently may be a word cut in half: keep away from it. */
const MISRECOGNISED_PENALTY = 200
/** Among equal pauses the one farther from both ends of the overlap, where words are cut in half. */
const EDGE_WEIGHT = 0.1
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

function findSeam(places: AlignedPlace[], overlap: Overlap): AlignedPlace {
  const lostLeft = countFromEnd(places, 'left_only')
  let lostRight = 0
  let best = { place: places[0] as AlignedPlace, score: Number.NEGATIVE_INFINITY }
  places.forEach((place, at) => {
    if (place.by === 'right_only') lostRight += 1
    const before = overlap.left[place.left - 1]
    const after = overlap.right[place.right]
    const fromMs = before?.endMs ?? overlap.startMs - PAUSE_MAX_MS
    const toMs = after?.startMs ?? overlap.endMs + PAUSE_MAX_MS
    const middle = (fromMs + toMs) / 2
    const pauseMs = Math.min(PAUSE_MAX_MS, Math.max(0, toMs - fromMs))
    const edgeMs = Math.min(middle - overlap.startMs, overlap.endMs - middle)
    const misrecognised = [place.by, places[at + 1]?.by].filter((by) => by === 'other').length
    const lost = (lostLeft[at] ?? 0) + lostRight
    const score = pauseMs + edgeMs * EDGE_WEIGHT - misrecognised * MISRECOGNISED_PENALTY - lost * LOST_WORD_PENALTY
    if (score > best.score) best = { place, score }
  })
  return best.place
}

function countFromEnd(places: AlignedPlace[], by: AlignedPlace['by']): number[] {
  let count = 0
  return places
    .toReversed()
    .map((place) => {
      const after = count
      if (place.by === by) count += 1
      return after
    })
    .reverse()
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

function joinChunks(left: TranscribedWord[], leftEndMs: number, chunk: TranscribedChunk): TranscribedWord[] {
  const right = toVideoTime(chunk)
  const endMs = Math.max(leftEndMs, left.at(-1)?.endMs ?? 0)
  if (chunk.audioStartMs >= endMs) return [...left, ...right]
  const leftFrom = left.findIndex((word) => word.endMs > chunk.audioStartMs - OVERLAP_SLACK_MS)
  const firstLeft = leftFrom === -1 ? left.length : leftFrom
  const rightTo = right.findIndex((word) => word.startMs >= endMs + OVERLAP_SLACK_MS)
  const lastRight = rightTo === -1 ? right.length : rightTo
  if ((left.length - firstLeft) * lastRight > MAX_COMPARISONS) return joinAtBoundary(left, right, chunk.startMs)
  const overlap = {
    startMs: chunk.audioStartMs,
    endMs,
    left: left.slice(firstLeft),
    right: right.slice(0, lastRight),
  }
  const seam = findSeam(alignWords(overlap.left, overlap.right), overlap)
  return [...left.slice(0, firstLeft + seam.left), ...right.slice(seam.right)]
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
 * are aligned where their audio overlaps, and joined at the longest pause there, so that no word is lost or doubled.
 * Before the first chunk's span and after the last one's, words belong to chunks that are not given and are left out.
 * @param chunks in any order
 */
export function mergeWords(chunks: TranscribedChunk[]): TranscribedWord[] {
  const ordered = chunks.toSorted((a, b) => a.startMs - b.startMs || a.audioStartMs - b.audioStartMs)
  let merged: TranscribedWord[] = []
  let endMs = Number.NEGATIVE_INFINITY
  for (const chunk of ordered) {
    merged = joinChunks(merged, endMs, chunk)
    endMs = Math.max(endMs, chunk.endMs)
  }
  const startMs = ordered[0]?.startMs ?? 0
  return withoutOverlap(merged.filter((word) => middleMs(word) >= startMs && middleMs(word) <= endMs))
}
