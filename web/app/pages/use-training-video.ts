import { useCallback, useRef, useState } from 'react'
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
  const [beginAtS, setBeginAtS] = useState(startAtS)
  const { playhead, updateTime } = usePlayhead({ player, hasVideo, startAtS: beginAtS, showVideo })
  const { current, noteTime } = useCurrentStep(steps, startAtS)

  const jumpTo = (step: ListedStep) => jumpToTime(step.start)
  function jumpToTime(seconds: number) {
    showVideo()
    if (!hasVideo) return awaitVideo(seconds)
    player.current?.seekTo(seconds)
    player.current?.play()
  }
  /** The video is still on its way: it begins there once it has arrived. */
  function awaitVideo(seconds: number) {
    setBeginAtS(seconds)
    noteTime(seconds)
  }
  function onTimeChange(seconds: number) {
    noteTime(seconds)
    updateTime()
  }
  return { player, videoPlace, beginAtS, playhead, currentId: current?.id ?? null, jumpTo, jumpToTime, onTimeChange }
}
