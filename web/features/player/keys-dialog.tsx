import { X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import type { PageKeys } from './player-handle.ts'
import { changeSettings, usePlayerSettings } from './player-settings.ts'
import './keys-dialog.css'

const KEYS = [
  ['Space or K', 'Play or pause'],
  ['J and L', '10 seconds back and forward'],
  ['← and →', '5 seconds back and forward'],
  ['Ctrl + ← and Ctrl + →', 'Previous and next step'],
  [', and .', 'One frame back and forward, while paused'],
  ['0 to 9', 'To a tenth of the video'],
  ['Home and End', 'To the beginning and the end, inside the player'],
  ['< and >', 'Slower and faster'],
  ['↑ and ↓', 'Louder and quieter, inside the player'],
  ['M', 'Audio on or off'],
  ['C', 'Captions on or off'],
  ['I', 'Picture in picture'],
  ['F', 'Full screen'],
  ['?', 'This list'],
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
            Keyboard shortcuts
          </h2>
          <button
            type="button"
            aria-label="Close"
            className="-mr-2 inline-grid size-10 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
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
          <span className="font-medium">Use these keys</span>
        </label>
        <p id={`${id}-means`} className="mt-1 pl-8 text-sm text-ink-soft">
          {hasKeys ? 'They act while nothing on the page is being typed.' : 'They are off; the buttons still work.'}
        </p>
        <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-5 gap-y-2 border-t border-line pt-4 text-sm">
          {[...KEYS, ...pageKeys].map(([keys, does]) => (
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
