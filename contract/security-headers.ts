/**
 * What every answer says, of the worker and of the site alike. Two years of HTTPS are what browsers' preload lists ask
 * for; over plain HTTP, as on a developer's machine, browsers ignore it.
 * @see https://owasp.org/www-project-secure-headers/
 */
export const SECURITY_HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  // The tutor needs the microphone; no page needs the other features.
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(self), midi=(), payment=(), serial=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
} as const
