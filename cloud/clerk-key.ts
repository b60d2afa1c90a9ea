import { createPublicKey } from 'node:crypto'
import { z } from 'zod'

const KeySet = z.object({
  keys: z.array(z.object({ kty: z.literal('RSA'), alg: z.literal('RS256'), n: z.string(), e: z.string() })).min(1),
})

/** Where an instance of Clerk publishes its keys. */
export function keySetUrl(issuer: string): string {
  return `${issuer}/.well-known/jwks.json`
}

/** The key that an instance signs with, as PEM. @returns null for what is no set of keys */
export function readClerkKey(keySet: unknown): string | null {
  const key = KeySet.safeParse(keySet).data?.keys[0]
  if (key === undefined) return null
  return createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString()
}
