import { clerkJSScriptUrl } from '@clerk/react/internal'
import { SIGNED_IN_PAGES } from '#contract/app-pages.ts'
import { SECURITY_HEADERS } from '#contract/security-headers.ts'
import { hostOf } from '../features/auth/publishable-key.ts'
import { ENGINE_FOLDER } from '../features/screen/engine-files.ts'

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

/**
 * What the script that reads picked files may load: a web worker has the policy of its own answer. Its decoder of AC-3
 * is WebAssembly, in a worker of a blob that inherits this; no page may compile any.
 */
const FILE_WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:"
/** The engine that reads screens is WebAssembly that fetches the data of a language. */
const SCREEN_ENGINE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
/** Scripts with a policy of their own, by their path. */
const OWN_POLICIES = {
  '/assets/file.worker-*': FILE_WORKER_POLICY,
  [`${ENGINE_FOLDER}/worker.min.js`]: SCREEN_ENGINE_POLICY,
}

const SIGNED_IN_FOLDERS = SIGNED_IN_PAGES.map((path) => path.split('/')[1]).join(' ')
/** The chunks of `vite.config.ts` that each of them loads. */
const SIGNED_IN_CHUNKS = new Set(['account', 'workspace', 'pages'])

/** What the build wrote. */
export type BuiltFiles = readonly { name?: string; fileName: string }[]

/**
 * The site's file of headers, as Cloudflare's asset server reads it.
 * @throws when a chunk has another name now
 */
export function writeSiteHeaders(settings: SiteSettings, files: BuiltFiles): string {
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': sitePolicy(settings) }
  const early = listEarlyFiles(settings, files).join(', ')
  const rules = [
    ['/*', ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)],
    // Two policies would both apply.
    ...Object.entries(OWN_POLICIES).map(([path, policy]) => [
      path,
      '  ! content-security-policy',
      `  content-security-policy: ${policy}`,
    ]),
    ...(early === '' ? [] : SIGNED_IN_PAGES.map((path) => [path, `  link: ${early}`])),
  ]
  return rules.map((lines) => `${lines.join('\n')}\n`).join('')
}

/**
 * What a page of a signed-in person needs in any case, for a browser that has only the head of the answer: the app,
 * which would ask for it, is still on its way. Nothing without a usable key.
 */
function listEarlyFiles(settings: SiteSettings, files: BuiltFiles): string[] {
  const clerk = findClerkScript(settings)
  if (clerk === null) return []
  const chunks = files.filter(({ name, fileName }) => fileName.endsWith('.js') && SIGNED_IN_CHUNKS.has(name ?? ''))
  if (chunks.length < SIGNED_IN_CHUNKS.size)
    throw new Error(`The build has not each of the chunks ${[...SIGNED_IN_CHUNKS].join(', ')}`)
  return [
    `<${clerk}>; rel=preload; as=script; crossorigin=anonymous`,
    ...chunks.map(({ fileName }) => `</${fileName}>; rel=modulepreload; crossorigin=anonymous`),
  ]
}

/** The address of Clerk's script; null without a usable key. */
function findClerkScript({ publishableKey, proxyUrl }: SiteSettings): string | null {
  if (publishableKey === undefined || hostOf(publishableKey) === null) return null
  return clerkJSScriptUrl({ publishableKey, proxyUrl: proxyUrl ?? '' })
}

/**
 * The attributes of the tag in `index.html` that begins Clerk's script before the app runs (`web/public/early.js`);
 * null without a usable key. Clerk's script reads its own two from it.
 */
export function earlyClerkTag(settings: SiteSettings): Record<string, string | boolean> | null {
  const script = findClerkScript(settings)
  if (script === null) return null
  return {
    async: true,
    src: '/early.js',
    fetchpriority: 'high',
    'data-pages': SIGNED_IN_FOLDERS,
    'data-script': script,
    'data-clerk-publishable-key': settings.publishableKey ?? '',
    ...(settings.proxyUrl && { 'data-clerk-proxy-url': settings.proxyUrl }),
  }
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
