import { useCallback, useRef } from 'react'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { ListedStep } from '#web/features/step/listed-step.ts'
import { useCurrentStep } from '#web/features/step/use-current-step.ts'
import { usePlayhead } from './use-playhead.ts'

interface TrainingVideoOptions {
  hasVideo: boolean
  steps: readonly ListedStep[]
  startAtS?: number
}

/** Ties a video to the steps beside it: which one plays, how to jump to one, and what the editor needs of it. */
export function useTrainingVideo({ hasVideo, steps, startAtS = 0 }: TrainingVideoOptions) {
  const player = useRef<PlayerHandle>(null)
  const videoPlace = useRef<HTMLDivElement>(null)
  const showVideo = useCallback(() => {
    videoPlace.current?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [])
  const { playhead, tellTime } = usePlayhead({ player, hasVideo, startAtS, showVideo })
  const { current, noteTime } = useCurrentStep(steps, startAtS)

  function jumpTo(step: ListedStep) {
    showVideo()
    player.current?.seekTo(step.start)
    player.current?.play()
  }
  function onTimeChange(seconds: number) {
    noteTime(seconds)
    tellTime()
  }
  return { player, videoPlace, playhead, currentId: current?.id ?? null, jumpTo, onTimeChange }
}
