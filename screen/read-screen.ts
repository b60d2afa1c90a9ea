import {
  SCREEN_BLOCKS_MAX,
  SCREEN_SECRETS_MAX,
  SCREEN_TEXT_MAX,
  type ScreenBlock,
  type ScreenReading,
} from '#contract/screen.ts'
import { findChanges, shareOf, TILE_PX, type Tiles, touches } from './changed-tiles.ts'
import { classify } from './classify.ts'
import { findLines } from './find-lines.ts'
import { findSecret } from './find-secret.ts'
import type { Box, Gray } from './gray.ts'
import { joinBlocks, joinSecrets } from './join-blocks.ts'
import { confidenceOf, type LineReading, type LineText, toText } from './line-text.ts'
import { isSameLine, OTHER_HEIGHT_PX, type PreparedLine, prepareLine, toFrame } from './prepare-line.ts'
import { beginsWithName } from './repair-command.ts'
import { settleCommands } from './settle-commands.ts'
import { eraseStrokes, findStrokes, insertUnderscores, mayHaveUnderscores } from './underscores.ts'

/** What a video shows at a moment. */
export interface SampledFrame {
  timeMs: number
  image: Gray
}

export interface ReadOptions {
  /** Reads the picture of one line; positions are in its pixels. */
  readLine: (image: Gray) => Promise<LineReading>
  /** Whether there is time for more; what was read until then stays. */
  hasTime?: () => boolean
  onProgress?: (timeMs: number) => void
}

/** A line of text that stays where it is, unchanged. */
export interface Track {
  box: Box
  startMs: number
  endMs: number
  /** Null until it was read, and where there is nothing to read. */
  text: LineText | null
  isRead: boolean
  /** How often the same was read. */
  timesAlike: number
}

/** A line that was read once counts from these confidences on; fitted on `bench:screen`. */
const SURE = { mean: 0.86, meanOfNames: 0.75, least: 0.55 }
/** One that was read alike in two frames, from this on. */
const LIKELY = 0.6
/** A frame that many lines change in is in motion, and none that is gone by the next frame is read. */
const PASSING_MAX = 4
/** How fast what is known of a part of the picture is forgotten, per frame, and when it counts as moving. */
const MOTION = { memory: 0.8, moving: 0.62, share: 0.5 }

/**
 * Reads the text that a video shows: each line once it is still, and again where it was not read surely. Moving parts
 * of the picture are left alone.
 * @param frames in order of time, all of one size
 */
export async function readScreen(
  frames: AsyncIterable<SampledFrame>,
  options: ReadOptions,
): Promise<Omit<ScreenReading, 'isDone'>> {
  const reader = new ScreenReader(options)
  let readMs = 0
  for await (const frame of frames) {
    if (options.hasTime?.() === false) break
    await reader.take(frame)
    readMs = frame.timeMs
    options.onProgress?.(readMs)
  }
  return { readMs, ...(await reader.finish()) }
}

class ScreenReader {
  #readLine: ReadOptions['readLine']
  #before: SampledFrame | null = null
  #motion: Float32Array | null = null
  #open: Track[] = []
  #closed: Track[] = []
  /** Pictures of lines that were read, so that a line that moved is not read again. */
  #seen: { image: Gray; text: LineText | null }[] = []

  constructor({ readLine }: ReadOptions) {
    this.#readLine = readLine
  }

  async take(frame: SampledFrame): Promise<void> {
    const before = this.#before
    const tiles = findChanges(before?.image ?? null, frame.image)
    this.#noteMotion(tiles, before !== null)
    if (tiles.changed.includes(1)) {
      await this.#endChanged(frame, tiles)
      await this.#begin(frame, tiles)
    }
    for (const track of this.#open) track.endMs = frame.timeMs
    // What was there in the frame before, too, stays for a while.
    for (const track of this.#open) if (track.startMs < frame.timeMs && !track.isRead) await this.#read(track, frame)
    this.#before = frame
  }

  async finish(): Promise<Pick<ScreenReading, 'blocks' | 'secrets'>> {
    if (this.#before !== null) await this.#close(this.#open, this.#before)
    return toBlocks(this.#closed, this.#before?.image ?? { width: 1, height: 1 })
  }

  #noteMotion({ changed }: Tiles, isKnown: boolean): void {
    if (this.#motion?.length !== changed.length) this.#motion = new Float32Array(changed.length)
    if (!isKnown) return
    const motion = this.#motion
    for (let tile = 0; tile < changed.length; tile++)
      motion[tile] = (motion[tile] ?? 0) * MOTION.memory + (changed[tile] ?? 0) * (1 - MOTION.memory)
  }

  /** Closes the tracks of lines that this frame no longer shows. */
  async #endChanged(frame: SampledFrame, tiles: Tiles): Promise<void> {
    const before = this.#before
    if (before === null) return
    const isGone = (track: Track) =>
      touches(tiles, tiles.changed, track.box) && isChanged(before.image, frame.image, track.box)
    const gone = this.#open.filter(isGone)
    this.#open = this.#open.filter((track) => !gone.includes(track))
    await this.#close(gone, before)
  }

  /** @param last the last frame that shows them */
  async #close(tracks: readonly Track[], last: SampledFrame): Promise<void> {
    const passing = tracks.filter(({ isRead }) => !isRead)
    for (const track of tracks) {
      if (track.isRead ? isUnsure(track) && last.timeMs > track.startMs : passing.length <= PASSING_MAX)
        await this.#read(track, last)
    }
    this.#closed.push(...tracks.filter(({ text }) => text !== null))
  }

  /** Begins tracks of the lines that are new in this frame, and ends those of lines that were added to. */
  async #begin({ timeMs, image }: SampledFrame, tiles: Tiles): Promise<void> {
    const motion = Uint8Array.from(this.#motion ?? [], (share) => Number(share > MOTION.moving))
    const found = listBands(tiles, image.height).flatMap(({ y, height }) => {
      const band = { ...image, height, data: image.data.subarray(y * image.width, (y + height) * image.width) }
      return findLines(band).map((box) => ({ ...box, y: box.y + y }))
    })
    for (const box of found) {
      if (!touches(tiles, tiles.changed, box) || shareOf(tiles, motion, box) > MOTION.share) continue
      const known = this.#open.filter((track) => overlaps(track.box, box))
      if (known.some((track) => hasSameEnds(track.box, box))) continue
      // What is typed behind a line leaves its beginning as it is.
      this.#open = this.#open.filter((track) => !known.includes(track))
      if (this.#before !== null) await this.#close(known, this.#before)
      this.#open.push({ box, startMs: timeMs, endMs: timeMs, text: null, isRead: false, timesAlike: 0 })
    }
  }

  async #read(track: Track, { image }: SampledFrame): Promise<void> {
    const text = await this.#readBox(image, track.box)
    if (track.isRead && text?.text === track.text?.text) track.timesAlike++
    else if (!track.isRead || meanOf(text) > meanOf(track.text)) {
      track.text = text
      track.timesAlike = 1
    }
    track.isRead = true
  }

  async #readPrepared(line: PreparedLine, box: Box): Promise<LineText | null> {
    const { words } = await this.#readUnderscored(line.image)
    return toText({
      words: words.map((word) => ({
        ...word,
        letters: word.letters.map((letter) => ({
          ...letter,
          left: box.x + toFrame(line, letter.left),
          right: box.x + toFrame(line, letter.right),
        })),
      })),
    })
  }

  /** Reads a line once more without its underscores, where it has some. */
  async #readUnderscored(image: Gray): Promise<LineReading> {
    const reading = await this.#readLine(image)
    const strokes = mayHaveUnderscores(reading) ? findStrokes(image) : []
    if (strokes.length === 0) return reading
    return insertUnderscores(await this.#readLine(eraseStrokes(image, strokes)), strokes, image)
  }

  /** Reads an unsure line once more, in another size. */
  async #readSurer(frame: Gray, box: Box, first: LineText): Promise<LineText> {
    const line = prepareLine(frame, box, OTHER_HEIGHT_PX)
    const second = line === null ? null : await this.#readPrepared(line, box)
    if (second === null) return first
    return confidenceOf(second).least > confidenceOf(first).least ? second : first
  }

  async #readBox(frame: Gray, box: Box): Promise<LineText | null> {
    const line = prepareLine(frame, box)
    if (line === null) return null
    const seen = this.#seen.find((other) => isSameLine(other.image, line.image))
    if (seen !== undefined) return seen.text
    const first = await this.#readPrepared(line, box)
    const text = first === null || isSure(first) ? first : await this.#readSurer(frame, box, first)
    // Those that were unsure are read again, from another frame.
    if (text === null || isSure(text)) {
      this.#seen.unshift({ image: line.image, text })
      this.#seen.length = Math.min(this.#seen.length, SEEN_MAX)
    }
    return text
  }
}

/** About five screens full of lines. */
const SEEN_MAX = 200

const meanOf = (text: LineText | null) => (text === null ? 0 : confidenceOf(text).mean)

/** The name of a program that people know is no misreading. */
function isSure(text: LineText): boolean {
  const { mean, least } = confidenceOf(text)
  return least >= SURE.least && mean >= (beginsWithName(text.text) ? SURE.meanOfNames : SURE.mean)
}

function isUnsure({ text, timesAlike }: Track): boolean {
  return text !== null && !isSure(text) && timesAlike < 2
}

/** Lightness by which a pixel of a line differs that shows something else, and how many of them make another line. */
const LINE_CHANGE = { pixel: 48, count: 5 }

function isChanged(before: Gray, after: Gray, box: Box): boolean {
  let count = 0
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      const index = y * after.width + x
      if (Math.abs((before.data[index] ?? 0) - (after.data[index] ?? 0)) > LINE_CHANGE.pixel) count++
      if (count >= LINE_CHANGE.count) return true
    }
  }
  return false
}

/** Rows of tiles around a change in which lines are looked for: the highest lines fit in. */
const BAND_MARGIN = 4

/** Lists the parts of the picture, as wide as it is, in which something changed. */
function listBands({ columns, rows, changed }: Tiles, frameHeight: number): { y: number; height: number }[] {
  const bands: { first: number; last: number }[] = []
  for (let row = 0; row < rows; row++) {
    if (!changed.subarray(row * columns, (row + 1) * columns).includes(1)) continue
    const first = Math.max(0, row - BAND_MARGIN)
    const last = Math.min(rows - 1, row + BAND_MARGIN)
    const before = bands.at(-1)
    if (before !== undefined && first <= before.last + 1) before.last = last
    else bands.push({ first, last })
  }
  return bands.map(({ first, last }) => {
    const y = first * TILE_PX
    return { y, height: Math.min(frameHeight, (last + 1) * TILE_PX) - y }
  })
}

/** Whether two lines cover each other by half of the smaller one. */
function overlaps(one: Box, other: Box): boolean {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  if (width <= 0 || height <= 0) return false
  return width * height >= 0.5 * Math.min(one.width * one.height, other.width * other.height)
}

/** Letters are wider than this share of the height of their line; noise at an end of a line is not. */
const ENDS = 0.2

function hasSameEnds(one: Box, other: Box): boolean {
  const most = Math.max(3, ENDS * Math.min(one.height, other.height))
  return Math.abs(one.x - other.x) <= most && Math.abs(one.x + one.width - other.x - other.width) <= most
}

/** Where fewer of the characters are letters or digits, they are marks, icons or noise. */
const READABLE_SHARE = 0.5

function isReadable(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}\p{N}]/gu)?.length ?? 0
  // Patterns of a picture are read as single letters.
  const hasWord = /[\p{L}\p{M}\p{N}]{2}/u.test(text)
  return hasWord && letters >= READABLE_SHARE * text.replaceAll(/\s/gu, '').length
}

function toBlocks(tracks: readonly Track[], { width, height }: { width: number; height: number }) {
  const secrets: ScreenReading['secrets'] = []
  const blocks: ScreenBlock[] = []
  for (const line of settleCommands(tracks)) {
    // What was typed is told by all that was read; what is stored was read surely.
    if (!isCertain(line)) continue
    const { text, box, startMs, endMs, kind } = line
    const secret = findSecret(text.text)
    if (secret !== null) secrets.push({ startMs, endMs, kind: secret })
    else if (isReadable(text.text))
      blocks.push({
        text: text.text.slice(0, SCREEN_TEXT_MAX),
        startMs,
        endMs,
        box: {
          x: share(box.x, width),
          y: share(box.y, height),
          width: share(box.width, width),
          height: share(box.height, height),
        },
        kind: kind ?? classify(text.text),
        confidence: Math.round(meanOf(text) * 100) / 100,
      })
  }
  return {
    secrets: joinSecrets(secrets).slice(0, SCREEN_SECRETS_MAX),
    blocks: joinBlocks(blocks).slice(0, SCREEN_BLOCKS_MAX),
  }
}

function isCertain({ text, timesAlike }: Pick<Track, 'text' | 'timesAlike'>): boolean {
  return text !== null && (isSure(text) || (timesAlike >= 2 && meanOf(text) >= LIKELY))
}

const share = (pixels: number, of: number) => Math.round(Math.max(0, Math.min(1, pixels / of)) * 10_000) / 10_000
