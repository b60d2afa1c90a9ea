import clsx from 'clsx'
import { Check, Mic } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import * as m from '#messages'
import { keepStored, readStored } from '#web/lib/browser-state.ts'
import { Button } from '#web/ui/button.tsx'
import type { useVoice, VoiceState } from './use-hands-free.ts'

interface LargeProps {
  label: string
  isMain?: boolean
  isOff?: boolean
  onPress: () => void
  children: ReactNode
}

/** Large enough for a glove. */
export function Large({ label, isMain = false, isOff = false, onPress, children }: LargeProps) {
  return (
    <Button
      variant={isMain ? 'primary' : 'secondary'}
      aria-disabled={isOff}
      onClick={() => !isOff && onPress()}
      className="h-18! flex-col gap-1! px-1! text-base!"
    >
      {children}
      {label}
    </Button>
  )
}

interface DoneButtonProps {
  isDone: boolean
  isOff: boolean
  onPress: (isDone: boolean) => void
}

export function DoneButton({ isDone, isOff, onPress }: DoneButtonProps) {
  return (
    <Button
      variant="secondary"
      aria-pressed={isDone}
      aria-disabled={isOff}
      onClick={() => !isOff && onPress(!isDone)}
      className={clsx(
        'h-18! flex-col gap-1! px-1! text-base!',
        isDone && 'border-brand! bg-brand-soft! text-brand-ink!',
      )}
    >
      <Check aria-hidden="true" className={clsx('size-6', !isDone && 'opacity-40')} strokeWidth={3} />
      {m.done_state()}
    </Button>
  )
}

export function Finished({ id, count, doneCount }: { id: string; count: number; doneCount: number }) {
  return (
    <div className="grid place-items-center gap-3 py-16 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-brand text-on-brand">
        <Check aria-hidden="true" className="size-9" strokeWidth={3} />
      </span>
      <h2 id={id} className="text-2xl font-semibold">
        {m.that_was_the_last_step()}
      </h2>
      <p className="text-lg text-ink-soft">{m.steps_marked({ done: doneCount, count })}</p>
    </div>
  )
}

const VOICE_KNOWN = 'adapt_follow_voice'

/** Before the first use it says where the speech goes. */
export function VoiceButton({ voice, words }: { voice: NonNullable<ReturnType<typeof useVoice>>; words: string[] }) {
  const [isAsking, setIsAsking] = useState(false)
  const isOn = voice.state === 'listening'
  function press() {
    if (isOn) voice.stop()
    else if (readStored(VOICE_KNOWN) !== null) voice.start()
    else setIsAsking(!isAsking)
  }
  function agree() {
    keepStored(VOICE_KNOWN, 'yes')
    setIsAsking(false)
    voice.start()
  }
  return (
    <div className="relative">
      <Button
        variant={isOn ? 'primary' : 'ghost'}
        className="px-3"
        aria-pressed={isOn}
        aria-expanded={isAsking}
        onClick={press}
      >
        <Mic aria-hidden="true" className="size-5" />
        <span className="max-sm:sr-only">{m.voice()}</span>
      </Button>
      {isAsking && (
        <div className="absolute top-full end-0 z-10 mt-2 w-[min(20rem,calc(100vw-5rem))] rounded-card border border-line bg-raised p-4 text-sm shadow-float">
          <p>{m.say_words_your_browsers_own({ words: listOf(words) })}</p>
          <div className="mt-3 flex gap-2">
            <Button size="small" onClick={agree}>
              {m.start_listening()}
            </Button>
            <Button size="small" variant="ghost" onClick={() => setIsAsking(false)}>
              {m.not_now()}
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

function listOf(words: readonly string[]): string {
  return words.map((word) => `“${word}”`).join(', ')
}

export function VoiceNote({ state, words }: { state: VoiceState; words: string[] }) {
  return (
    <p
      role="status"
      className={clsx(
        'flex items-center gap-2 px-4 text-sm',
        state === 'listening' && 'bg-accent-soft py-1.5 text-ink',
        typeof state === 'object' && 'bg-warn-soft py-1.5 text-warn-ink',
      )}
    >
      {state === 'listening' && (
        <>
          <span aria-hidden="true" className="size-2.5 shrink-0 animate-pulse rounded-full bg-danger" />
          {m.listening_say_words({ words: listOf(words) })}
        </>
      )}
      {typeof state === 'object' && state.problem}
    </p>
  )
}
