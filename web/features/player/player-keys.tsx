import { Hotkey, useHotkey } from '@videojs/react'
import { type RefObject, useEffect } from 'react'
import { listen } from '#web/lib/browser-state.ts'
import { findNextRate } from './player-settings.ts'
import type { PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'
import { useStepJumps } from './step-controls.tsx'

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

/** Most videos have 25 to 30 frames a second; browsers do not expose the number. */
const FRAME_S = 1 / 30

export function PlayerHotkeys({ steps, onShowKeys }: { steps: readonly PlayerStep[]; onShowKeys: () => void }) {
  const store = usePlayer()
  const { toPrevious, toNext } = useStepJumps(steps)
  // Of the video itself: the library's state is older until its event has come, and held keys repeat faster.
  function changeRate(way: 'slower' | 'faster') {
    const { media = {} } = store.target ?? {}
    const rate = 'playbackRate' in media ? Number(media.playbackRate) : store.playbackRate
    store.setPlaybackRate(findNextRate(rate, way))
  }
  const moveBy = (seconds: number) => store.paused && void store.seek(store.currentTime + seconds)
  // The library's own speed keys wrap from the fastest to the slowest, so these stop at the ends instead.
  useHotkey({ keys: '>', onActivate: () => changeRate('faster') })
  useHotkey({ keys: '<', onActivate: () => changeRate('slower') })
  useHotkey({ keys: ',', onActivate: () => moveBy(-FRAME_S) })
  useHotkey({ keys: '.', onActivate: () => moveBy(FRAME_S) })
  useHotkey({ keys: 'Ctrl+ArrowLeft', onActivate: toPrevious })
  useHotkey({ keys: 'Ctrl+ArrowRight', onActivate: toNext })
  useHotkey({ keys: '?', onActivate: onShowKeys })
  return KEYS.map((key) => <Hotkey key={key.keys} {...key} />)
}

/** These keys scroll the page or leave the player while its focus is outside. */
const KEYS_OF_PAGE: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'Home', 'End', 'Tab', 'Enter'])

/**
 * The player's keys also act while the focus is nowhere in particular, by their place on keyboards of other alphabets,
 * and with Ctrl on the time line, which takes all arrows for itself.
 */
export function useMoreKeys(videoRef: RefObject<HTMLVideoElement | null>, hasKeys: boolean): void {
  useEffect(() => {
    const player = videoRef.current?.closest<HTMLElement>('.player') ?? null
    if (!hasKeys || player === null) return
    const handOverIf = (isWanted: typeof isStepKey) => ({
      keydown: (event: KeyboardEvent) => isWanted(event, player) && handOver(event, player),
    })
    const ends = [listen(document, handOverIf(isStepKey), { capture: true }), listen(document, handOverIf(isForPlayer))]
    return () => ends.forEach((end) => end())
  }, [videoRef, hasKeys])
}

function isStepKey({ key, ctrlKey, target }: KeyboardEvent, player: HTMLElement): boolean {
  const isOnSlider = target instanceof HTMLElement && player.contains(target) && target.role === 'slider'
  return isOnSlider && ctrlKey && (key === 'ArrowLeft' || key === 'ArrowRight')
}

function isForPlayer(event: KeyboardEvent, player: HTMLElement): boolean {
  const { target, key } = event
  if (event.defaultPrevented || event.isComposing) return false
  if (target === document.body || target === document.documentElement) return !KEYS_OF_PAGE.has(key)
  return target instanceof Node && player.contains(target) && latinKey(event) !== key
}

function handOver(event: KeyboardEvent, player: HTMLElement): void {
  const { code, repeat, shiftKey, ctrlKey, altKey, metaKey } = event
  const same = { code, repeat, shiftKey, ctrlKey, altKey, metaKey, key: latinKey(event) }
  const isUsed = !player.dispatchEvent(new KeyboardEvent('keydown', { ...same, cancelable: true }))
  if (!isUsed) return
  event.preventDefault()
  event.stopPropagation()
}

/** The letter that a Latin keyboard has at this place, where the pressed one has none of its own. */
export function latinKey({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  const isForeign = key.length === 1 && key.charCodeAt(0) > 127
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  return isForeign && letter !== undefined ? letter.toLowerCase() : key
}
