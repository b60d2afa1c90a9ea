import { clerkIdentity } from '#worker/adapters/clerk/clerk-identity.ts'
import { type PublishedKeys, publishedKeys } from '#worker/adapters/clerk/published-keys.ts'
import {
  configuredSpeech,
  configuredStepWriter,
  configuredTextRewriter,
  configuredTutorModel,
} from '#worker/adapters/openai-compatible/configured.ts'
import { workersAiSpeech } from '#worker/adapters/workers-ai/workers-ai-speech.ts'
import { workersAiStepWriter } from '#worker/adapters/workers-ai/workers-ai-step-writer.ts'
import { workersAiTextRewriter } from '#worker/adapters/workers-ai/workers-ai-text-rewriter.ts'
import { workersAiTutorModel } from '#worker/adapters/workers-ai/workers-ai-tutor-model.ts'
import { listOrigins } from '#worker/http/origins.ts'
import type { Services } from '#worker/services.ts'

/** Where a Clerk instance publishes its keys. */
const KEYS_PATH = '/.well-known/jwks.json'

/** Services are made for each request; the keys that one of them has read serve the others. */
const keysByIssuer = new Map<string, PublishedKeys>()

function keysOf(issuer: string): PublishedKeys {
  const keys = keysByIssuer.get(issuer) ?? publishedKeys({ url: `${issuer}${KEYS_PATH}` })
  keysByIssuer.set(issuer, keys)
  return keys
}

/** The services of a deployed worker: Clerk, and Workers AI or whatever OpenAI-compatible server is configured. */
export function cloudServices(env: Env): Services {
  return {
    identity: clerkIdentity({
      jwtKey: async () => env.CLERK_JWT_KEY,
      issuer: env.CLERK_ISSUER,
      authorizedParties: listOrigins(env),
      publishedKeys: keysOf(env.CLERK_ISSUER),
    }),
    speech: configuredSpeech(env) ?? workersAiSpeech(env.AI),
    stepWriter: configuredStepWriter(env) ?? workersAiStepWriter(env.AI),
    textRewriter: configuredTextRewriter(env) ?? workersAiTextRewriter(env.AI),
    tutorModel: configuredTutorModel(env) ?? workersAiTutorModel(env.AI),
  }
}
