import { type Ref, useImperativeHandle, useRef } from 'react'
import type { PlayerHandle } from './player-handle.ts'

interface EarlyHandleOptions {
  ref: Ref<PlayerHandle> | undefined
  startAtS: number
  onTimeChange: ((seconds: number) => void) | undefined
}

/**
 * Lets a page ask for a moment of the video before the player is there: its address and its code take a while on a slow
 * connection, and the steps beside it can be pressed already. The last request is carried out when the player loads.
 * @returns the ref for the player
 */
export function useEarlyHandle({ ref, startAtS, onTimeChange }: EarlyHandleOptions) {
  const player = useRef<PlayerHandle | null>(null)
  const wanted = useRef<{ seconds: number | null; isPlaying: boolean }>({ seconds: null, isPlaying: false })

  useImperativeHandle(ref, () => ({
    seekTo(seconds) {
      if (player.current !== null) return player.current.seekTo(seconds)
      wanted.current.seconds = seconds
      onTimeChange?.(seconds)
    },
    play() {
      if (player.current === null) wanted.current.isPlaying = true
      else player.current.play()
    },
    playRange(startS, endS) {
      if (player.current !== null) return player.current.playRange(startS, endS)
      wanted.current = { seconds: startS, isPlaying: true }
      onTimeChange?.(startS)
    },
    drawFrame: async (maxWidthPx) => (await player.current?.drawFrame(maxWidthPx)) ?? null,
    pause() {
      wanted.current.isPlaying = false
      player.current?.pause()
    },
    changeRate: (way) => player.current?.changeRate(way),
    get currentTime() {
      return player.current?.currentTime ?? wanted.current.seconds ?? startAtS
    },
    get isPlaying() {
      return player.current?.isPlaying ?? wanted.current.isPlaying
    },
  }))

  return (handle: PlayerHandle | null) => {
    player.current = handle
    if (handle === null) return
    const { seconds, isPlaying } = wanted.current
    wanted.current = { seconds: null, isPlaying: false }
    if (seconds !== null) handle.seekTo(seconds)
    if (isPlaying) handle.play()
  }
}
