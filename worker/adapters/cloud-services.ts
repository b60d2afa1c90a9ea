import { clerkIdentity } from '#worker/adapters/clerk/clerk-identity.ts'
import { type PublishedKeys, publishedKeys } from '#worker/adapters/clerk/published-keys.ts'
import { configuredServices } from '#worker/adapters/openai-compatible/configured.ts'
import { openPace } from '#worker/adapters/workers-ai/pace-calls.ts'
import { workersAiLanguage, workersAiSpeech } from '#worker/adapters/workers-ai/workers-ai-models.ts'
import { AppError } from '#worker/core/errors.ts'
import type { Services } from '#worker/core/services.ts'
import { listOrigins } from '#worker/http/headers.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import { cloudflareMailer } from './cloudflare-mailer.ts'
import { isPublicAddress, webhookSender } from './webhook-sender.ts'

/** The most tags in one purge call (Cache, "Purge cache by cache-tags"). */
const TAGS_MAX = 100

/** The cache of a Workers entrypoint. Only that entrypoint itself can purge it. */
export function workersCache(cache: CacheContext | undefined): EdgeCache {
  return {
    async purge(tags) {
      for (let index = 0; index < tags.length; index += TAGS_MAX) {
        const answer = await cache?.purge({ tags: tags.slice(index, index + TAGS_MAX) })
        if (answer?.success === true) continue
        const reasons = answer?.errors.map(({ code, message }) => `${code} ${message}`) ?? ['there is no cache']
        throw new AppError('unavailable', `The edge was not purged: ${reasons.join('; ')}`)
      }
    },
  }
}

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
  const ai = { ai: env.AI, pace: openPace(env), models: env }
  return {
    identity: clerkIdentity({
      jwtKey: async () => env.CLERK_JWT_KEY,
      issuer: env.CLERK_ISSUER,
      authorizedParties: listOrigins(env),
      publishedKeys: keysOf(env.CLERK_ISSUER),
    }),
    speech: workersAiSpeech(ai),
    ...workersAiLanguage(ai),
    ...configuredServices(env),
    mailer: cloudflareMailer(env, listOrigins(env)[0] ?? ''),
    webhooks: webhookSender(isPublicAddress),
  }
}
