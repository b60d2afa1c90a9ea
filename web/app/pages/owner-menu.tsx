import { Ellipsis, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { RemakeDialog } from '#web/features/training/remake-dialog.tsx'
import { Menu } from '#web/ui/menu.tsx'

/** What an owner can do with a whole module that nothing is being done with. */
export function OwnerMenu({ module }: { module: LoadedModule }) {
  const [isRemaking, setIsRemaking] = useState(false)
  if (module.role !== 'owner' || module.status === 'PROCESSING' || !module.hasVideo) return null
  const actions = [{ icon: RotateCcw, label: 'Make the steps again', onSelect: () => setIsRemaking(true) }]
  return (
    <>
      <Menu variant="ghost" size="icon" aria-label="More for this module" className="-my-2 -mr-2" actions={actions}>
        <Ellipsis aria-hidden="true" className="size-5" />
      </Menu>
      <RemakeDialog module={module} isOpen={isRemaking} onOpenChange={setIsRemaking} />
    </>
  )
}
