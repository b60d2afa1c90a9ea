import { z } from 'zod'
import { SpeechPreparation } from '#contract/debug.ts'
import { AppError } from '#worker/core/errors.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'

/** What the server beside us adds to OpenAI's list of models, while it has none. */
const Models = z.object({ preparing: SpeechPreparation.optional(), missing: z.string().optional() })

/** The list comes at once, also while chunks are transcribed. */
const MODELS_WITHIN_MS = 2_000
/** The larger part of a preparation takes longer; its end is soon noticed. */
const PREPARING_AFTER_S = 5

/** A server beside us that is still being prepared, or cannot be, says so; any other one is as it was. */
export function preparedSpeech(speech: SpeechToText, baseUrl: string): SpeechToText {
  async function readModels(signal: AbortSignal): Promise<z.infer<typeof Models>> {
    try {
      const within = AbortSignal.any([signal, AbortSignal.timeout(MODELS_WITHIN_MS)])
      const response = await fetch(`${baseUrl}/models`, { signal: within })
      return Models.parse(await response.json())
    } catch {
      // A server that is away, or has no list, is not one that is being prepared.
      return {}
    }
  }

  return {
    name: speech.name,
    findPreparation: async (signal) => (await readModels(signal)).preparing ?? null,
    async transcribe(chunk, signal) {
      try {
        return await speech.transcribe(chunk, signal)
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'ai_busy') throw error
        const { preparing, missing } = await readModels(signal)
        if (missing !== undefined) throw new AppError('no_recogniser', missing, { cause: error })
        if (preparing === undefined) throw error
        const options = { cause: error, isPreparing: true, retryAfterS: PREPARING_AFTER_S }
        throw new AppError('ai_busy', 'Speech recognition is being prepared.', options)
      }
    },
  }
}
