// Clerk's scripts accept a key only if it is base64 of a host with a dot, ended by "$"; "live" spares the calls and warnings of development keys.
const KEY_HOST = 'clerk.localhost.test$'

export const STAND_IN_PUBLISHABLE_KEY = `pk_live_${btoa(KEY_HOST)}`

// Clerk's scripts look for cookies under this suffix: how they derive it from the key is `getCookieSuffix` of @clerk/shared/keys.
const SUFFIX_LENGTH = 8

export async function cookieSuffix(publishableKey = STAND_IN_PUBLISHABLE_KEY): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(publishableKey))
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)))
  return text.replaceAll('+', '-').replaceAll('/', '_').slice(0, SUFFIX_LENGTH)
}
