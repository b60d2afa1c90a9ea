import { Clapperboard, Copy, Ellipsis, History, RotateCcw, UserCheck } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import * as m from '#messages'
import { ShareButton } from '#web/features/share/share-card.tsx'
import { useDuplicateModule } from '#web/features/training/duplicate-module.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { ModuleTitle } from '#web/features/training/module-title.tsx'
import { RemakeDialog, TakeOverDialog } from '#web/features/training/owner-dialogs.tsx'
import { usePerson } from '#web/lib/api.ts'
import { isAtWork } from '#web/lib/module-cache.ts'
import { Menu } from '#web/ui/menu.tsx'
import { recordingPath, trainingPath, versionsPath } from '../shared/paths.ts'
import { renderShareWarnings } from '../shared/share-warnings.tsx'
import { TakeAlongMenu } from './take-along-menu.tsx'

/** The title of a training, and what can be done with the whole of it. */
export function TrainingHeading({ module }: { module: LoadedModule }) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-64">
        <ModuleTitle module={module} />
      </div>
      <div className="flex min-h-10 shrink-0 items-center gap-1">
        {module.role !== 'editor' && <ShareButton module={module} renderWarnings={renderShareWarnings} />}
        <TakeAlongMenu module={module} />
        {module.role === 'editor' ? <EditorMenu module={module} /> : <OwnerMenu module={module} />}
      </div>
    </div>
  )
}

/** What an invited person reads of a whole module. */
function EditorMenu({ module: { id, status } }: { module: LoadedModule }) {
  const navigate = useNavigate()
  if (status !== 'READY') return null
  const actions = [{ icon: History, label: m.published_versions(), onSelect: () => void navigate(versionsPath(id)) }]
  return (
    <Menu variant="ghost" size="icon" aria-label={m.more_for_this_module()} className="-me-2" actions={actions}>
      <Ellipsis aria-hidden="true" className="size-5" />
    </Menu>
  )
}

/** What an owner can do with a whole module that nothing is being done with. */
function OwnerMenu({ module }: { module: LoadedModule }) {
  const [isRemaking, setIsRemaking] = useState(false)
  const [isTakingOver, setIsTakingOver] = useState(false)
  const person = usePerson()
  const navigate = useNavigate()
  const duplicate = useDuplicateModule(module, (moduleId) => void navigate(trainingPath(moduleId)))
  if (module.role !== 'owner' || isAtWork(module) || !module.hasVideo) return null
  const actions = [{ icon: RotateCcw, label: m.reprocess(), onSelect: () => setIsRemaking(true) }]
  if (module.status === 'READY') {
    const toVersions = () => void navigate(versionsPath(module.id))
    actions.push({ icon: History, label: m.published_versions(), onSelect: toVersions })
    const toRecording = () => void navigate(recordingPath(module.id))
    if (module.replaces === null)
      actions.push({ icon: Clapperboard, label: m.replace_the_video_action(), onSelect: toRecording })
    actions.push({ icon: Copy, label: m.duplicate_training(), onSelect: () => duplicate.mutate() })
  }
  // Besides the uploader, only admins of the module's organization may delete it, and they may take it over.
  if (module.mayDelete && person !== null && module.userId !== person) {
    actions.push({ icon: UserCheck, label: m.take_over(), onSelect: () => setIsTakingOver(true) })
  }
  return (
    <>
      <Menu variant="ghost" size="icon" aria-label={m.more_for_this_module()} className="-me-2" actions={actions}>
        <Ellipsis aria-hidden="true" className="size-5" />
      </Menu>
      <RemakeDialog module={module} isOpen={isRemaking} onOpenChange={setIsRemaking} />
      <TakeOverDialog module={module} isOpen={isTakingOver} onOpenChange={setIsTakingOver} />
    </>
  )
}
