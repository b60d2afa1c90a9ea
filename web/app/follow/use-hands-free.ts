import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { regionalTagOf } from '#contract/languages.ts'
import * as m from '#messages'
import { findRecogniser, RecogniserInput } from '#web/features/tutor/voice/recogniser-input.ts'
import { listen } from '#web/lib/browser-state.ts'
import { type FollowCommand, readFollowCommand } from './voice-commands.ts'

/**
 * Keeps the screen on while the page is looked at; a browser gives that back when its tab is left.
 * @returns false where the browser does not do it
 */
export function useWakeLock(): boolean {
  const [isHeld, setIsHeld] = useState(true)
  useEffect(() => {
    let lock: WakeLockSentinel | null = null
    let isOver = false
    async function hold() {
      if (document.visibilityState !== 'visible') return
      try {
        lock = await navigator.wakeLock.request('screen')
        if (isOver) return void lock.release()
        setIsHeld(true)
      } catch {
        // Also where there is no such thing.
        setIsHeld(false)
      }
    }
    void hold()
    const end = listen(document, { visibilitychange: () => void hold() })
    return () => {
      isOver = true
      end()
      void lock?.release()
    }
  }, [])
  return isHeld
}

/** What listens to a learner: off, listening, or why it cannot. */
export type VoiceState = 'off' | 'listening' | { problem: string }

/** Follows what is said, with the browser's own recogniser. Null where it has none. */
export function useVoice(language: string, onCommand: (command: FollowCommand) => void) {
  const [state, setState] = useState<VoiceState>('off')
  const input = useRef<RecogniserInput>(null)
  const obey = useEffectEvent(onCommand)
  useEffect(() => {
    if (state !== 'listening') return
    const Maker = findRecogniser()
    if (Maker === null) return
    const listener = {
      onInterim: () => {},
      onWriting: () => {},
      onPhrase(text: string) {
        const command = readFollowCommand(text, language)
        if (command !== null) obey(command)
      },
      onEnd: () => setState('off'),
      onProblem: (problem: { kind: string; message?: string }) =>
        setState({ problem: problem.message ?? m.this_page_may_not_use() }),
    }
    input.current = new RecogniserInput(Maker, listener, language)
    input.current.start()
    return () => input.current?.cancel()
  }, [state, language])
  if (findRecogniser() === null) return null
  return { state, start: () => setState('listening'), stop: () => setState('off') }
}

/** Reads aloud with the device's own voices. Null where it has none. */
export function useSpeech(language: string | null) {
  const isThere = 'speechSynthesis' in window
  const spoken = useRef<SpeechSynthesisUtterance>(null)
  function stop() {
    // What was cut off has not ended.
    spoken.current = null
    window.speechSynthesis.cancel()
  }
  const stopAtEnd = useEffectEvent(stop)
  useEffect(() => (isThere ? () => stopAtEnd() : undefined), [isThere])
  if (!isThere) return null
  return {
    /** @param onEnd also where it could not be read, not where it was stopped */
    speak(text: string, onEnd: () => void) {
      stop()
      const utterance = new SpeechSynthesisUtterance(text)
      if (language) utterance.lang = regionalTagOf(language)
      utterance.onend = utterance.onerror = () => spoken.current === utterance && onEnd()
      spoken.current = utterance
      window.speechSynthesis.speak(utterance)
    },
    stop,
  }
}
