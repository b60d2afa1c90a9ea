import { SECURITY_HEADERS } from '#contract/security-headers.ts'
import { hostOf } from '../features/auth/publishable-key.ts'

/** Clerk asks here whether a visitor is a person. */
const CLERK_CHALLENGES = 'https://challenges.cloudflare.com'
/** Clerk loads the challenges for suspicious sign-ups from here; without them a challenged person cannot sign up. */
const CLERK_PROTECT = 'https://*.protect.clerk.com'
const CLERK_IMAGES = 'https://img.clerk.com'

/** How the site is built. */
interface SiteSettings {
  /** Undefined or malformed: the site shows "Configuration Error" and loads nothing of Clerk. */
  publishableKey: string | undefined
  /** Path or address of a proxy for Clerk's frontend API; undefined for Clerk's own host. */
  proxyUrl: string | undefined
  /** Where presigned uploads go, `R2_S3_ENDPOINT`; undefined where the worker itself takes them. */
  storageUrl: string | undefined
}

/**
 * What the app's pages may load. Clerk's components write their styles into the page, which is why those may be inline;
 * scripts may not.
 */
export function sitePolicy(settings: SiteSettings): string {
  const clerk = clerkSource(settings)
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...clerk, CLERK_CHALLENGES, CLERK_PROTECT],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', CLERK_IMAGES],
    'media-src': ["'self'", 'blob:'],
    'font-src': ["'self'"],
    // Its tokens come from ports of their own.
    'connect-src': ["'self'", ...clerk, `${CLERK_PROTECT}:*`, ...storageSource(settings)],
    'worker-src': ["'self'", 'blob:'],
    'frame-src': ["'self'", CLERK_CHALLENGES, CLERK_PROTECT],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

/** The site's file of headers, as Cloudflare's asset server reads it. */
export function writeSiteHeaders(settings: SiteSettings): string {
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': sitePolicy(settings) }
  const lines = Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  return ['/*', ...lines, ''].join('\n')
}

function clerkSource({ publishableKey, proxyUrl }: SiteSettings): string[] {
  if (proxyUrl !== undefined && proxyUrl !== '') return /^https?:/.test(proxyUrl) ? [new URL(proxyUrl).origin] : []
  const host = hostOf(publishableKey)
  return host === null ? [] : [`https://${host}`]
}

/** The host of one account: on another account's host a foreign script could leave what it read here. */
function storageSource({ storageUrl }: SiteSettings): string[] {
  return storageUrl === undefined || storageUrl === '' ? [] : [new URL(storageUrl).origin]
}
