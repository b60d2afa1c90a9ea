import { useEffect, useRef, useState } from 'react'
import { keepChoice, readChoice } from '#web/lib/browser-state.ts'
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

/** Longer utterances are cut off by Chrome after some 15 s, so it is given sentences. */
const SENTENCE = /[^.!?…\n]+[.!?…]*["”’)]*|\n+/g
/** Times are for the eye. */
const TIMES = /\s?\(\d{1,3}:\d{2}(?::\d{2})?\)/g

function canSpeak(): boolean {
  return typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined'
}

/** The parts of an answer as they are said. */
export function listUtterances(answer: string): string[] {
  const sentences = answer.replace(TIMES, '').match(SENTENCE) ?? []
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Reads an answer aloud, and ends the one before. `onEnd` is called once, also when it is interrupted. */
function speak(answer: string, language: string, onEnd: () => void): void {
  speechSynthesis.cancel()
  const utterances = listUtterances(answer).map((text) => new SpeechSynthesisUtterance(text))
  const last = utterances.at(-1)
  if (last === undefined) return onEnd()
  let isOver = false
  function end() {
    if (!isOver) onEnd()
    isOver = true
  }
  last.onend = end
  for (const utterance of utterances) {
    utterance.lang = language
    utterance.onerror = end
    speechSynthesis.speak(utterance)
  }
}

function hush(): void {
  if (canSpeak()) speechSynthesis.cancel()
}
