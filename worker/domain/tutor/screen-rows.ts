import type { ScreenBlock } from '#contract/screen.ts'
import type { ScreenRow, ShownRows } from './open-index.ts'
import { stemsOf } from './screen-question.ts'
import { stemTerm } from './words/words.ts'

interface Row extends ScreenRow {
  endMs: number
  /** The first of its blocks. */
  block: ScreenBlock
  /** Something else stands behind that block later. */
  isGrown: boolean
}

/** What a text is, by how it is written, in the words by which people ask for it. */
const WRITTEN: readonly (readonly [RegExp, readonly string[]])[] = [
  [/https?:|www\./u, ['web', 'address', 'link', 'url', 'site', 'website']],
  [/\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{4}/u, ['date', 'day']],
  [/\d\.\d/u, ['version', 'release']],
  [/(?:^|\s)~?\/\S+|\.\p{L}{2,4}$/u, ['file', 'path']],
].map(([pattern, words]) => [pattern as RegExp, (words as string[]).map(stemTerm)])

/** Lines of one paragraph or output are no further apart, in heights of a line. */
const MAX_DISTANCE = 3
/** So many lines beneath a heading or a command may be what it is about. */
const MAX_BENEATH = 6
/** More texts than a screen has beside one, or near beneath it, are no table and no output. */
const MAX_BESIDE = 12
const MAX_LOOKED_AT = 60
/** A heading and what stands beneath it begin at the same distance from the left, as a share of the width. */
const SAME_LEFT = 0.03
/** Announces what stands beneath it. */
const HEADING = /[:：]\s*$/u
/** A value replaces the one before it within so long. */
const REPLACED_WITHIN_MS = 1_500

/** Lists what stands together on a screen: labels and values, headings and lines, commands and outputs. @param blocks in order of time */
export function listRows(blocks: readonly ScreenBlock[]): ShownRows[] {
  const groups = blocks.map((block) => listBeside(block, listVisible(blocks, block)))
  const isReplaced = openReplaced(groups.flatMap((rows) => rows.slice(0, 1)))
  return groups.flat().flatMap((row) => {
    const { block } = row
    const single = toShown([row], { isOutput: false, isReplaced: row.isGrown || isReplaced(row) })
    const isOutput = block.kind === 'command'
    if (!isOutput && !HEADING.test(row.text)) return [single]
    const beneath = listBeneath(row, listVisible(blocks, block))
    return [single, ...beneath.map((other) => toShown([row, other], { isOutput, isReplaced: false }))]
  })
}

function toShown(rows: readonly Row[], what: Pick<ShownRows, 'isOutput' | 'isReplaced'>): ShownRows {
  const text = rows.map((row) => row.text).join(' ')
  const kinds = WRITTEN.filter(([pattern]) => pattern.test(text)).flatMap(([, stems]) => stems)
  return { rows: rows.map((row) => ({ text: row.text, startMs: row.startMs })), ...what, words: stemsOf(text), kinds }
}

/** Lists the blocks that are visible at some time with another one. @param blocks in order of time */
function listVisible(blocks: readonly ScreenBlock[], { startMs, endMs }: ScreenBlock): ScreenBlock[] {
  const visible: ScreenBlock[] = []
  for (const other of blocks) {
    if (other.startMs > endMs) break
    if (other.endMs >= startMs) visible.push(other)
  }
  return visible
}

function isBeside({ box }: ScreenBlock, { box: other }: ScreenBlock): boolean {
  const shared = Math.min(box.y + box.height, other.y + other.height) - Math.max(box.y, other.y)
  return shared >= 0.5 * Math.min(box.height, other.height)
}

/** Lists the rows that begin with a block: another one each time when what stands to the right of it changes. */
function listBeside(block: ScreenBlock, visible: readonly ScreenBlock[]): Row[] {
  const right = visible
    .filter((other) => other !== block && isBeside(block, other) && other.box.x >= block.box.x + block.box.width)
    .slice(0, MAX_BESIDE)
    .toSorted((left, other) => left.box.x - other.box.x)
  const times = new Set([block, ...right].map(({ startMs }) => Math.max(startMs, block.startMs)))
  const rows = [...times]
    .toSorted((left, other) => left - other)
    .map((startMs): Row => {
      const there = [block, ...right.filter((other) => other.startMs <= startMs && other.endMs >= startMs)]
      const endMs = Math.min(...there.map((each) => each.endMs))
      return { text: there.map(({ text }) => text).join(' '), startMs, endMs, block, isGrown: false }
    })
  const different = rows.filter(({ text }, at) => rows.findIndex((row) => row.text === text) === at)
  return different.map((row, at) => ({ ...row, isGrown: at < different.length - 1 }))
}

/** Lists the rows of the paragraph or output beneath a row, from above. */
function listBeneath({ block }: Row, visible: readonly ScreenBlock[]): Row[] {
  const below = visible
    .filter(({ box }) => box.y >= block.box.y + 0.5 * block.box.height)
    .toSorted((above, other) => above.box.y - other.box.y)
    .slice(0, MAX_LOOKED_AT)
  const rows: Row[] = []
  let last = block
  for (const each of below) {
    if (rows.length === MAX_BENEATH || each.kind === 'command') break
    if (each.box.y - last.box.y > MAX_DISTANCE * Math.max(block.box.height, each.box.height)) break
    const isFirst = !below.some((other) => other.box.x < each.box.x && isBeside(each, other))
    if (isBeside(each, last) || !(block.kind === 'command' ? isFirst : isAligned(block, each))) continue
    const found = listBeside(each, visible).filter(
      ({ startMs }) => startMs >= block.startMs || each.endMs >= block.startMs,
    )
    rows.push(...found.map((row) => ({ ...row, startMs: Math.max(row.startMs, block.startMs) })))
    last = each
  }
  return rows.slice(0, MAX_BENEATH)
}

/** Whether two lines begin at the left alike, or are centred alike. */
function isAligned({ box }: ScreenBlock, { box: other }: ScreenBlock): boolean {
  const centre = Math.abs(box.x + box.width / 2 - other.x - other.width / 2)
  return Math.abs(box.x - other.x) <= SAME_LEFT || centre <= SAME_LEFT
}

/** Finds out of which rows another one took the place, with another value behind the same label. @param others those of each label at first */
function openReplaced(others: readonly Row[]): (row: Row) => boolean {
  const labelOf = ({ text }: Row) => text.split(/\s/u)[0] ?? ''
  const byLabel = Map.groupBy(others, labelOf)
  return (row) =>
    (byLabel.get(labelOf(row)) ?? []).some((other) => {
      const isNext = other.startMs > row.startMs && Math.abs(other.startMs - row.endMs) <= REPLACED_WITHIN_MS
      return isNext && other.text !== row.text && isBeside(row.block, other.block) && isAligned(row.block, other.block)
    })
}
