import { Hotkey, useHotkey } from '@videojs/react'
import { usePlayer } from './player-store.ts'

/** YouTube's keys, which viewers know by heart. They act while the focus is in the player. */
const KEYS = [
  { keys: 'Space', action: 'togglePaused' },
  { keys: 'k', action: 'togglePaused' },
  { keys: 'j', action: 'seekStep', value: -10 },
  { keys: 'l', action: 'seekStep', value: 10 },
  { keys: 'ArrowLeft', action: 'seekStep', value: -5 },
  { keys: 'ArrowRight', action: 'seekStep', value: 5 },
  { keys: 'ArrowUp', action: 'volumeStep', value: 0.05 },
  { keys: 'ArrowDown', action: 'volumeStep', value: -0.05 },
  { keys: 'm', action: 'toggleMuted' },
  { keys: 'f', action: 'toggleFullscreen' },
  { keys: 'c', action: 'toggleSubtitles' },
  { keys: 'i', action: 'togglePictureInPicture' },
  { keys: '0-9', action: 'seekToPercent' },
  { keys: 'Home', action: 'seekToPercent', value: 0 },
  { keys: 'End', action: 'seekToPercent', value: 100 },
] as const

/** The library's own speed keys wrap from the fastest to the slowest, so these stop at the ends instead. */
function useSpeedKeys() {
  const store = usePlayer()
  // Read at the press: held keys repeat faster than the player draws.
  useHotkey({
    keys: '>',
    onActivate() {
      const { playbackRates, playbackRate } = store
      const faster = playbackRates.find((rate) => rate > playbackRate)
      if (faster !== undefined) store.setPlaybackRate(faster)
    },
  })
  useHotkey({
    keys: '<',
    onActivate() {
      const { playbackRates, playbackRate } = store
      const slower = playbackRates.findLast((rate) => rate < playbackRate)
      if (slower !== undefined) store.setPlaybackRate(slower)
    },
  })
}

export function PlayerHotkeys() {
  useSpeedKeys()
  return KEYS.map((key) => <Hotkey key={key.keys} {...key} />)
}
