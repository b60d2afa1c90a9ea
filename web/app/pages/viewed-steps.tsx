import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import { isStepFinished, type Learned } from '#web/features/learning/learned.ts'
import { LearnedMark } from '#web/features/learning/learned-mark.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { StepList } from '#web/features/step/step-list.tsx'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'

interface ViewedStepsProps {
  module: Pick<LoadedModule, 'status' | 'totalDuration'>
  query: UseQueryResult<StepsAnswer>
  learned: Learned
  currentId: string | null
  onJump: (step: ListedStep) => void
}

/** The steps as those see them who may follow but not change them. */
export function ViewedSteps({ module, query, learned, currentId, onJump }: ViewedStepsProps) {
  const steps = query.data?.steps ?? []
  const isGrowing = module.status === 'PROCESSING'
  useStepHash(steps.length > 0, useLocation().hash)
  if (isGrowing && steps.length === 0) return null
  return (
    <StepPanel
      query={query}
      count={steps.length}
      isGrowing={isGrowing}
      action={<LearnedMark learned={learned} durationS={module.totalDuration} />}
    >
      <StepList
        steps={steps}
        currentId={currentId}
        onJump={onJump}
        isFinished={(step) => isStepFinished(learned, step)}
      />
    </StepPanel>
  )
}
