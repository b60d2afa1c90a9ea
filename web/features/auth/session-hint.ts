/** Clerk keeps when the browser last signed in here, and 0 after signing out; with a suffix per instance. */
const SIGNED_IN_COOKIE = /(?:^|;\s*)__client_uat(?:_[\w-]+)?=[1-9]/

/** Whether a session is likely, from cookies alone. Good for what to draw first, never for what to allow. */
export function hasSessionHint(cookies: string): boolean {
  return SIGNED_IN_COOKIE.test(cookies)
}
