import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isMendedByCaptions } from '#contract/module.ts'
import { FailedNotice } from '#web/features/training/failed-notice.tsx'
import { FailedView } from '#web/features/training/failed-view.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { AddCaptions } from '#web/features/transcript/add-captions.tsx'
import { showBegunRun } from '#web/lib/module-cache.ts'

interface FailedTrainingProps {
  module: LoadedModule
  /** `whole` instead of the page, `notice` among steps that were found before. */
  look: 'whole' | 'notice'
  onMended: () => void
}

/** Why a module failed, with captions as the way out where they help. */
export function FailedTraining({ module, look, onMended }: FailedTrainingProps) {
  const queryClient = useQueryClient()
  const canMend = module.role === 'owner' && isMendedByCaptions(module.failureCode)

  function showProcessing() {
    void showBegunRun(queryClient, module.id, 'Reading the captions')
    onMended()
  }
  const renderCaptions = (otherActions: ReactNode) => (
    <AddCaptions moduleId={module.id} onAdded={showProcessing}>
      {otherActions}
    </AddCaptions>
  )
  const View = look === 'whole' ? FailedView : FailedNotice
  return <View module={module} renderRemedy={canMend ? renderCaptions : undefined} />
}
