import { Ellipsis, RotateCcw, UserCheck } from 'lucide-react'
import { useState } from 'react'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { RemakeDialog } from '#web/features/training/remake-dialog.tsx'
import { TakeOverDialog } from '#web/features/training/take-over-dialog.tsx'
import { usePerson } from '#web/lib/api-context.tsx'
import { Menu } from '#web/ui/menu.tsx'

/** What an owner can do with a whole module that nothing is being done with. */
export function OwnerMenu({ module }: { module: LoadedModule }) {
  const [isRemaking, setIsRemaking] = useState(false)
  const [isTakingOver, setIsTakingOver] = useState(false)
  const person = usePerson()
  if (module.role !== 'owner' || module.status === 'PROCESSING' || !module.hasVideo) return null
  const actions = [{ icon: RotateCcw, label: 'Make the steps again', onSelect: () => setIsRemaking(true) }]
  // Besides the uploader, only admins of the module's organization may delete it, and they may take it over.
  if (module.mayDelete && person !== null && module.userId !== person) {
    actions.push({ icon: UserCheck, label: 'Take over', onSelect: () => setIsTakingOver(true) })
  }
  return (
    <>
      <Menu variant="ghost" size="icon" aria-label="More for this module" className="-my-2 -mr-2" actions={actions}>
        <Ellipsis aria-hidden="true" className="size-5" />
      </Menu>
      <RemakeDialog module={module} isOpen={isRemaking} onOpenChange={setIsRemaking} />
      <TakeOverDialog module={module} isOpen={isTakingOver} onOpenChange={setIsTakingOver} />
    </>
  )
}
