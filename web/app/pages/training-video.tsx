import type { Ref } from 'react'
import { ModuleVideo } from '#web/features/player/module-video.tsx'
import type { PlayerHandle, PlayerProps } from '#web/features/player/player-handle.ts'
import type { LoadedModule } from '#web/features/training/module-query.ts'
import { AwaitedUpload } from './awaited-upload.tsx'

interface TrainingVideoProps {
  module: LoadedModule
  ref: Ref<PlayerHandle>
  startAtS?: number
  captionsUrl?: string | undefined
  onTimeChange: (seconds: number) => void
  onPlayback?: PlayerProps['onPlayback']
}

/** The video of a module for signed-in people, or what stands in its place while it arrives. */
export function TrainingVideo({ module, startAtS = 0, ...player }: TrainingVideoProps) {
  if (!module.hasVideo) return <AwaitedUpload moduleId={module.id} uploadPercent={module.uploadPercent} />
  return (
    <ModuleVideo
      {...player}
      urlPath={`/api/video-url/module/${encodeURIComponent(module.id)}`}
      title={module.title}
      startAtS={startAtS}
      poster={module.posterUrl ?? undefined}
    />
  )
}
