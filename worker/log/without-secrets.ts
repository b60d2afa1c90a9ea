const REMOVED = '[removed]'

/**
 * What must never be in a log, though a library's error may quote it. What people said or wrote has no shape to be
 * known by: it is kept out by giving lines no field for it.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  // An address signs itself in its query: presigned ones of R2, tickets of sockets and videos.
  [/\?[^\s"'<>?]*=[^\s"'<>]*/g, `?${REMOVED}`],
  [/\bbearer\s+[^\s"',;]+/gi, `Bearer ${REMOVED}`],
  [/\b(ticket|token|signature|credential|secret|authorization|cookie)("?\s*[=:]\s*"?)[^\s"'&,;]+/gi, `$1$2${REMOVED}`],
  // JSON Web Tokens, wherever they stand.
  [/\beyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g, REMOVED],
  [/[\w.+-]+@[\w-]+(\.[\w-]+)+/g, REMOVED],
  // V8 quotes what it could not parse.
  [/(\.\.\.)?"[^]{0,80}?"(\.\.\.)? is not valid JSON/g, `${REMOVED} is not valid JSON`],
  [/Unexpected token '[^]{1,2}'/g, `Unexpected token ${REMOVED}`],
]

/** A stack with its first frames; the rest are frames of the runtime. */
const MOST_CHARS = 2_000

/** A text as a log may hold it. */
export function withoutSecrets(text: string): string {
  const short = text.length > MOST_CHARS ? `${text.slice(0, MOST_CHARS)}…` : text
  return SECRETS.reduce((clean, [secret, instead]) => clean.replace(secret, instead), short)
}
