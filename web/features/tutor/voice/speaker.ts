/** Longer utterances are cut off by Chrome after some 15 s, so it is given sentences. */
const SENTENCE = /[^.!?…\n]+[.!?…]*["”’)]*|\n+/g
/** Times are for the eye. */
const TIMES = /\s?\(\d{1,3}:\d{2}(?::\d{2})?\)/g

export function canSpeak(): boolean {
  return typeof speechSynthesis !== 'undefined' && typeof SpeechSynthesisUtterance !== 'undefined'
}

/** The parts of an answer as they are said. */
export function listUtterances(answer: string): string[] {
  const sentences = answer.replace(TIMES, '').match(SENTENCE) ?? []
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))
}

/** Reads an answer aloud, and ends the one before. `onEnd` is called once, also when it is interrupted. */
export function speak(answer: string, language: string, onEnd: () => void): void {
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

export function hush(): void {
  if (canSpeak()) speechSynthesis.cancel()
}
