import { type RefObject, useMemo } from 'react'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import { findNextStart, findPreviousStart, findStepIndex, type PlayerStep } from '#web/features/player/player-step.ts'
import type { TutorVideo } from '#web/features/tutor/tutor-video.ts'
import { useLatest } from '#web/features/tutor/use-latest.ts'
import type { VideoCommand } from '#web/features/tutor/voice/read-command.ts'

interface TutorVideoOptions {
  player: RefObject<PlayerHandle | null>
  steps: readonly PlayerStep[]
  onJump: (seconds: number) => void
}

/** The player as the tutor needs it. The same for as long as the page is open. */
export function useTutorVideo(options: TutorVideoOptions): TutorVideo {
  const latest = useLatest(options)
  return useMemo(() => makeTutorVideo(() => latest.current), [latest])
}

function makeTutorVideo(read: () => TutorVideoOptions): TutorVideo {
  let wasPlaying = false
  function isPlaying(): boolean {
    return read().player.current?.isPlaying ?? false
  }
  function goOn() {
    if (wasPlaying && !isPlaying()) read().player.current?.play()
    wasPlaying = false
  }
  return {
    playFrom: (seconds) => read().onJump(seconds),
    hold() {
      wasPlaying = isPlaying()
      read().player.current?.pause()
    },
    release: goOn,
    get isPlaying() {
      return isPlaying()
    },
    obey(command) {
      const { player, steps, onJump } = read()
      const handle = player.current
      if (handle === null) return
      if (command === 'stop') {
        wasPlaying = false
        handle.pause()
      } else if (command === 'slower' || command === 'faster') {
        handle.changeRate(command)
        goOn()
      } else {
        const to = findTarget(command, steps, handle.currentTime)
        if (to !== null) onJump(to)
      }
    },
  }
}

function findTarget(
  command: Exclude<VideoCommand, 'stop' | 'slower' | 'faster'>,
  steps: readonly PlayerStep[],
  timeS: number,
): number | null {
  if (command === 'next') return findNextStart(steps, timeS)
  if (command === 'previous') return findPreviousStart(steps, timeS)
  return steps[findStepIndex(steps, timeS)]?.start ?? 0
}
