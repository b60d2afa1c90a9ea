import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { RESTORABLE_DAYS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { useFocusWhenFewer } from '#web/lib/use-focus-when-fewer.ts'
import { AlertDialog, Dialog } from '#web/ui/dialog.tsx'
import { ModuleCard } from './module-card.tsx'
import { type ModuleLayout, useColumnCount } from './module-toolbar.tsx'
import { useDeleteModule } from './recently-deleted.tsx'

/** About how high a row is before it is drawn and measured. */
const ROW_PX = { grid: 460, list: 110 } as const
const GAP_PX = { grid: 20, list: 12 } as const
const ROW_CLASS = {
  grid: 'grid gap-5 sm:grid-cols-2 xl:grid-cols-3',
  list: '',
} as const

interface ModuleCollectionProps {
  modules: Module[]
  layout: ModuleLayout
  /** What is shown belongs to an earlier search. */
  isStale: boolean
  /** Whether all modules are loaded, so that their number is known. */
  isComplete: boolean
  onReachEnd: () => void
  onShare: (module: Module) => void
}

export function ModuleCollection({ modules, layout, isStale, isComplete, onReachEnd, onShare }: ModuleCollectionProps) {
  const deleteModule = useDeleteModule()
  const [moduleToDelete, setModuleToDelete] = useState<Module | null>(null)
  const list = useFocusWhenFewer<HTMLDivElement>(modules.length, { preventScroll: true })
  const columns = useColumnCount(layout)
  const rowCount = Math.ceil(modules.length / columns)
  const onReach = useCallback(
    (lastRow: number) => {
      if (lastRow >= rowCount - 2) onReachEnd()
    },
    [rowCount, onReachEnd],
  )
  return (
    <>
      <VirtualRows
        // Another layout has other heights.
        key={`${layout}${columns}`}
        ref={list}
        label={m.training_modules()}
        rowCount={rowCount}
        estimatePx={ROW_PX[layout]}
        gapPx={GAP_PX[layout]}
        isBusy={isStale}
        rowClass={ROW_CLASS[layout]}
        onReach={onReach}
        renderRow={(row) =>
          modules.slice(row * columns, (row + 1) * columns).map((module, column) => (
            <div
              key={module.id}
              role="listitem"
              aria-setsize={isComplete ? modules.length : -1}
              aria-posinset={row * columns + column + 1}
            >
              <ModuleCard module={module} layout={layout} onShare={onShare} onDelete={setModuleToDelete} />
            </div>
          ))
        }
      />
      <AlertDialog
        isOpen={moduleToDelete?.mayDelete === true}
        onOpenChange={() => setModuleToDelete(null)}
        title={m.sure_to_delete_module()}
        description={sayWhatGoes(moduleToDelete)}
        confirmLabel={m.delete_action()}
        onConfirm={() => moduleToDelete && deleteModule.mutate(moduleToDelete)}
      />
      <Dialog
        isOpen={moduleToDelete?.mayDelete === false}
        onOpenChange={() => setModuleToDelete(null)}
        title={m.cannot_delete_this_module()}
        description={m.module_uploaded_by_colleague({ title: moduleToDelete?.title ?? '' })}
      >
        <p className="text-ink-soft">{m.who_can_delete_module()}</p>
      </Dialog>
    </>
  )
}

function sayWhatGoes(module: Module | null): string {
  const goes = m.module_goes_restorable_for({ title: module?.title ?? '', count: RESTORABLE_DAYS })
  return !module?.organization ? goes : `${goes} ${m.records_keep_versions()}`
}

interface VirtualRowsProps {
  ref: Ref<HTMLDivElement>
  label: string
  rowCount: number
  estimatePx: number
  gapPx: number
  isBusy: boolean
  renderRow: (row: number) => ReactNode
  rowClass: string
  onReach: (lastRow: number) => void
}

/** Rows that are drawn before they come into view: the one that the keyboard goes to next. */
const OVERSCAN = 1

/**
 * A list that scrolls with the page and draws only the rows near the window. The row that holds the focus stays, so
 * that scrolling elsewhere does not take it away, and so do the rows beside it: the keyboard goes on before the page has
 * scrolled.
 */
export function VirtualRows({ ref, label, rowCount, estimatePx, gapPx, isBusy, ...rows }: VirtualRowsProps) {
  const list = useRef<HTMLDivElement>(null)
  const scrollMargin = useOffsetTop(list)
  const [focusedRow, setFocusedRow] = useState<number | null>(null)
  const rangeExtractor = useCallback(
    (range: Range) => {
      const visibleRows = defaultRangeExtractor(range)
      if (focusedRow === null || !list.current?.contains(document.activeElement)) return visibleRows
      const focusedRows = [focusedRow - 1, focusedRow, focusedRow + 1].filter((row) => row >= 0 && row < range.count)
      return [...new Set([...visibleRows, ...focusedRows])].toSorted((a, b) => a - b)
    },
    [focusedRow],
  )
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler, which it would confuse, is not used
  const virtualizer = useWindowVirtualizer({
    count: rowCount,
    estimateSize: () => estimatePx,
    gap: gapPx,
    overscan: OVERSCAN,
    scrollMargin,
    rangeExtractor,
  })
  const items = virtualizer.getVirtualItems()
  const lastRow = virtualizer.range?.endIndex ?? rowCount - 1
  const { onReach } = rows
  useLayoutEffect(() => onReach(lastRow), [lastRow, onReach])
  return (
    <div ref={list} onFocus={({ target }) => setFocusedRow(findRow(target))}>
      <div
        ref={ref}
        role="list"
        tabIndex={-1}
        aria-label={label}
        aria-busy={isBusy}
        style={{ height: virtualizer.getTotalSize() }}
        className="relative transition-opacity duration-150 focus:outline-none aria-busy:opacity-60"
      >
        {items.map(({ index, key, start }) => (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className={`absolute inset-x-0 top-0 ${rows.rowClass}`}
            style={{ transform: `translateY(${start - scrollMargin}px)` }}
          >
            {rows.renderRow(index)}
          </div>
        ))}
      </div>
    </div>
  )
}

function findRow(element: HTMLElement): number | null {
  const row = element.closest<HTMLElement>('[data-index]')?.dataset['index']
  return row === undefined ? null : Number(row)
}

/** Where the list begins on the page; what stands above it may grow. */
function useOffsetTop(element: { current: HTMLElement | null }): number {
  const [offsetPx, setOffsetPx] = useState(0)
  useLayoutEffect(() => {
    function measure() {
      if (element.current) setOffsetPx(Math.round(element.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [element])
  return offsetPx
}
