import type { Box, Gray } from './gray.ts'

/** Lightness that neighbours in a row differ by at the edge of a letter. Letters of low contrast have about 40. */
const EDGE_MIN = 22
/** The least and the most height of text, in pixels. Smaller capitals cannot be read; larger ones are pictures. */
const HEIGHT = { least: 6, most: 110 }
/** A vertical line this much longer than text is high is a border. */
const BORDER_LENGTH_PX = 48

/**
 * Finds lines of text: groups of sharp edges as high as letters, close to each other in a row. What is no text is
 * among them, such as icons; reading shows which.
 */
export function findLines(image: Gray): Box[] {
  const edges = findEdges(image)
  clearBorders(edges, image)
  const words = findGroups(edges, image).flatMap((group) => splitRows(edges, image.width, group))
  return joinWords(words.filter((word) => isLikeText(edges, image.width, word)))
}

function findEdges({ data, width, height }: Gray): Uint8Array {
  const edges = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0; x + 1 < width; x++) {
      const difference = (data[row + x] ?? 0) - (data[row + x + 1] ?? 0)
      if (difference > EDGE_MIN || difference < -EDGE_MIN) edges[row + x] = 1
    }
  }
  return edges
}

/** Borders of windows and fields would join the lines beside them. */
function clearBorders(edges: Uint8Array, { width, height }: Gray): void {
  for (let x = 0; x < width; x++) {
    let from = 0
    for (let y = 0; y <= height; y++) {
      if (y < height && edges[y * width + x] === 1) continue
      if (y - from > BORDER_LENGTH_PX) for (let each = from; each < y; each++) edges[each * width + x] = 0
      from = y + 1
    }
  }
}

/** Letters of a word are not further apart. */
const LETTER_GAP_PX = 5

/** Finds what is connected when edges of a row that are close to each other are joined. */
function findGroups(edges: Uint8Array, { width, height }: Gray): Box[] {
  const runs: Run[] = []
  let before: Run[] = []
  for (let y = 0; y < height; y++) {
    const row = findRuns(edges, width, y)
    let first = 0
    for (const run of row) {
      while ((before[first]?.end ?? run.start) < run.start) first++
      for (let at = first; at < before.length; at++) {
        const above = before[at]
        if (above === undefined || above.start > run.end) break
        join(above, run)
      }
    }
    runs.push(...row)
    before = row
  }
  const boxes = new Map<Run, Box>()
  for (const run of runs) {
    const root = rootOf(run)
    const box = boxes.get(root)
    const own = { x: run.start, y: run.y, width: run.end - run.start + 2, height: 1 }
    boxes.set(root, box === undefined ? own : unite(box, own))
  }
  return [...boxes.values()]
}

interface Run {
  y: number
  start: number
  end: number
  parent: Run | null
}

function findRuns(edges: Uint8Array, width: number, y: number): Run[] {
  const runs: Run[] = []
  let last: Run | null = null
  for (let x = 0; x < width; x++) {
    if (edges[y * width + x] !== 1) continue
    if (last !== null && x - last.end <= LETTER_GAP_PX) last.end = x
    else runs.push((last = { y, start: x, end: x, parent: null }))
  }
  return runs
}

function rootOf(run: Run): Run {
  let root = run
  while (root.parent !== null) root = root.parent
  // Shortened, so that the next look is short.
  if (run !== root) run.parent = root
  return root
}

function join(one: Run, other: Run): void {
  const [a, b] = [rootOf(one), rootOf(other)]
  if (a !== b) b.parent = a
}

export function unite(one: Box, other: Box): Box {
  const x = Math.min(one.x, other.x)
  const y = Math.min(one.y, other.y)
  return {
    x,
    y,
    width: Math.max(one.x + one.width, other.x + other.width) - x,
    height: Math.max(one.y + one.height, other.y + other.height) - y,
  }
}

/** Rows with fewer edges than this share of the fullest row are between two lines. */
const VALLEY = 0.12

/** Splits groups of lines that touch, where a row has few edges. */
function splitRows(edges: Uint8Array, width: number, group: Box): Box[] {
  const counts = Array.from({ length: group.height }, (_, row) => {
    let count = 0
    const from = (group.y + row) * width + group.x
    for (let x = 0; x < group.width; x++) count += edges[from + x] ?? 0
    return count
  })
  const most = Math.max(...counts)
  const parts: Box[] = []
  let from = 0
  for (let row = 1; row <= counts.length; row++) {
    const isEnd = row === counts.length
    const isValley = !isEnd && (counts[row] ?? 0) <= VALLEY * most && row - from >= 2 * HEIGHT.least
    const isBelow = counts.length - row >= 2 * HEIGHT.least
    if (!isEnd && !(isValley && isBelow && isLowest(counts, row))) continue
    parts.push({ x: group.x, y: group.y + from, width: group.width, height: row - from })
    from = row
  }
  return parts.map((part) => trim(edges, width, part)).filter((part) => part !== null)
}

/** Whether no row near is emptier. */
function isLowest(counts: readonly number[], row: number): boolean {
  const own = counts[row] ?? 0
  return [-2, -1, 1, 2].every((offset) => (counts[row + offset] ?? own) >= own)
}

/** Cuts a box down to its edges. */
function trim(edges: Uint8Array, width: number, box: Box): Box | null {
  let trimmed: Box | null = null
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      if (edges[y * width + x] !== 1) continue
      const pixel = { x, y, width: 2, height: 1 }
      trimmed = trimmed === null ? pixel : unite(trimmed, pixel)
    }
  }
  return trimmed
}

/** Share of the pixels of a word that are edges: lines have less, noise has all. */
const DENSITY = { least: 0.06, most: 0.97 }

function isLikeText(edges: Uint8Array, width: number, box: Box): boolean {
  if (box.height > HEIGHT.most) return false
  if (isMark(box)) return true
  let count = 0
  for (let y = box.y; y < box.y + box.height; y++)
    for (let x = box.x; x < box.x + box.width; x++) count += edges[y * width + x] ?? 0
  const density = count / (box.width * box.height)
  return density >= DENSITY.least && density <= DENSITY.most
}

/** Dots, dashes and the like are too small to be words of their own, and belong to the line that they are in. */
function isMark({ height }: Box): boolean {
  return height < HEIGHT.least
}

/** Words of a line are not further apart, in heights of the line. */
const WORD_GAP = 1.3
/** Share of the lower one's height that the words of a line have in common. */
const OVERLAP_MIN = 0.5
/** How far a mark is above or below letters, in their heights. */
const MARK_REACH = 0.4
/** A capital is about twice as high as a dot is wide; an icon beside a label is higher. */
const HEIGHT_RATIO_MAX = 2.4

/** Joins words to lines, from left to right. */
function joinWords(words: readonly Box[]): Box[] {
  const lines: Box[] = []
  for (const word of words.toSorted((a, b) => a.x - b.x)) {
    const index = lines.findLastIndex((line) => isNext(line, word))
    const line = lines[index]
    if (line === undefined) lines.push(word)
    else lines[index] = unite(line, word)
  }
  return lines.filter(({ height, width }) => height >= HEIGHT.least && width >= HEIGHT.least).toSorted(byPosition)
}

function isNext(line: Box, word: Box): boolean {
  const [lower, higher] = line.height < word.height ? [line, word] : [word, line]
  // Dots and underscores are below most letters, and quotes above.
  const reach = isMark(lower) ? MARK_REACH * higher.height : 0
  const common = Math.min(line.y + line.height, word.y + word.height) - Math.max(line.y, word.y) + reach
  const gap = word.x - (line.x + line.width)
  const isNear = gap <= WORD_GAP * Math.max(higher.height, 2 * HEIGHT.least) && common >= OVERLAP_MIN * lower.height
  return isNear && (isMark(lower) || higher.height <= HEIGHT_RATIO_MAX * lower.height)
}

function byPosition(one: Box, other: Box): number {
  return one.y - other.y || one.x - other.x
}
