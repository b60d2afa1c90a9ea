import { useEffect, useEffectEvent, useId } from 'react'
import * as m from '#messages'
import type { Speech } from '#web/features/questions/question-forms.tsx'
import { useVoice, type Voice } from '#web/features/tutor/use-tutor-voice.ts'
import { VoiceButton } from '#web/features/tutor/voice-button.tsx'

interface DictationProps {
  /** Whose owner's speech service transcribes what a browser cannot. */
  moduleId: string
  onStart: () => void
  onPhrase: (text: string) => void
  /** @param speech null once all of it is written down */
  onSpeech: (speech: Speech | null) => void
}

/** Says an answer in place of typing it; nothing where the browser cannot listen. */
export function Dictation({ moduleId, onStart, onPhrase, onSpeech }: DictationProps) {
  const id = useId()
  const voice = useVoice({ moduleId, purpose: 'answer', onPhrase })
  const now = voice.isWriting ? 'writing' : voice.state
  const report = useEffectEvent((state: typeof now) => {
    const isWriting = state === 'writing'
    onSpeech(isWriting || state === 'listening' ? { isWriting, stop: () => voice.stop() } : null)
  })
  useEffect(() => report(now), [now])
  if (voice.state === 'unsupported') return null
  function start() {
    onStart()
    voice.start()
  }
  return (
    <div className="flex items-center gap-1.5">
      <VoiceButton voice={{ ...voice, start }} onUnsupported={() => undefined} describedBy={id} label={m.dictate()} />
      <p id={id} role="status" dir="auto" className="min-w-0 text-xs text-ink-soft wrap-anywhere">
        {describeVoice(voice)}
      </p>
    </div>
  )
}

function describeVoice({ state, isWriting, interim, message }: Voice): string {
  if (state === 'denied') return m.the_microphone_is_blocked_allow()
  if (state === 'error') return message
  if (isWriting) return m.writing_down_what_you_said()
  if (state === 'listening') return interim === '' ? m.listening_say_your_answer() : interim
  return m.hold_the_microphone_to_talk()
}
