import {
  defaultRangeExtractor,
  observeElementRect,
  type Range,
  type Rect,
  useVirtualizer,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { type RefObject, useCallback, useMemo, useRef } from 'react'

/** Cells up to which all of them are drawn, so that small matrices are searched as a whole. */
const DRAWN_MAX = 1_000
/** Beyond the edges, so that arrow keys find the next cell. */
const BEYOND = 1

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
/** The names beside the cells and the titles above them take at least this of the box. */
const HEADS_PX = { width: 176, height: 60 } as const

/** Which rows and columns of a large grid are drawn: those that its box shows. */
export function useGridWindow(box: RefObject<HTMLElement | null>, { rows, columns, active }: GridSize) {
  const isWhole = rows * columns <= DRAWN_MAX
  const line = {
    getScrollElement: () => box.current,
    observeElementRect: observeCells,
    overscan: BEYOND,
    enabled: !isWhole,
  }
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
    isRtl: document.dir === 'rtl',
    count: columns,
    estimateSize: () => COLUMN_PX,
    rangeExtractor: useRangeWith(active.column),
  })
  return {
    rows: useDrawnLine(rows, isWhole ? null : rowLine),
    columns: useDrawnLine(columns, isWhole ? null : columnLine),
    /** Takes the height of a drawn row. */
    measureRow: isWhole ? undefined : rowLine.measureElement,
  }
}

function observeCells(line: Virtualizer<HTMLElement, Element>, take: (rect: Rect) => void) {
  return observeElementRect(line, ({ width, height }) => {
    take({ width: Math.max(0, width - HEADS_PX.width), height: Math.max(0, height - HEADS_PX.height) })
  })
}

/** The same list as before where nothing else is drawn, so that moving the focus draws no row again. */
function useRangeWith(index: number) {
  const before = useRef<number[]>([])
  return useCallback(
    (range: Range) => {
      const drawn = [...new Set([...defaultRangeExtractor(range), index])].toSorted((a, b) => a - b)
      if (String(drawn) !== String(before.current)) before.current = drawn
      return before.current
    },
    [index],
  )
}

type Line = ReturnType<typeof useVirtualizer<HTMLElement, Element>>

/** Another one only where something else is drawn: scrolling alone draws no row again. */
function useDrawnLine(count: number, line: Line | null): DrawnLine {
  const shown = line?.getVirtualItems() ?? null
  const totalPx = line?.getTotalSize() ?? 0
  return useMemo(() => {
    if (shown === null) return { items: Array.from({ length: count }, (_, index) => ({ index, gapPx: 0 })), endPx: 0 }
    let end = 0
    const items = shown.map(({ index, start, size }) => {
      const gapPx = start - end
      end = start + size
      return { index, gapPx }
    })
    return { items, endPx: totalPx - end }
  }, [count, shown, totalPx])
}
