import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback } from 'react'

/** Cells up to which all of them are drawn, so that small matrices are searched as a whole. */
const DRAWN_MAX = 3_000
/** Beyond the edges, so that arrow keys find the next cell. */
const BEYOND = 4

interface GridSize {
  rows: number
  columns: number
  /** The cell that has the focus is drawn wherever the grid is scrolled to. */
  active: { row: number; column: number }
}

/** A row or column that is drawn, with the space that those before it leave. */
export interface Drawn {
  index: number
  gapPx: number
}

export interface DrawnLine {
  items: readonly Drawn[]
  /** Space of those behind the last one. */
  endPx: number
}

/** About how high a row is. */
const ROW_PX = 45
/** Of a column, in `matrix-table.tsx`. */
const COLUMN_PX = 128

/** Which rows and columns of a large grid are drawn: those that its box shows. */
export function useGridWindow(box: RefObject<HTMLElement | null>, { rows, columns, active }: GridSize) {
  const isWhole = rows * columns <= DRAWN_MAX
  const line = { getScrollElement: () => box.current, overscan: BEYOND, enabled: !isWhole }
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which it would confuse, is not used
  const rowLine = useVirtualizer({
    ...line,
    count: rows,
    estimateSize: () => ROW_PX,
    rangeExtractor: useRangeWith(active.row),
  })
  const columnLine = useVirtualizer({
    ...line,
    horizontal: true,
    count: columns,
    estimateSize: () => COLUMN_PX,
    rangeExtractor: useRangeWith(active.column),
  })
  return {
    rows: isWhole ? drawAll(rows) : drawPart(rowLine),
    columns: isWhole ? drawAll(columns) : drawPart(columnLine),
    /** Takes the height of a drawn row. */
    measureRow: isWhole ? undefined : rowLine.measureElement,
  }
}

function useRangeWith(index: number) {
  return useCallback(
    (range: Range) => [...new Set([...defaultRangeExtractor(range), index])].toSorted((a, b) => a - b),
    [index],
  )
}

function drawAll(count: number): DrawnLine {
  return { items: Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 })), endPx: 0 }
}

type Line = ReturnType<typeof useVirtualizer<HTMLElement, Element>>

function drawPart(line: Line): DrawnLine {
  let end = 0
  const items = line.getVirtualItems().map(({ index, start, size }) => {
    const gapPx = start - end
    end = start + size
    return { index, gapPx }
  })
  return { items, endPx: line.getTotalSize() - end }
}
