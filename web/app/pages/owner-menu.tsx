import { Ellipsis, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { RemakeDialog } from '#web/features/training/remake-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'

/** What an owner can do with a whole module that nothing is being done with. */
export function OwnerMenu({ module }: { module: LoadedModule }) {
  const [isRemaking, setIsRemaking] = useState(false)
  if (module.role !== 'owner' || module.status === 'PROCESSING' || !module.hasVideo) return null
  const trigger = (
    <Button variant="ghost" size="icon" aria-label="More for this module" className="-my-2 -mr-2">
      <Ellipsis aria-hidden="true" className="size-5" />
    </Button>
  )
  const actions = [{ icon: RotateCcw, label: 'Make the steps again', onSelect: () => setIsRemaking(true) }]
  return (
    <>
      <Menu trigger={trigger} actions={actions} />
      <RemakeDialog module={module} isOpen={isRemaking} onOpenChange={setIsRemaking} />
    </>
  )
}
