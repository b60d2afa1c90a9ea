import { Hotkey, useHotkey } from '@videojs/react'
import { findNextRate } from './player-settings.ts'
import type { PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'
import { useStepKeys } from './step-controls.tsx'

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
  const change = (way: 'slower' | 'faster') => store.setPlaybackRate(findNextRate(store.playbackRate, way))
  useHotkey({ keys: '>', onActivate: () => change('faster') })
  useHotkey({ keys: '<', onActivate: () => change('slower') })
}

/** Most videos have 25 to 30 frames a second; browsers do not expose the number. */
const FRAME_S = 1 / 30

function useFrameKeys() {
  const store = usePlayer()
  function moveBy(seconds: number) {
    if (store.paused) void store.seek(store.currentTime + seconds)
  }
  useHotkey({ keys: ',', onActivate: () => moveBy(-FRAME_S) })
  useHotkey({ keys: '.', onActivate: () => moveBy(FRAME_S) })
}

interface PlayerHotkeysProps {
  steps: readonly PlayerStep[]
  onShowKeys: () => void
}

export function PlayerHotkeys({ steps, onShowKeys }: PlayerHotkeysProps) {
  useSpeedKeys()
  useFrameKeys()
  useStepKeys(steps)
  useHotkey({ keys: '?', onActivate: onShowKeys })
  return KEYS.map((key) => <Hotkey key={key.keys} {...key} />)
}
