import { PlayerFrame, PlayerLoading } from '#web/features/player/video-player.tsx'
import type { Pace } from '#web/features/training/processing-stage.ts'
import { ProcessingView } from '#web/features/training/processing-view.tsx'
import { CompanySkeleton, TrainingLayout, TwoColumns, VideoPlace } from '#web/features/training/training-layout.tsx'

/** The processing screen before the server has said anything, in the shape of what comes next. */
export function AwaitedTraining({ pace, onCheckAgain }: { pace: Pace; onCheckAgain: () => void }) {
  return (
    <TrainingLayout title="New training">
      <TwoColumns
        video={
          <VideoPlace>
            <PlayerFrame>
              <PlayerLoading />
            </PlayerFrame>
          </VideoPlace>
        }
        status={<ProcessingView progress={0} message="" pace={pace} onCheckAgain={onCheckAgain} />}
        company={<CompanySkeleton />}
      />
    </TrainingLayout>
  )
}
