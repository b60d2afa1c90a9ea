import type { Identity } from '#worker/ports/identity.ts'
import type { StepWriter, TextRewriter, TutorModel } from '#worker/ports/language-model.ts'
import type { Mailer } from '#worker/ports/mailer.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { Translator } from '#worker/ports/translator.ts'
import type { Webhooks } from '#worker/ports/webhook.ts'

/** What the platform cannot run on a laptop, behind ports. The two entries fill it in. */
export interface Services {
  identity: Identity
  speech: SpeechToText
  /** The first choice; when it fails, the extractive engine writes the steps. */
  stepWriter: StepWriter
  /** The first choice; when it fails or adds something, the extractive rewriter does it. */
  textRewriter: TextRewriter
  /** Null: the tutor quotes the video. */
  tutorModel: TutorModel | null
  /** Null: trainings are not translated. */
  translator: Translator | null
  /** Null: no mail is sent, and no page promises any. */
  mailer: Mailer | null
  webhooks: Webhooks
}

/** Called with the variables and secrets of each invocation. */
export type MakeServices = (env: Env) => Services
