import { type RefObject, useMemo, useState } from 'react'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'

interface PlayheadOptions {
  player: RefObject<PlayerHandle | null>
  hasVideo: boolean
  /** Where the video stands until its player is loaded. */
  startAtS: number
  /** Brings the image into sight before a preview. */
  showVideo: () => void
}

/** The player as the step editor needs it, and a callback for when its time moves. */
export function usePlayhead({ player, hasVideo, startAtS, showVideo }: PlayheadOptions) {
  const [listeners] = useState(() => new Set<() => void>())
  const [subscribe] = useState(() => (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  })
  const playhead: Playhead = useMemo(
    () => ({
      readTimeS: () => (hasVideo ? (player.current?.currentTime ?? startAtS) : null),
      preview(startS, endS) {
        showVideo()
        player.current?.playRange(startS, endS)
      },
      subscribe,
    }),
    [player, hasVideo, startAtS, showVideo, subscribe],
  )
  function updateTime() {
    for (const listener of listeners) listener()
  }
  return { playhead, updateTime }
}
