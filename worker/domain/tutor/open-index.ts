import type { ScreenKind } from '#contract/screen.ts'
import type { Step } from '#contract/step.ts'
import type { CitedNote } from '#contract/tutor.ts'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { findWords, isTerm, stemTerm } from './words/words.ts'

/** What the tutor knows of a step: nothing that viewers may not read. Times are seconds, as everywhere on the wire. */
export type TutorStep = Pick<Step, 'id' | 'title' | 'description' | 'start' | 'end' | 'aliases'>

/** What an answer may rest on: a segment of the transcript, or in the place of one the notes of a step or a line of the screen. */
export interface ShownSegment extends SaidSegment {
  note?: CitedNote
  /** Left out for what is said or noted. */
  onScreen?: ScreenKind
  /** Of several trainings, the one in which it is said; left out for one alone. */
  part?: number
}

/** A line of text that the video shows. */
export type ScreenLine = ShownSegment & Required<Pick<ShownSegment, 'onScreen'>>

/** Texts of the screen that stand beside each other, from left to right. */
export interface ScreenRow {
  text: string
  startMs: number
}

/** A row, or the row that says what it is with one that stands beneath it. */
export interface ShownRows {
  rows: readonly ScreenRow[]
  /** The first row is a command, and the second one of its output. */
  isOutput: boolean
  /** Another value took its place: what was typed or chosen replaces what was there. */
  isReplaced: boolean
  /** The stems of their words. */
  words: ReadonlySet<string>
  /** Stems by which people ask for something that is written so: "address", "version". */
  kinds: readonly string[]
}

/** What the video shows. */
export interface TutorScreen {
  /** In time order. */
  lines: readonly ScreenLine[]
  /** By line, the stems of its words. */
  stems: readonly ReadonlySet<string>[]
  /** What stands together: labels and values, headings and lines, commands and outputs. */
  rows: readonly ShownRows[]
}

/** The teaching notes of a step. */
export interface TutorNote {
  /** With the start of its step. */
  segment: Required<Pick<ShownSegment, 'note'>> & SaidSegment
  /** Whether learners may read it in an answer; owners read all of them. */
  isQuotable: boolean
  /** Built from the note alone, as if it were a recording. */
  index: TutorIndex
}

/** One word of the narration. */
export interface Token {
  word: string
  stem: string
  segmentIndex: number
}

/** Consecutive whole segments that are read as one answer. */
export interface Passage {
  /** Its tokens, `to` excluded. */
  from: number
  to: number
  firstSegment: number
  lastSegment: number
  startMs: number
  endMs: number
}

/** Everything that answering needs of one recording. */
export interface TutorIndex {
  /** Of the video. */
  title: string
  /** In which the video is spoken, BCP 47; null where that is not known. */
  language: string | null
  /** Up to which second the video is transcribed, while it is being processed; null where its transcript is whole. */
  knownUntil: number | null
  segments: readonly SaidSegment[]
  steps: readonly TutorStep[]
  /** Of the steps that have some, as far as their reader may see them. */
  notes: readonly TutorNote[]
  /** Null where nothing was read from the screen. */
  screen: TutorScreen | null
  tokens: readonly Token[]
  passages: readonly Passage[]
  /** The step that is shown in the middle of each passage. */
  stepsOfPassages: readonly (TutorStep | undefined)[]
  /** Where each stem stands, in tokens, in order. */
  places: ReadonlyMap<string, readonly number[]>
  /** In how many blocks of speech each stem stands. */
  spread: ReadonlyMap<string, number>
  blockCount: number
}

/** Passages run on, segment by segment, to this many words at most: half a minute of speech. */
const MAX_PASSAGE_WORDS = 80
/** … but have at least so many where segments are long. */
const MIN_PASSAGE_WORDS = 60
/** The last passages may be this short, so that the end of a recording is found too. */
const MIN_LAST_WORDS = 15
/** Three hours of speech have a third as many; a day of short captions would have many more, and hold the worker. */
const MAX_PASSAGES = 10_000
/** Words of a block that counts for rarity; a quarter of a minute of speech, as in TextTiling (Hearst 1997). */
const RARITY_BLOCK_WORDS = 60
/** Recordings shorter than this many blocks say little about which words are rare. */
const MIN_BLOCKS = 4

/**
 * Reads a transcript for {@link rankPassages}: about 40 ms for three hours of speech.
 * @param segments in time order
 */
export function openIndex({
  title = '',
  language = null,
  segments,
  steps,
  knownUntil = null,
  notes = [],
  screen = null,
}: Pick<TutorIndex, 'segments' | 'steps'> &
  Partial<Pick<TutorIndex, 'title' | 'language' | 'knownUntil' | 'notes' | 'screen'>>): TutorIndex {
  const tokens = segments.flatMap(({ text }, segmentIndex) =>
    findWords(text).map((word): Token => ({ word, stem: stemTerm(word), segmentIndex })),
  )
  const termPositions = [...tokens.keys()].filter((index) => isTerm((tokens[index] as Token).word))
  const places = Map.groupBy(termPositions, (index) => (tokens[index] as Token).stem)
  const countBlocks = (positions: readonly number[]) =>
    new Set(positions.map((index) => Math.floor(index / RARITY_BLOCK_WORDS))).size
  const spread = new Map([...places].map(([stem, positions]) => [stem, countBlocks(positions)]))
  const blockCount = Math.max(MIN_BLOCKS, Math.ceil(tokens.length / RARITY_BLOCK_WORDS))
  const passages = formPassages(tokens, segments)
  const stepsOfPassages = passages.map(({ startMs, endMs }) => {
    const middle = (startMs + endMs) / 2_000
    const inside = steps.find(({ start, end }) => middle >= start && middle < end)
    // A passage in a pause between steps belongs to the step before it.
    return inside ?? steps.findLast(({ start }) => middle >= start)
  })
  const found = { tokens, passages, stepsOfPassages, places, spread, blockCount }
  return { title, language, knownUntil, segments, steps, notes, screen, ...found }
}

/** A person's notes may be longer; as much as a prompt shows of a segment is read. */
const NOTE_MAX_CHARS = 1_200
/** Notes have no times; sentences are separated by those within their own recording. */
const NOTE_MS = 60_000

/** Indexes the notes of steps, each alone, so that words of one note or of the transcript do not count for another. */
export function makeNotes(
  steps: readonly { id: string; startMs: number; notes: string; notesQuotable: boolean }[],
): TutorNote[] {
  return steps.flatMap(({ id: stepId, startMs, notes, notesQuotable }, stepIndex): TutorNote[] => {
    const text = notes.replace(/\s+/g, ' ').trim().slice(0, NOTE_MAX_CHARS)
    if (text === '') return []
    const id = `note-${stepId}`
    const index = openIndex({ segments: [{ id, startMs: 0, endMs: NOTE_MS, text }], steps: [] })
    const segment = { id, startMs, endMs: startMs, text, note: { stepId, stepNumber: stepIndex + 1 } }
    return [{ segment, isQuotable: notesQuotable, index }]
  })
}

function formPassages(tokens: readonly Token[], segments: readonly SaidSegment[]): Passage[] {
  const starts = tokens.flatMap((token, index) =>
    token.segmentIndex === tokens[index - 1]?.segmentIndex ? [] : [index],
  )
  const minStride = tokens.length / MAX_PASSAGES
  const passages: Passage[] = []
  for (let first = 0; first < starts.length; first += 1) {
    const from = starts[first] as number
    if (from - (passages.at(-1)?.from ?? Number.NEGATIVE_INFINITY) < minStride) continue
    const to = findEnd(starts, first, tokens.length)
    const firstSegment = tokens[from]?.segmentIndex ?? 0
    const lastSegment = tokens[to - 1]?.segmentIndex ?? 0
    const isTail = to === tokens.length && to - from < MIN_LAST_WORDS
    if (isTail && passages.length > 0) break
    const startMs = segments[firstSegment]?.startMs ?? 0
    passages.push({ from, to, firstSegment, lastSegment, startMs, endMs: segments[lastSegment]?.endMs ?? startMs })
  }
  return passages
}

function findEnd(starts: readonly number[], first: number, tokenCount: number): number {
  const from = starts[first] as number
  let to = starts[first + 1] ?? tokenCount
  for (let next = first + 2; to < tokenCount; next += 1) {
    const longer = starts[next] ?? tokenCount
    if (to - from >= MIN_PASSAGE_WORDS && longer - from > MAX_PASSAGE_WORDS) break
    to = longer
  }
  return to
}

/**
 * Words around a passage that are read with it, a sentence or two each way: what a question asks for is often said
 * right before or after the words that it shares with the recording.
 */
const WORDS_AROUND = 25

/** A passage with what is said right before and after it, in whole segments. */
export function readAround({ tokens, segments }: TutorIndex, passage: Passage): Passage {
  const segmentAt = (place: number) => tokens[Math.max(0, Math.min(tokens.length - 1, place))]?.segmentIndex
  const firstSegment = segmentAt(passage.from - WORDS_AROUND) ?? passage.firstSegment
  const lastSegment = segmentAt(passage.to - 1 + WORDS_AROUND) ?? passage.lastSegment
  // From the passage outwards: a search through all tokens would take as long as ranking them.
  let from = passage.from
  while ((tokens[from - 1]?.segmentIndex ?? -1) >= firstSegment) from -= 1
  let to = passage.to
  while ((tokens[to]?.segmentIndex ?? segments.length) <= lastSegment) to += 1
  return {
    from,
    to,
    firstSegment,
    lastSegment,
    startMs: segments[firstSegment]?.startMs ?? passage.startMs,
    endMs: segments[lastSegment]?.endMs ?? passage.endMs,
  }
}

/** Weighs how specific a stem is: about 1 where it is everywhere, 3 where it is in one block of a long recording. */
export function weighStem(index: TutorIndex, stem: string): number {
  return weighSpread(index, index.spread.get(stem) ?? 0)
}

/** Nothing is as rare as a word of one block seems, so that rarity is damped; both numbers by cross-validation. */
const RARITY_POWER = 0.7
const BASE_WEIGHT = 1

/** {@link weighStem} for a stem that stands in so many blocks. */
export function weighSpread({ blockCount }: TutorIndex, blocks: number): number {
  const idf = Math.log(1 + (blockCount - Math.min(blocks, blockCount) + 0.5) / (blocks + 0.5))
  return (BASE_WEIGHT + idf) ** RARITY_POWER
}
