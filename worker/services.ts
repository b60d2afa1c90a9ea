import type { Identity } from '#worker/ports/identity.ts'
import type { SpeechToText } from '#worker/ports/speech-to-text.ts'
import type { StepWriter } from '#worker/ports/step-writer.ts'

/** What the platform cannot run on a laptop, behind ports. The two entries fill it in. */
export interface Services {
  identity: Identity
  speech: SpeechToText
  /** The first choice; when it fails, the extractive engine writes the steps. */
  stepWriter: StepWriter
}

export type MakeServices = (env: Env) => Services
