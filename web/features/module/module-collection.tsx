import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { RESTORABLE_DAYS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { ModuleCard } from './module-card.tsx'
import { useDeleteModule } from './use-delete-module.ts'
import { type ModuleLayout, useColumnCount } from './use-layout.ts'
import { VirtualRows } from './virtual-rows.tsx'

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

/** The cards, and the question before one of them goes. */
export function ModuleCollection({ modules, layout, isStale, isComplete, onReachEnd, onShare }: ModuleCollectionProps) {
  const deleteModule = useDeleteModule()
  const [asked, setAsked] = useState<Module | null>(null)
  const list = useRef<HTMLDivElement>(null)
  useFocusWhenLost(list, modules.length)
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
        label="Training modules"
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
              <ModuleCard module={module} layout={layout} onShare={onShare} onDelete={setAsked} />
            </div>
          ))
        }
      />
      <AlertDialog
        isOpen={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Are you sure you want to delete this module?"
        description={`“${asked?.title ?? ''}” goes with its video, steps and link. You can restore it for ${RESTORABLE_DAYS} days.`}
        confirmLabel="Delete"
        onConfirm={() => asked && deleteModule.mutate(asked)}
      />
    </>
  )
}

/** A card that goes takes the focus of its button along; the list takes it over, so that the keyboard stays here. */
function useFocusWhenLost(list: RefObject<HTMLElement | null>, count: number) {
  const shown = useRef(count)
  useEffect(() => {
    if (count < shown.current && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
    shown.current = count
  }, [list, count])
}
