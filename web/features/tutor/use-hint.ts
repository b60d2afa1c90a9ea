import { useState } from 'react'
import { QUESTION_MAX_CHARS } from '#contract/limits.ts'
import { formatCount } from '#web/lib/format-count.ts'
import type { TutorVoice } from './use-tutor-voice.ts'

/** The count shows from here on. */
const NEAR_LIMIT_CHARS = QUESTION_MAX_CHARS * 0.9

interface HintOptions {
  text: string
  voice: TutorVoice
  isOnline: boolean
}

/** The one thing to say under the field. */
export function useHint(options: HintOptions) {
  const [isUnsupportedShown, setIsUnsupportedShown] = useState(false)
  const warnsOfLength = options.text.length > QUESTION_MAX_CHARS
  return {
    hint: isUnsupportedShown ? 'This browser cannot listen. Please type your question.' : chooseHint(options),
    warnsOfLength,
    showUnsupported: () => setIsUnsupportedShown(true),
  }
}

function chooseHint({ text, voice, isOnline }: HintOptions): string {
  const { length } = text
  if (length > QUESTION_MAX_CHARS) return `${formatCount(length - QUESTION_MAX_CHARS)} characters too many to be sent`
  if (!isOnline) return 'You are offline. Your question stays here until you are back.'
  if (voice.state === 'denied') return 'The microphone is blocked. Allow it for this page in your browser.'
  if (voice.state === 'error') return voice.message
  if (voice.isWriting) return 'Writing down what you said…'
  if (voice.state === 'listening') {
    return voice.feedback || 'Listening. Ask, or say “next”, “repeat”, “stop”.'
  }
  return length >= NEAR_LIMIT_CHARS ? `${formatCount(length)} of ${formatCount(QUESTION_MAX_CHARS)} characters` : ''
}
