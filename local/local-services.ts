import { standInJwtKey } from '#local/clerk/session/tokens.ts'
import { clerkIdentity } from '#worker/adapters/clerk/clerk-identity.ts'
import { configuredServices } from '#worker/adapters/openai-compatible/configured.ts'
import { webhookSender } from '#worker/adapters/webhook-sender.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Services } from '#worker/core/services.ts'
import { extractiveTextRewriter } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { extractiveStepWriter } from '#worker/domain/step/extractive/extractive-step-writer.ts'
import { listOrigins } from '#worker/http/headers.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import { mailStandIn } from './mail/mail-stand-in.ts'
import { preparedSpeech } from './speech/prepared-speech.ts'

/**
 * The server beside us transcribes as many chunks at once as there are cores, and up to 60 are sent to it: with one core the
 * last of them waits nine minutes for its turn, which is no sign of a server that hangs. Just within the quarter of an
 * hour that a delivery of the queue may take.
 */
const SPEECH_TIMEOUT_MS = 14 * 60_000

/** What may stand in the environment of a worker on this machine besides. */
export interface LocalEnv extends Env {
  /** A model server that is reached without the network: a test's own. */
  MODEL_SERVER?: { fetch: typeof fetch } | null
}

/** The services of a machine without any account: stand-ins for Clerk and mail, a speech server beside us, no model. */
export function localServices(env: LocalEnv): Services {
  const { MODEL_SERVER: server } = env
  const configured = configuredServices(env, { timeoutMs: SPEECH_TIMEOUT_MS, ...(server && { fetch: server.fetch }) })
  return {
    identity: clerkIdentity({
      jwtKey: () => standInJwtKey(env.DB),
      issuer: env.CLERK_ISSUER,
      authorizedParties: listOrigins(env),
    }),
    stepWriter: extractiveStepWriter,
    textRewriter: extractiveTextRewriter,
    tutorModel: null,
    translator: null,
    mailer: mailStandIn(env.DB, listOrigins(env)[0] ?? ''),
    // Receivers on this machine, too.
    webhooks: webhookSender(({ protocol }) => protocol === 'https:' || protocol === 'http:'),
    ...configured,
    speech: configured.speech === undefined ? absentSpeech : preparedSpeech(configured.speech, env.SPEECH_BASE_URL),
  }
}

/** Where no recogniser is installed, captions still work. */
const absentSpeech: SpeechToText = {
  name: 'none',
  transcribe: () => {
    throw new AppError(
      'no_recogniser',
      'Speech recognition is not installed here, so the narration could not be transcribed. Add a caption file instead.',
    )
  },
}
