import { type RefObject, useState } from 'react'
import type { PlayerHandle } from '#web/features/player/player-handle.ts'
import type { Playhead } from '#web/features/step-editor/playhead.ts'

/**
 * The player as the step editor needs it, and what to tell it when the time moves.
 * @param showVideo brings the picture into sight before a preview
 */
export function usePlayhead(
  player: RefObject<PlayerHandle | null>,
  showVideo: () => void = () => {},
): { playhead: Playhead; tellTime: () => void } {
  const [made] = useState(() => {
    const listeners = new Set<() => void>()
    const playhead: Playhead = {
      readTimeS: () => player.current?.currentTime ?? null,
      preview(startS, endS) {
        showVideo()
        player.current?.playRange(startS, endS)
      },
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    function tellTime() {
      for (const listener of listeners) listener()
    }
    return { playhead, tellTime }
  })
  return made
}
