import { useMemo } from 'react'
import { sharePath } from '#contract/share-page.ts'
import { ModuleVideo } from '#web/features/player/module-video.tsx'
import type { PlayerProps } from '#web/features/player/player-handle.ts'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { listPlayerSteps } from '../player-steps.ts'
import { AwaitedUpload } from './awaited-upload.tsx'

interface TrainingVideoProps extends Omit<PlayerProps, 'src' | 'title' | 'poster' | 'steps' | 'link'> {
  module: LoadedModule
  steps?: readonly ListedStep[]
}

const NO_STEPS: readonly ListedStep[] = []

/** The video of a module for signed-in people, or what stands in its place while it arrives. */
export function TrainingVideo({ module, steps = NO_STEPS, ...player }: TrainingVideoProps) {
  const { id, posterUrl, shared, trainingUrl } = module
  const chapters = useMemo(() => listPlayerSteps(steps, posterUrl), [steps, posterUrl])
  if (!module.hasVideo) return <AwaitedUpload moduleId={id} uploadPercent={module.uploadPercent} />
  return (
    <ModuleVideo
      {...player}
      urlPath={`/api/video-url/module/${encodeURIComponent(id)}`}
      title={module.title}
      poster={posterUrl ?? undefined}
      steps={chapters}
      link={shared ? sharePath(id) : trainingUrl}
    />
  )
}
