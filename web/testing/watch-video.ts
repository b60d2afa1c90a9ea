import { act } from '@testing-library/react'
import { vi } from 'vitest'
import type { PlayerProps } from '#web/features/player/player-handle.ts'

type OnPlayback = NonNullable<PlayerProps['onPlayback']>

/** Plays a video at normal speed, with the events of a player, and pauses it. Needs faked timers. */
export async function watchVideo(onPlayback: OnPlayback, fromS: number, toS: number): Promise<void> {
  await act(async () => {
    onPlayback({ kind: 'play', seconds: fromS, isPlaying: true })
    for (let seconds = fromS + 0.25; seconds <= toS; seconds += 0.25) {
      await vi.advanceTimersByTimeAsync(250)
      onPlayback({ kind: 'time', seconds, isPlaying: true })
    }
    onPlayback({ kind: 'pause', seconds: toS, isPlaying: false })
    await vi.advanceTimersByTimeAsync(0)
  })
}
