import type { Gray } from './gray.ts'
import { findPitch, type Letter, type LineReading, type Word } from './line-text.ts'
import { MARGIN_PX } from './prepare-line.ts'

/** Lightness of a prepared line under which there is ink: of thin strokes, which video blurs, and of letters. */
const INK = { stroke: 165, letter: 120 }
/** Measures of an underscore, as shares of the height of its line: it is long, flat and below the letters. */
const STROKE = { width: 0.28, height: 0.22, below: 0.03 }
/** Width of an underscore where letters have different ones. */
const USUAL_WIDTH = 0.53
/** Letters that are no further from an underscore have no blank between them. */
const BESIDE = 0.22
/** A stroke that reaches so far below the letters beside it underlines them. */
const REACH = 0.3

/** One or more underscores in a row, in pixels of a prepared line. */
export interface Stroke {
  left: number
  right: number
  top: number
  bottom: number
  /** Whether letters follow each other over it without a blank. */
  isBehindLetter: boolean
  isBeforeLetter: boolean
}

/** Whether a line is in a script that has no such strokes in its letters, as Arabic has. */
export function mayHaveUnderscores({ words }: LineReading): boolean {
  const isLetter = /\p{L}/u
  const isPlain = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
  return words.every(({ letters }) => letters.every(({ text }) => !isLetter.test(text) || isPlain.test(text)))
}

/**
 * Finds the underscores between the letters of a prepared line, which the engine leaves out or takes for blanks. One at
 * the end is not among them: it may be the caret.
 */
export function findStrokes(image: Gray): Stroke[] {
  const lineHeight = image.height - 2 * MARGIN_PX
  const baseline = findBaseline(image)
  const columns = Array.from({ length: image.width }, (_, x) => findFlat(image, x, baseline))
  const strokes: Stroke[] = []
  for (let left = 0; left < image.width; left++) {
    let flat = columns[left] ?? null
    if (flat === null) continue
    let { top, bottom } = flat
    let right = left
    for (
      let next = columns[right + 1] ?? null;
      next !== null && isLevel(flat, next);
      next = columns[right + 1] ?? null
    ) {
      flat = next
      ;[top, bottom] = [Math.min(top, flat.top), Math.max(bottom, flat.bottom)]
      right++
    }
    const isLong = right - left + 1 >= STROKE.width * lineHeight
    if (isLong && !isUnderline(image, { left, right }, Math.round((flat.top + flat.bottom) / 2)))
      strokes.push({ left, right, top, bottom, ...findBeside(image, left, right) })
    left = right
  }
  return strokes.filter(({ right }) => hasInkFrom(image, right + 1))
}

const lineHeightOf = ({ height }: Gray) => height - 2 * MARGIN_PX

/** The row on which most letters stand: the one where most columns of ink end. */
function findBaseline(image: Gray): number {
  const ends = new Uint32Array(image.height + 2)
  for (let x = 0; x < image.width; x++) {
    const bottom = findBottom(image, x)
    if (bottom !== null) ends[bottom] = (ends[bottom] ?? 0) + 1
  }
  const near = ends.map((count, y) => (ends[y - 1] ?? 0) + 2 * count + (ends[y + 1] ?? 0))
  // What is in the upper half are dashes.
  near.fill(0, 0, image.height / 2)
  return near.indexOf(Math.max(...near))
}

/** The lowest ink of a column that has some in the upper half too, as most letters have and no underscore. */
function findBottom({ data, width, height }: Gray, x: number): number | null {
  let isHigh = false
  let bottom: number | null = null
  for (let y = 0; y < height; y++) {
    if ((data[y * width + x] ?? 255) >= INK.letter) continue
    isHigh ||= y < height / 2
    bottom = y
  }
  return isHigh ? bottom : null
}

interface Flat {
  top: number
  bottom: number
}

const isLevel = (one: Flat, other: Flat) => Math.abs(one.top + one.bottom - other.top - other.bottom) <= 4

/** Finds a thin stroke below the letters in a column that has nothing else. */
function findFlat(image: Gray, x: number, baseline: number): Flat | null {
  const { data, width, height } = image
  const lineHeight = lineHeightOf(image)
  let [top, bottom] = [-1, -1]
  for (let y = 0; y < height; y++) {
    const value = data[y * width + x] ?? 255
    if (value < INK.letter && y < baseline - STROKE.height * lineHeight) return null
    if (value >= INK.stroke || y < baseline - STROKE.below * lineHeight) continue
    if (top < 0) top = y
    bottom = y
  }
  const isThin = top >= 0 && bottom - top + 1 <= STROKE.height * lineHeight
  return isThin && (top + bottom) / 2 >= baseline + STROKE.below * lineHeight ? { top, bottom } : null
}

/** Whether a stroke goes on below the letters beside it. */
function isUnderline(image: Gray, { left, right }: { left: number; right: number }, row: number): boolean {
  const reach = Math.round(REACH * lineHeightOf(image))
  const isInk = (x: number) => x >= 0 && x < image.width && (image.data[row * image.width + x] ?? 255) < INK.stroke
  const goesOn = (from: number, step: number) =>
    Array.from({ length: reach }, (_, count) => isInk(from + step * (count + 1))).every(Boolean)
  return goesOn(left, -1) || goesOn(right, 1)
}

function findBeside(image: Gray, left: number, right: number) {
  const reach = Math.round(BESIDE * lineHeightOf(image))
  const hasInk = (from: number, to: number) => {
    for (let x = from; x <= to; x++) if (isInkColumn(image, x)) return true
    return false
  }
  return { isBehindLetter: hasInk(left - reach, left - 1), isBeforeLetter: hasInk(right + 1, right + reach) }
}

function isInkColumn({ data, width, height }: Gray, x: number): boolean {
  if (x < 0 || x >= width) return false
  for (let y = 0; y < height; y++) if ((data[y * width + x] ?? 255) < INK.letter) return true
  return false
}

function hasInkFrom(image: Gray, from: number): boolean {
  for (let x = from; x < image.width; x++) if (isInkColumn(image, x)) return true
  return false
}

/** The picture without underscores: the engine reads what is beside a blank better. */
export function eraseStrokes(image: Gray, strokes: readonly Stroke[]): Gray {
  if (strokes.length === 0) return image
  const erased = { ...image, data: image.data.slice() }
  for (const { left, right, top } of strokes)
    for (let y = Math.max(0, top - 2); y < image.height; y++)
      erased.data.fill(255, y * image.width + left, y * image.width + right + 1)
  return erased
}

/** Puts underscores between what was read beside them, and joins what they touch to a word. */
export function insertUnderscores({ words }: LineReading, strokes: readonly Stroke[], image: Gray): LineReading {
  const pitch = findPitch(words.flatMap(({ letters }) => letters))
  const each = pitch ?? USUAL_WIDTH * lineHeightOf(image)
  return { words: strokes.reduce((line, stroke) => insertStroke(line, stroke, each), words) }
}

function insertStroke(words: readonly Word[], stroke: Stroke, each: number): Word[] {
  const middle = (stroke.left + stroke.right) / 2
  const split = words.flatMap(({ letters, confidence }) => {
    const before = letters.filter(({ left, right }) => (left + right) / 2 < middle)
    const parts = [before, letters.slice(before.length)].filter((part) => part.length > 0)
    return parts.map((part) => ({ letters: part, confidence }))
  })
  const isBefore = ({ letters: [first] }: Word) => first !== undefined && (first.left + first.right) / 2 < middle
  const before = split.filter(isBefore)
  const after = split.slice(before.length)
  const { isBehindLetter, isBeforeLetter } = stroke
  const last = isBehindLetter ? before.pop() : undefined
  const next = isBeforeLetter ? after.shift() : undefined
  // Alone it is a field to be filled in.
  if (last === undefined && next === undefined) return [...words]
  const joined: Word = {
    letters: [...(last?.letters ?? []), ...divide(stroke, each), ...(next?.letters ?? [])],
    confidence: Math.min(last?.confidence ?? 100, next?.confidence ?? 100),
  }
  return [...before, joined, ...after]
}

function divide({ left, right }: Stroke, each: number): Letter[] {
  const count = Math.max(1, Math.round((right - left + 1) / each))
  const width = (right - left + 1) / count
  return Array.from({ length: count }, (_, index) => {
    return { text: '_', left: left + index * width, right: left + (index + 1) * width }
  })
}
