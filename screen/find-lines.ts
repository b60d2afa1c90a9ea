import type { Box, Gray } from './gray.ts'

/** Lightness that neighbours in a row differ by at the edge of a letter. Letters of low contrast have about 40. */
const EDGE_MIN = 22
/** The least and the most height of text, in pixels. Smaller capitals cannot be read; larger ones are pictures. */
const HEIGHT = { least: 6, most: 110 }
/** A straight line that is longer than strokes of letters is a border. */
const BORDER_LENGTH_PX = 64

/**
 * Finds lines of text: groups of sharp edges as high as letters, close to each other in a row. What is no text is
 * among them, such as icons; reading shows which.
 */
export function findLines(image: Gray): Box[] {
  const edges = findEdges(image)
  const borders = clearBorders(edges, image)
  const words = findGroups(edges, image).flatMap((group) => splitRows(edges, image.width, group))
  const lines = joinWords(
    words.filter((word) => isLikeText(edges, image.width, word)),
    borders,
  )
  return lines.map((line) => withoutIcon(edges, image.width, line))
}

function findEdges({ data, width, height }: Gray): Uint8Array {
  const edges = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    const row = y * width
    for (let x = 0; x + 1 < width; x++) {
      const own = data[row + x] ?? 0
      const across = own - (data[row + x + 1] ?? 0)
      const down = own - (data[row + x + width] ?? own)
      if (across > EDGE_MIN || across < -EDGE_MIN || down > EDGE_MIN || down < -EDGE_MIN) edges[row + x] = 1
    }
  }
  return edges
}

/**
 * Borders of windows and fields, and underlines, would join the lines beside them.
 * @returns the upright ones, which no line of text crosses
 */
function clearBorders(edges: Uint8Array, { width, height }: Gray): Box[] {
  // Each of them crosses others, so all are found before any is cleared.
  const flat = findRunsOf(edges, { count: height, step: width }, { count: width, step: 1, gap: 0 })
  // Where it crosses another one, it has no edge.
  const upright = findRunsOf(edges, { count: width, step: 1 }, { count: height, step: width, gap: 1 })
  for (const { place, from, to } of flat) edges.fill(0, place * width + from, place * width + to)
  for (const { place, from, to } of upright) for (let y = from; y < to; y++) edges[y * width + place] = 0
  return upright.map(({ place, from, to }) => ({ x: place, y: from, width: 1, height: to - from }))
}

interface Direction {
  count: number
  step: number
}

function findRunsOf(edges: Uint8Array, across: Direction, along: Direction & { gap: number }) {
  const runs: { place: number; from: number; to: number }[] = []
  for (let place = 0; place < across.count; place++) {
    let from = 0
    let last = -1
    const end = () => {
      if (last - from >= BORDER_LENGTH_PX) runs.push({ place, from, to: last + 1 })
    }
    for (let at = 0; at < along.count; at++) {
      if (edges[place * across.step + at * along.step] !== 1) continue
      if (at - last > 1 + along.gap) {
        end()
        from = at
      }
      last = at
    }
    end()
  }
  return runs
}

/** Letters of a word are not further apart. */
const LETTER_GAP_PX = 3

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

/** Share of the pixels of a word that are edges: surfaces have less. */
const DENSITY_MIN = 0.06

function isLikeText(edges: Uint8Array, width: number, box: Box): boolean {
  if (box.height > HEIGHT.most) return false
  // Dots, dashes and the like.
  if (box.height < HEIGHT.least) return true
  let count = 0
  for (let y = box.y; y < box.y + box.height; y++)
    for (let x = box.x; x < box.x + box.width; x++) count += edges[y * width + x] ?? 0
  return count >= DENSITY_MIN * box.width * box.height
}

/** Words of a line are not further apart, in heights of the line. */
const WORD_GAP = 1.3
/** Share of the lower one's height that the words of a line have in common. */
const OVERLAP_MIN = 0.5
/** How far a mark is from its line at most, in heights of the line: underscores are below most letters. */
const MARK_REACH = 0.25
/** The most that a mark measures, in heights of its line; a wider one is an underline. */
const MARK = { height: 0.45, width: 3 }
/** A capital is about twice as high as a dot is wide; an icon beside a label is higher. */
const HEIGHT_RATIO_MAX = 2.4

/** Joins words to lines, from left to right, then marks to the lines that they are in. */
function joinWords(words: readonly Box[], borders: readonly Box[]): Box[] {
  const lines: { letters: Box; whole: Box }[] = []
  // Marks are the last: what is small beside a line may be large enough for another one.
  for (const part of joinNear(words, { borders, ratioMax: HEIGHT_RATIO_MAX }).toSorted((a, b) => b.height - a.height)) {
    const near = lines.map((line) => ({ line, distance: distanceOf(line.letters, part) }))
    const nearest = near.toSorted((a, b) => a.distance - b.distance)[0]
    if (nearest === undefined || nearest.distance > MARK_REACH) lines.push({ letters: part, whole: part })
    else nearest.line.whole = unite(nearest.line.whole, part)
  }
  // A dash may be all that is between two parts of a line.
  const wholes = lines.map(({ letters, whole }) => withinReach(letters, whole))
  return joinNear(wholes, { borders, ratioMax: 2 * HEIGHT_RATIO_MAX })
    .filter(({ height, width }) => height >= HEIGHT.least && width >= HEIGHT.least)
    .toSorted(byPosition)
}

/** Keeps a line from growing by noise around it, mark after mark. */
function withinReach(letters: Box, whole: Box): Box {
  const reach = Math.max(2, Math.round(MARK_REACH * letters.height))
  const y = Math.max(whole.y, letters.y - reach)
  const bottom = Math.min(whole.y + whole.height, letters.y + letters.height + reach)
  return { ...whole, y, height: bottom - y }
}

interface Joining {
  borders: readonly Box[]
  /** How much higher a part may be than the one beside it. */
  ratioMax: number
}

function joinNear(parts: readonly Box[], { borders, ratioMax }: Joining): Box[] {
  const lines: Box[] = []
  for (const part of parts.toSorted((a, b) => a.x - b.x)) {
    const index = lines.findLastIndex((line) => {
      return isNext(line, part, ratioMax) && !borders.some((border) => isBetween(border, line, part))
    })
    const line = lines[index]
    if (line === undefined) lines.push(part)
    else lines[index] = unite(line, part)
  }
  return lines
}

function isNext(line: Box, word: Box, ratioMax: number): boolean {
  const lower = Math.min(line.height, word.height)
  const higher = Math.max(line.height, word.height)
  const common = Math.min(line.y + line.height, word.y + word.height) - Math.max(line.y, word.y)
  const gap = word.x - (line.x + line.width)
  return gap <= WORD_GAP * higher && common >= OVERLAP_MIN * lower && higher <= ratioMax * lower
}

/** Icons are about as wide as high, higher than the label beside them, and further from it than letters. */
const ICON = { ratio: 1.3, narrow: 0.6, wide: 1.7, gap: 0.15 }

/** Cuts an icon off in front of a line. */
function withoutIcon(edges: Uint8Array, width: number, line: Box): Box {
  const least = Math.max(LETTER_GAP_PX, ICON.gap * line.height)
  let empty = 0
  for (let x = line.x; x < line.x + Math.min(line.width, ICON.wide * line.height + least); x++) {
    empty = isEmpty(edges, width, { ...line, x }) ? empty + 1 : 0
    if (empty < least) continue
    const first = trim(edges, width, { ...line, width: x - line.x })
    const rest = trim(edges, width, { ...line, x, width: line.x + line.width - x })
    if (first === null || rest === null) return line
    const isSquare = first.width >= ICON.narrow * first.height && first.width <= ICON.wide * first.height
    return isSquare && first.height >= ICON.ratio * rest.height ? rest : line
  }
  return line
}

function isEmpty(edges: Uint8Array, width: number, { x, y, height }: Box): boolean {
  for (let row = y; row < y + height; row++) if (edges[row * width + x] === 1) return false
  return true
}

function isBetween(border: Box, line: Box, word: Box): boolean {
  const middle = word.y + word.height / 2
  const isBeside = border.x >= line.x + line.width - 3 && border.x <= word.x + 2
  return isBeside && border.y <= middle && border.y + border.height >= middle
}

/** How far a mark is above or below a line, in heights of the line; infinite for what is no mark of it. */
function distanceOf(line: Box, mark: Box): number {
  const gap = Math.max(mark.x - (line.x + line.width), line.x - (mark.x + mark.width))
  const isSmall = mark.height <= MARK.height * line.height && mark.width <= MARK.width * line.height
  if (!isSmall || gap > WORD_GAP * line.height) return Number.POSITIVE_INFINITY
  // Commas and underscores are below the letters of their line; only quotes are above.
  const outside = Math.max(0, mark.y - (line.y + line.height), 2 * (line.y - mark.y - mark.height))
  // Of two lines that are as near, the one whose middle is nearer.
  const off = Math.abs(mark.y + mark.height / 2 - line.y - line.height / 2)
  return (outside + off / 100) / line.height
}

function byPosition(one: Box, other: Box): number {
  return one.y - other.y || one.x - other.x
}
