import { useEffect, useRef, useState } from 'react'
import { useLatest } from '../use-latest.ts'
import { chooseVoiceInputs } from './choose-voice-inputs.ts'
import type { Transcribe } from './recording-input.ts'
import type { OpenVoiceInput, VoiceInput, VoiceProblem } from './voice-input.ts'

/** @see specification §4 */
export type VoiceState = 'idle' | 'listening' | 'denied' | 'error' | 'unsupported'

export interface VoiceOptions {
  transcribe: Transcribe
  onPhrase: (text: string) => void
}

export interface Voice {
  state: VoiceState
  /** Recording has ended; the speech is being transcribed. */
  isWriting: boolean
  /** What is being said now, as far as it is understood. */
  interim: string
  /** What went wrong, in the state `error`. */
  message: string
  start: () => void
  stop: () => void
  cancel: () => void
  /** What is being said now is not wanted. */
  skip: () => void
}

type Now = Pick<Voice, 'state' | 'isWriting' | 'interim' | 'message'>

const IDLE: Now = { state: 'idle', isWriting: false, interim: '', message: '' }

/** Transcribes the learner's speech, in the way that their browser supports. */
export function useVoice(options: VoiceOptions): Voice {
  const latest = useLatest(options)
  const [ways, setWays] = useState<readonly OpenVoiceInput[]>(() =>
    chooseVoiceInputs((recording, signal) => latest.current.transcribe(recording, signal)),
  )
  const [now, setNow] = useState<Now>(() => (ways.length === 0 ? { ...IDLE, state: 'unsupported' } : IDLE))
  const input = useRef<VoiceInput>(null)
  useEffect(() => () => input.current?.cancel(), [])

  function open(left: readonly OpenVoiceInput[]) {
    const [way, ...others] = left
    if (way === undefined) return
    input.current = way({
      onInterim: (interim) => setNow((before) => ({ ...before, interim })),
      onPhrase(text) {
        setNow((before) => ({ ...before, interim: '' }))
        latest.current.onPhrase(text)
      },
      onWriting: () => setNow({ ...IDLE, isWriting: true }),
      onEnd: () => close(IDLE),
      onProblem(problem) {
        if (problem.kind !== 'unusable' || others.length === 0) return close({ ...IDLE, ...nameProblem(problem) })
        setWays(others)
        open(others)
      },
    })
    input.current.start()
  }
  function close(then: Now) {
    input.current = null
    setNow(then)
  }
  return {
    ...now,
    start() {
      if (input.current !== null || ways.length === 0) return
      setNow({ ...IDLE, state: 'listening' })
      open(ways)
    },
    stop() {
      input.current?.stop()
    },
    cancel() {
      if (input.current === null) return
      input.current.cancel()
      close(IDLE)
    },
    skip() {
      input.current?.skip()
      setNow((before) => ({ ...before, interim: '' }))
    },
  }
}

function nameProblem(problem: VoiceProblem): Pick<Now, 'state' | 'message'> {
  if (problem.kind === 'denied') return { state: 'denied', message: '' }
  return { state: 'error', message: problem.message }
}
