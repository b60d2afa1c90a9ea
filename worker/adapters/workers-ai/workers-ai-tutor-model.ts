import { AppError } from '#worker/errors.ts'
import type { TutorModel } from '#worker/ports/tutor-model.ts'
import { ANSWER_MAX_TOKENS, ANSWER_TEMPERATURE, speak } from '../language/speak.ts'
import { withSecondChoice } from '../language/with-second-choice.ts'
import { runWorkersAi } from './run-workers-ai.ts'

const FIRST_CHOICE = '@cf/meta/llama-3.3-70b-instruct-fp8-fast'
/** Takes over where the first is out of capacity: a plainer answer now rather than a better one late. */
const SECOND_CHOICE = '@cf/meta/llama-3.1-8b-instruct-fast'
const WHO = 'The language model'
/** Longer than any caller waits: `speak` has the limits. */
const TIMEOUT_MS = 60_000

/** The tutor by Llama on Workers AI. */
export function workersAiTutorModel(ai: Ai): TutorModel {
  return withSecondChoice(modelOf(ai, FIRST_CHOICE), modelOf(ai, SECOND_CHOICE))
}

function modelOf(ai: Ai, model: string): TutorModel {
  return {
    name: `workers-ai:${model}`,
    answer: ({ messages, moduleId }, signal) =>
      speak(async (stop) => {
        const answer = await runWorkersAi(ai, {
          model,
          inputs: { messages, stream: true, max_tokens: ANSWER_MAX_TOKENS, temperature: ANSWER_TEMPERATURE },
          // Fails at once instead of waiting for capacity; questions about one video meet the same prefix cache.
          options: { rejectIfBusy: true, extraHeaders: { 'x-session-affinity': moduleId } },
          timeoutMs: TIMEOUT_MS,
          signal: stop,
          who: WHO,
        })
        if (answer instanceof ReadableStream) return answer as ReadableStream<Uint8Array>
        throw new AppError('ai_failed', `${WHO} gave an answer that is no stream.`)
      }, signal),
  }
}
