import { X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import * as m from '#messages'
import type { PageKeys } from './player-handle.ts'
import { changeSettings, usePlayerSettings } from './player-settings.ts'

const LISTED_KEYS = [
  [m.space_or_k(), m.play_or_pause()],
  [m.keys_j_and_l(), m.n_10_seconds_back_and_forward()],
  [m.keys_left_and_right(), m.n_5_seconds_back_and_forward()],
  [m.keys_ctrl_left_and_right(), m.previous_and_next_step()],
  [m.keys_comma_and_period(), m.one_frame_back_and_forward()],
  [m.keys_0_to_9(), m.to_a_tenth_of_the()],
  [m.keys_home_and_end(), m.to_the_beginning_and_the()],
  [m.keys_less_and_greater(), m.slower_and_faster()],
  ['+ −', m.larger_and_smaller_picture()],
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
