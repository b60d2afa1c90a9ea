import type { SpeechChunk, SpeechResult, SpeechToText } from '#worker/ports/speech-to-text.ts'

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
      // First, as the engine may free the audio.
      const asked = await describe(chunk)
      const known = answers.get(asked)
      if (known !== undefined && isIn(known, chunk.language)) return known
      const answer = await speech.transcribe(chunk, signal)
      answers.set(asked, answer)
      return answer
    },
  }
}

/** What language a recording is in may be found out between two attempts. */
function isIn({ language }: SpeechResult, asked: string | null): boolean {
  return language === null || asked === null || language === asked
}

/** The same audio is asked for with a hint and without. */
async function describe({ audio, prompt }: SpeechChunk): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', audio))
  return `${digest.join(' ')}${prompt === null ? '' : ' with a hint'}`
}
