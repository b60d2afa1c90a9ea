import { useQueryClient } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import { isRecoverableByCaptions, isRecoverableByNewRun } from '#contract/module.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { AddCaptions } from '#web/features/transcript/add-captions.tsx'
import { showBegunRun } from '#web/lib/module-cache.ts'
import { useReprocessModule } from '#web/lib/use-reprocess-module.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

interface FailureRemediesProps {
  module: LoadedModule
  onRecovered: () => void
}

/** The ways out of a failure, the cheapest first. */
export function FailureRemedies({ module, onRecovered }: FailureRemediesProps) {
  const queryClient = useQueryClient()
  const takesRun = module.hasVideo && isRecoverableByNewRun(module.failureCode)
  const takesCaptions = isRecoverableByCaptions(module.failureCode)
  const again = takesRun ? <ProcessAgain {...{ module, onRecovered }} /> : null
  const tryAgain = (
    <ButtonLink to="/upload" variant={takesRun || takesCaptions ? 'secondary' : 'primary'}>
      Try Again
    </ButtonLink>
  )
  if (!takesCaptions) {
    return (
      <div className="-m-1.5 *:m-1.5 *:align-middle">
        {again}
        {tryAgain}
      </div>
    )
  }
  function onAdded() {
    void showBegunRun(queryClient, module.id, 'Reading the captions')
    onRecovered()
  }
  return (
    <AddCaptions moduleId={module.id} onAdded={onAdded} better={again}>
      {tryAgain}
    </AddCaptions>
  )
}

function ProcessAgain({ module, onRecovered }: FailureRemediesProps) {
  const again = useReprocessModule({ onBegun: onRecovered })
  // A run whose audio got lost has nothing left to resume from.
  const label = module.failureCode === 'source_missing' ? 'Process again' : 'Go on from where it broke off'
  return (
    <Button isBusy={again.isPending} onClick={() => again.mutate({ moduleId: module.id, from: 'failed' })}>
      {!again.isPending && <RotateCcw aria-hidden="true" className="size-4" />}
      {label}
    </Button>
  )
}
