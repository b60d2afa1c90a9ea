import { clerkJSScriptUrl } from '@clerk/react/internal'
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

/** The pages that wait for Clerk, and the chunk of each, as the router has them (`web/app/router.tsx`). */
const SIGNED_IN_PAGES = {
  '/dashboard': 'dashboard-page',
  '/upload': 'upload-page',
  '/account': 'account-page',
  '/debug': 'debug-page',
  '/training/*': 'training-page',
  '/edit-steps/*': 'edit-steps-page',
} as const
/** The chunks of `vite.config.ts` that each of them needs besides. */
const SIGNED_IN_CHUNKS = ['account', 'workspace']
/** The chunk that `index.html` itself asks for. */
const FIRST_CHUNK = 'index'

interface BuiltFile {
  name?: string
  fileName: string
  /** The files that it imports before it runs. */
  imports?: readonly string[]
}

/** What the build wrote. */
export type BuiltFiles = readonly BuiltFile[]

/**
 * The site's file of headers, as Cloudflare's asset server reads it.
 * @throws when a chunk has another name now
 */
export function writeSiteHeaders(settings: SiteSettings, files: BuiltFiles): string {
  const headers = { ...SECURITY_HEADERS, 'content-security-policy': sitePolicy(settings) }
  const clerk = findClerkScript(settings)
  const rules = [['/*', ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)]]
  if (clerk !== null) {
    for (const [path, page] of Object.entries(SIGNED_IN_PAGES)) {
      const scripts = listEarlyScripts([...SIGNED_IN_CHUNKS, page], files)
      const links = [
        `<${clerk}>; rel=preload; as=script; crossorigin=anonymous`,
        ...scripts.map((fileName) => `</${fileName}>; rel=modulepreload; crossorigin=anonymous`),
      ]
      rules.push([path, `  link: ${links.join(', ')}`])
    }
  }
  return rules.map((lines) => `${lines.join('\n')}\n`).join('')
}

/**
 * What a page of a signed-in person needs in any case, for a browser that has only the head of the answer: the app,
 * which would ask for it, is still on its way.
 */
function listEarlyScripts(chunks: readonly string[], files: BuiltFiles): string[] {
  const listed = withImports([FIRST_CHUNK], files)
  return [...withImports(chunks, files)].filter((fileName) => !listed.has(fileName))
}

/** The files of these chunks, and of all that they import. */
function withImports(chunks: readonly string[], files: BuiltFiles): Set<string> {
  const scripts = files.filter(({ fileName }) => fileName.endsWith('.js'))
  const found = new Set<string>()
  const add = ({ fileName, imports = [] }: BuiltFile) => {
    if (found.has(fileName)) return
    found.add(fileName)
    for (const file of scripts.filter((script) => imports.includes(script.fileName))) add(file)
  }
  for (const chunk of chunks) {
    const file = scripts.find(({ name }) => name === chunk)
    if (file === undefined) throw new Error(`The build has no chunk ${chunk}`)
    add(file)
  }
  return found
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
    'data-pages': Object.keys(SIGNED_IN_PAGES)
      .map((path) => path.split('/')[1])
      .join(' '),
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
