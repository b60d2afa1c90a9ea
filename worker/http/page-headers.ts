/** Which sites may show an answer in a frame: none, or all. */
export type Framing = 'self' | 'any'

const ANCESTORS = { self: "'none'", any: '*' } as const

/** For answers that are no page. */
export const NO_FRAMES = { 'content-security-policy': "default-src 'none'; frame-ancestors 'none'" }

/**
 * Headers of a public page: what it may load, who may frame it, and that a link which is its own permission leaks
 * neither through the Referer header nor into a search engine.
 * @param origin where the app is open; older browsers do not count sockets to it as its own
 */
export function publicPageHeaders(origin: string, framing: Framing): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ANCESTORS[framing]}`,
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
    'x-content-type-options': 'nosniff',
  }
}
