const KEY_SHAPE = /^pk_(?:test|live)_([A-Za-z0-9+/]+={0,2})$/
const HOST_SHAPE = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d+)?\$$/i

/**
 * Whether this is a Clerk publishable key: `pk_test_` or `pk_live_` and the base64 of the frontend API's host, which
 * holds a dot and ends in the only `$`.
 */
export function isPublishableKey(key: string | undefined): key is string {
  const encodedHost = KEY_SHAPE.exec(key ?? '')?.[1]
  if (!encodedHost) return false
  try {
    return HOST_SHAPE.test(atob(encodedHost))
  } catch {
    return false
  }
}
