import { clerkJSScriptUrl } from '@clerk/react/internal'
import type { HtmlTagDescriptor } from 'vite'
import { hostOf } from '../features/auth/publishable-key.ts'

/** The chunks of `vite.config.ts` that every page of a signed-in person loads, except the landing page. */
const CHUNKS = new Set(['account', 'workspace', 'pages'])

interface EarlyOptions {
  publishableKey: string | undefined
  proxyUrl: string | undefined
  /** What the build wrote. */
  files: readonly { name?: string; fileName: string }[]
}

/**
 * Hands the names of the files that are wanted early to `web/public/early.js`. Without a usable key nothing is.
 * @throws when a chunk has another name now
 */
export function earlyFilesTag({ publishableKey, proxyUrl, files }: EarlyOptions): HtmlTagDescriptor[] {
  if (publishableKey === undefined || hostOf(publishableKey) === null) return []
  const modules = files.filter(({ name, fileName }) => fileName.endsWith('.js') && CHUNKS.has(name ?? ''))
  if (modules.length < CHUNKS.size) throw new Error(`The build has not each of the chunks ${[...CHUNKS].join(', ')}`)
  const attrs = {
    async: true,
    src: '/early.js',
    'data-clerk': clerkJSScriptUrl({ publishableKey, proxyUrl: proxyUrl ?? '' }),
    'data-modules': modules.map(({ fileName }) => `/${fileName}`).join(' '),
  }
  // First of all: a browser that asks for a few files at a time would come to it last.
  return [{ tag: 'script', attrs, injectTo: 'head-prepend' }]
}
