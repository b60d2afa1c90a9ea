import { Hotkey, useHotkey } from '@videojs/react'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef } from 'react'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import type { PageKeys } from './player-handle.ts'
import { changeSettings, findNextRate, usePlayerSettings } from './player-settings.ts'
import type { PlayerStep } from './player-step.ts'
import { usePlayer } from './player-store.ts'
import { useStepJumps } from './step-controls.tsx'
import './keys-dialog.css'

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

const LISTED_KEYS = [
  [m.space_or_k(), m.play_or_pause()],
  [m.keys_j_and_l(), m.n_10_seconds_back_and_forward()],
  [m.keys_left_and_right(), m.n_5_seconds_back_and_forward()],
  [m.keys_ctrl_left_and_right(), m.previous_and_next_step()],
  [m.keys_comma_and_period(), m.one_frame_back_and_forward()],
  [m.keys_0_to_9(), m.to_a_tenth_of_the()],
  [m.keys_home_and_end(), m.to_the_beginning_and_the()],
  [m.keys_less_and_greater(), m.slower_and_faster()],
  [m.keys_up_and_down(), m.louder_and_quieter_inside_the()],
  ['M', m.audio_on_or_off()],
  ['C', m.captions_on_or_off()],
  ['I', m.picture_in_picture()],
  ['F', m.full_screen()],
  ['?', m.this_list()],
] as const satisfies PageKeys

/** The keys of the player, and the switch for those who do without them. Lies over a full screen, too. */
export function KeysDialog({ pageKeys = [], onClose }: { pageKeys?: PageKeys | undefined; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const { hasKeys } = usePlayerSettings()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby={`${id}-title`} className="player-keys" onClose={onClose} closedby="any">
      <div className="player-keys-panel">
        <div className="flex items-center justify-between gap-4">
          <h2 id={`${id}-title`} className="text-lg font-semibold">
            {m.keyboard_shortcuts()}
          </h2>
          <button
            type="button"
            aria-label={m.close()}
            className="-me-2 inline-grid size-10 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
            onClick={() => dialog.current?.close()}
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </div>
        <label className="mt-3 flex min-h-6 cursor-pointer items-start gap-3 text-sm">
          <input
            type="checkbox"
            checked={hasKeys}
            aria-describedby={`${id}-means`}
            onChange={(event) => changeSettings({ hasKeys: event.currentTarget.checked })}
            className="mt-0.5 size-5 shrink-0 accent-brand"
          />
          <span className="font-medium">{m.use_these_keys()}</span>
        </label>
        <p id={`${id}-means`} className="mt-1 ps-8 text-sm text-ink-soft">
          {hasKeys ? m.they_act_while_nothing_on() : m.they_are_off_the_buttons()}
        </p>
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 border-t border-line pt-4 text-sm">
          {[...LISTED_KEYS, ...pageKeys].map(([keys, does]) => (
            <div key={keys} className="contents">
              <dt className="font-medium tabular-nums">{keys}</dt>
              <dd className="text-ink-soft">{does}</dd>
            </div>
          ))}
        </dl>
      </div>
    </dialog>
  )
}
