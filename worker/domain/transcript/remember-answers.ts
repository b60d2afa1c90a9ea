import type { SpeechResult, SpeechToText } from '#worker/ports/speech-to-text.ts'

/** What a recogniser has answered, by what it was asked. */
export type Answers = Map<string, SpeechResult>

/** Reads answers that were kept as text; there are none where nothing was. */
export function readAnswers(kept: string | null): Answers {
  return new Map(kept === null ? [] : (JSON.parse(kept) as [string, SpeechResult][]))
}

/** Writes answers as a text to be kept. */
export function writeAnswers(answers: Answers): string {
  return JSON.stringify([...answers])
}

/** A recogniser that is asked for nothing twice, since each answer is paid for. New ones are added to `answers`. */
export function rememberAnswers(speech: SpeechToText, answers: Answers): SpeechToText {
  return {
    name: speech.name,
    async transcribe(chunk, signal) {
      const { audio, language, prompt } = chunk
      // First, as the engine may free the audio.
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', audio))
      const describe = (asked: string | null) => [...digest, asked, prompt].join(' ')
      const known = answers.get(describe(language)) ?? takeIn(language, answers.get(describe(null)))
      if (known !== undefined) return known
      const answer = await speech.transcribe(chunk, signal)
      answers.set(describe(language), answer)
      return answer
    },
  }
}

/** What language a recording is in may be found out between two attempts. */
function takeIn(asked: string | null, answer: SpeechResult | undefined): SpeechResult | undefined {
  return answer?.language === null || answer?.language === asked ? answer : undefined
}
