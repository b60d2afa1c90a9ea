const KEY_SHAPE = /^pk_(?:test|live)_([A-Za-z0-9+/]+={0,2})$/
const HOST_SHAPE = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\$$/i

/**
 * Whether this is a Clerk publishable key: `pk_test_` or `pk_live_` and the base64 of the frontend API's host, which
 * holds a dot and ends in the only `$`.
 */
export function isPublishableKey(key: string | undefined): key is string {
  return hostOf(key) !== null
}

/** Host of the frontend API that a key names; null for what is no key. */
export function hostOf(key: string | undefined): string | null {
  const encodedHost = KEY_SHAPE.exec(key ?? '')?.[1]
  if (!encodedHost) return null
  try {
    const host = atob(encodedHost)
    return HOST_SHAPE.test(host) ? host.slice(0, -1) : null
  } catch {
    return null
  }
}
