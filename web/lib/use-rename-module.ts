import { useEffect, useRef, useState } from 'react'
import type { Module } from '#contract/module.ts'
import { useChangeModule } from './use-change-module.ts'

/** Whether a module's title is being edited, and what becomes of the new one. */
export function useRenameModule({ id, title }: Pick<Module, 'id' | 'title'>) {
  const [isRenaming, setIsRenaming] = useState(false)
  const change = useChangeModule(id, { failure: 'Failed to rename module' })
  const opener = useReturn(isRenaming)
  return {
    isRenaming,
    /** The control that the focus goes back to. */
    opener,
    begin: () => setIsRenaming(true),
    cancel: () => setIsRenaming(false),
    save: (next: string) => {
      setIsRenaming(false)
      change.mutate({ patch: { title: next }, before: { title } })
    },
  }
}

/** The editor takes the focus with it when it goes. */
function useReturn(isRenaming: boolean) {
  const opener = useRef<HTMLButtonElement>(null)
  const wasRenaming = useRef(false)
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) opener.current?.focus({ preventScroll: true })
    wasRenaming.current = isRenaming
  }, [isRenaming])
  return opener
}
