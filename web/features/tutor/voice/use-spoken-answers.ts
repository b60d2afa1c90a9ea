import { useEffect, useRef, useState } from 'react'
import { keepChoice, readChoice } from '#web/lib/stored-choice.ts'
import { canSpeak, hush, speak } from './speaker.ts'
import { VOICE_LANGUAGE } from './voice-input.ts'

const KEPT_AS = 'adapt_tutor_aloud'

/** Reads answers aloud where the learner has turned that on. */
export function useSpokenAnswers() {
  const [isOn, setIsOn] = useState(() => canSpeak() && readChoice(KEPT_AS) === 'yes')
  const [isSpeaking, setIsSpeaking] = useState(false)
  const said = useRef(0)
  useEffect(() => hush, [])

  function stop() {
    hush()
    setIsSpeaking(false)
  }
  return {
    isPossible: canSpeak(),
    isOn,
    isSpeaking,
    stop,
    toggle: () => {
      keepChoice(KEPT_AS, isOn ? 'no' : 'yes')
      setIsOn(!isOn)
      if (isOn) stop()
    },
    /** Where that is wished. */
    say: (answer: string) => {
      if (!isOn) return
      said.current += 1
      const mine = said.current
      setIsSpeaking(true)
      // The end of one that was cut off comes while the next is being said.
      speak(answer, VOICE_LANGUAGE, () => mine === said.current && setIsSpeaking(false))
    },
  }
}

export type SpokenAnswers = ReturnType<typeof useSpokenAnswers>
