import { ApiError } from '#web/lib/api-error.ts'

/** Specification §2, "Global error boundary"; `configuration` is its own screen. */
export type ErrorKind = 'network' | 'timeout' | 'syntax' | 'auth' | 'configuration' | 'other'

/** Clerk's own complaints about a key that is missing or malformed. */
const KEY_WORDS = /publishable ?key/i
const AUTH_WORDS = /\bclerk\b|unauthori[sz]ed|unauthenticated/i
/** Error messages of Chromium, Firefox and Safari for a script or a call that did not arrive. */
const NETWORK_WORDS =
  /failed to fetch|networkerror|load failed|error loading dynamically imported|importing a module script|unable to preload/i
const TIMEOUT_WORDS = /\btime(?:d )?out\b/i
const SYNTAX_WORDS = /unexpected (?:token|end of json|response)|not valid json/i

/**
 * Classifies the failure that broke a page, as far as the error shows it. Only the advice to the user depends on it.
 */
export function classifyError(error: unknown): ErrorKind {
  if (error instanceof ApiError) return classifyApiError(error)
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  if (KEY_WORDS.test(message)) return 'configuration'
  if (name.startsWith('Clerk') || AUTH_WORDS.test(message)) return 'auth'
  if (name === 'TimeoutError' || TIMEOUT_WORDS.test(message)) return 'timeout'
  if (name === 'NetworkError' || NETWORK_WORDS.test(message)) return 'network'
  return error instanceof SyntaxError || SYNTAX_WORDS.test(message) ? 'syntax' : 'other'
}

function classifyApiError({ code, status }: ApiError): ErrorKind {
  if (code === 'timeout' || code === 'network') return code
  if (code === 'bad_answer') return 'syntax'
  return status === 401 || status === 403 ? 'auth' : 'other'
}
