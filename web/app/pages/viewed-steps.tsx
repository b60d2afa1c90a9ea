import type { UseQueryResult } from '@tanstack/react-query'
import { useLocation } from 'react-router-dom'
import type { StepsAnswer } from '#contract/step.ts'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { StepList } from '#web/features/step/step-list.tsx'
import { StepPanel } from '#web/features/step/step-panel.tsx'
import { useStepHash } from '#web/features/step/use-step-hash.ts'

interface ViewedStepsProps {
  query: UseQueryResult<StepsAnswer>
  isGrowing: boolean
  currentId: string | null
  onJump: (step: ListedStep) => void
}

/** The steps as those see them who may follow but not change them. */
export function ViewedSteps({ query, isGrowing, currentId, onJump }: ViewedStepsProps) {
  const steps = query.data?.steps ?? []
  useStepHash(steps.length > 0, useLocation().hash)
  if (isGrowing && steps.length === 0) return null
  return (
    <StepPanel query={query} count={steps.length} isGrowing={isGrowing}>
      <StepList steps={steps} currentId={currentId} onJump={onJump} />
    </StepPanel>
  )
}
