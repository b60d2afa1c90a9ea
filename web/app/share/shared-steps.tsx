import type { SharedModule } from '#contract/share.ts'
import { isStepFinished, type Learned } from '#web/features/learning/learned.ts'
import { LearnedMark } from '#web/features/learning/learned-mark.tsx'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { MoreToCome } from '#web/features/step/more-to-come.tsx'
import { StepList } from '#web/features/step/step-list.tsx'
import { useStepSummary } from '#web/features/step/use-step-summary.ts'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'

interface SharedStepsProps {
  module: Pick<SharedModule, 'status' | 'progress' | 'totalDuration'>
  learned: Learned
  steps: readonly ListedStep[]
  currentId: string | null
  onJump: (step: ListedStep) => void
}

/** The steps that exist, and for as long as more are made, how far that is. */
export function SharedSteps({ module, learned, steps, currentId, onJump }: SharedStepsProps) {
  const isGrowing = module.status === 'PROCESSING'
  const summary = useStepSummary(isGrowing ? steps.length : null)
  return (
    <section aria-labelledby="steps-heading">
      <p role="status" className="sr-only">
        {summary}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <h2 id="steps-heading" className="text-lg font-semibold">
          Steps{' '}
          {steps.length > 0 && (
            <span className="text-sm font-normal text-ink-faint tabular-nums">
              {steps.length}
              {isGrowing && ' so far'}
            </span>
          )}
        </h2>
        <LearnedMark learned={learned} durationS={module.totalDuration} />
      </div>
      <StepsProgress progress={isGrowing && steps.length > 0 ? module.progress : null} />
      {module.status === 'FAILED' && (
        <p className="mb-3 text-sm text-ink-soft">This training is not complete: some of its steps may be missing.</p>
      )}
      {isGrowing && steps.length === 0 ? (
        <StepsToCome progress={module.progress} />
      ) : (
        <StepList
          steps={steps}
          currentId={currentId}
          onJump={onJump}
          isFinished={(step) => isStepFinished(learned, step)}
        />
      )}
      {isGrowing && steps.length > 0 && <MoreToCome />}
    </section>
  )
}

/** A line between the heading and the first step. Its place stays when it goes, so that the steps do not move. */
function StepsProgress({ progress }: { progress: number | null }) {
  return (
    <div className="flex h-5 items-center">
      {progress !== null && <Progress value={progress} label="Preparing the training" look="line" />}
    </div>
  )
}

function StepsToCome({ progress }: { progress: number }) {
  return (
    <Card className="p-5">
      <p role="status" className="text-sm text-ink-soft">
        This training is being prepared. You can watch the video already; its steps appear here by themselves, usually
        within a minute or two.
      </p>
      <Progress value={progress} label="Preparing the training" className="mt-4" />
      <p className="mt-2 text-sm font-medium text-ink-soft tabular-nums">{progress}%</p>
    </Card>
  )
}
