import { useEffect, useRef, useState } from 'react'
import type { Module } from '#contract/module.ts'
import { AlertDialog } from '#web/ui/alert-dialog.tsx'
import { ModuleCard, type ModuleLayout } from './module-card.tsx'
import { useDeleteModule } from './use-delete-module.ts'

const COLLECTION_CLASS = {
  grid: 'grid gap-5 sm:grid-cols-2 xl:grid-cols-3',
  list: 'flex flex-col gap-3',
} as const

/** The cards, and the question before one of them goes. */
export function ModuleCollection({ modules, layout }: { modules: Module[]; layout: ModuleLayout }) {
  const deleteModule = useDeleteModule()
  const [asked, setAsked] = useState<Module | null>(null)
  const list = useFocusWhenLost(modules.length)
  function confirm() {
    if (asked) deleteModule.mutate(asked)
  }
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Training modules"
        className={`${COLLECTION_CLASS[layout]} focus:outline-none`}
      >
        {modules.map((module) => (
          <li key={module.id}>
            <ModuleCard module={module} layout={layout} onDelete={() => setAsked(module)} />
          </li>
        ))}
      </ul>
      <AlertDialog
        isOpen={asked !== null}
        onOpenChange={() => setAsked(null)}
        title="Are you sure you want to delete this module?"
        description={`“${asked?.title ?? ''}” will be deleted for good, with its video, steps and link.`}
        confirmLabel="Delete"
        onConfirm={confirm}
      />
    </>
  )
}

/** A card that goes takes the focus of its button along; the list takes it over, so that the keyboard stays here. */
function useFocusWhenLost(count: number) {
  const list = useRef<HTMLUListElement>(null)
  const shown = useRef(count)
  useEffect(() => {
    if (count < shown.current && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
    shown.current = count
  }, [count])
  return list
}
