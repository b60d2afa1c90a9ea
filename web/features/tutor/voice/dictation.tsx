import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import * as m from '#messages'
import { joinWords, useVoice } from '../use-tutor-voice.ts'
import { VoiceButton } from './voice-button.tsx'

/** A field that can be spoken into. */
interface DictatedField {
  id: string
  /** What its button does, for screen readers. */
  label: string
  onChange: (change: (text: string) => string) => void
}

/** The button of a field, and what to say about it under the field. */
interface Dictation {
  button: ReactNode
  hint: ReactNode
  /** Stops listening for this field, whose text is complete. */
  end: () => void
}

/** One microphone for several fields: what is said goes into the one whose button was pressed last. */
export function useDictation(moduleId: string): (field: DictatedField) => Dictation {
  const [fieldId, setFieldId] = useState<string | null>(null)
  const [isUnsupportedShown, setIsUnsupportedShown] = useState(false)
  const field = useRef<DictatedField>(null)
  const voice = useVoice({
    moduleId,
    onPhrase: (phrase) => field.current?.onChange((text) => joinWords(text, toTitle(phrase, text))),
  })
  function choose(own: DictatedField) {
    field.current = own
    setFieldId(own.id)
  }
  return function drawDictation(own) {
    const isOwn = own.id === fieldId
    function start() {
      if (!isOwn) voice.cancel()
      choose(own)
      voice.start()
    }
    function end() {
      if (field.current?.id === own.id) voice.cancel()
    }
    function explain() {
      choose(own)
      setIsUnsupportedShown(true)
    }
    const state = isOwn || voice.state === 'unsupported' ? voice.state : 'idle'
    const hintId = `${own.id}-dictation`
    return {
      button: (
        <FieldVoiceButton
          label={own.label}
          describedBy={hintId}
          voice={{ ...voice, state, isWriting: isOwn && voice.isWriting, start }}
          onUnsupported={explain}
          onGone={end}
        />
      ),
      hint: (
        <p id={hintId} role="status" className="text-xs text-ink-soft empty:hidden">
          {isOwn ? describe(voice, isUnsupportedShown) : ''}
        </p>
      ),
      end,
    }
  }
}

/** Without its button, a field would be listened to with no way to stop. */
function FieldVoiceButton({ onGone, ...props }: ComponentProps<typeof VoiceButton> & { onGone: () => void }) {
  const end = useEffectEvent(onGone)
  useEffect(() => () => end(), [])
  return <VoiceButton {...props} />
}

/** Recognisers end a phrase like a sentence, and some begin it with a small letter. */
function toTitle(phrase: string, before: string): string {
  const text = phrase.trim().replace(/\.$/, '')
  return before === '' ? `${text.charAt(0).toUpperCase()}${text.slice(1)}` : text
}

function describe(voice: ReturnType<typeof useVoice>, isUnsupportedShown: boolean): string {
  if (voice.state === 'unsupported') return isUnsupportedShown ? m.this_browser_cannot_listen_please_type() : ''
  if (voice.state === 'denied') return m.the_microphone_is_blocked_allow()
  if (voice.state === 'error') return voice.message
  if (voice.isWriting) return m.writing_down_what_you_said()
  return voice.state === 'listening' ? voice.interim || m.listening_say_the_title() : ''
}
