import clsx from 'clsx'
import { Mic, MicOff } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import * as m from '#messages'
import { Spinner } from '#web/ui/loading.tsx'
import type { Voice } from './use-tutor-voice.ts'

/** A press that lasts longer is held while speaking, a shorter one switches. */
const HOLD_MS = 350

interface VoiceButtonProps {
  voice: Pick<Voice, 'state' | 'isWriting' | 'start' | 'stop'>
  /** Pressed where the browser cannot listen. */
  onUnsupported: () => void
  describedBy: string
  /** What it is for. */
  label?: string
}

/** Hold to talk, or press to begin and press again to end; with the pointer or with the keyboard. */
export function VoiceButton({ voice, onUnsupported, describedBy, label = m.ask_by_voice() }: VoiceButtonProps) {
  const { state, isWriting } = voice
  const isListening = state === 'listening'
  const gestures = useHoldOrToggle({
    isOn: isListening,
    onStart: state === 'unsupported' ? onUnsupported : voice.start,
    onStop: voice.stop,
  })
  const Icon = state === 'unsupported' || state === 'denied' ? MicOff : Mic
  const isUnable = state === 'unsupported' || isWriting
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isListening}
      aria-disabled={isUnable || undefined}
      aria-describedby={describedBy}
      {...(isWriting ? {} : gestures)}
      className={clsx(
        'relative inline-flex size-10 shrink-0 touch-none items-center justify-center rounded-control select-none',
        'transition-colors [-webkit-touch-callout:none]',
        isListening ? 'bg-brand text-on-brand' : 'text-ink-soft hover:bg-sunken hover:text-ink',
      )}
    >
      {isListening && <span aria-hidden="true" className="absolute inset-0 animate-ping rounded-control bg-brand/25" />}
      {isWriting ? <Spinner className="size-5" /> : <Icon aria-hidden="true" className="relative size-5" />}
    </button>
  )
}

function useHoldOrToggle({ isOn, onStart, onStop }: { isOn: boolean; onStart: () => void; onStop: () => void }) {
  /** When this press began to listen; null for one that ended it. */
  const pressed = useRef<{ atMs: number; began: boolean } | null>(null)
  const isClickDone = useRef(false)
  function press() {
    if (pressed.current !== null) return
    pressed.current = { atMs: performance.now(), began: !isOn }
    isClickDone.current = true
    if (isOn) onStop()
    else onStart()
  }
  function release() {
    const { atMs, began } = pressed.current ?? { atMs: 0, began: false }
    pressed.current = null
    if (began && performance.now() - atMs > HOLD_MS) onStop()
  }
  function onKey({ key, repeat }: KeyboardEvent, act: () => void): boolean {
    const isPress = key === 'Enter' || key === ' '
    if (isPress && !repeat) act()
    return isPress
  }
  return {
    onPointerDown: (event: React.PointerEvent<HTMLButtonElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture?.(event.pointerId)
      press()
    },
    onPointerUp: release,
    onPointerCancel: release,
    // Held long, a touch would open a menu.
    onContextMenu: (event: React.MouseEvent) => event.preventDefault(),
    onKeyDown: (event: KeyboardEvent) => onKey(event, press) && event.preventDefault(),
    onKeyUp: (event: KeyboardEvent) => onKey(event, release) && event.preventDefault(),
    onBlur: release,
    /** Readers of the screen press without a pointer and without a key. */
    onClick() {
      if (isClickDone.current) isClickDone.current = false
      else if (isOn) onStop()
      else onStart()
    },
  }
}
