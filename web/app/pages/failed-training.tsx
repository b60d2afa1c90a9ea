import { FailedNotice } from '#web/features/training/failed-notice.tsx'
import { FailedView } from '#web/features/training/failed-view.tsx'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { FailureRemedies } from './failure-remedies.tsx'

interface FailedTrainingProps {
  module: LoadedModule
  /** `whole` instead of the page, `notice` among steps that were found before. */
  look: 'whole' | 'notice'
  onRecovered: () => void
}

/** Why a module failed, and what its owner can do about it. */
export function FailedTraining({ module, look, onRecovered }: FailedTrainingProps) {
  const View = look === 'whole' ? FailedView : FailedNotice
  return (
    <View
      module={module}
      actions={module.role === 'owner' && <FailureRemedies module={module} onRecovered={onRecovered} />}
    />
  )
}
