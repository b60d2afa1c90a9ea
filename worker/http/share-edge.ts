import { createMiddleware } from 'hono/factory'
import { findLanguage, INTERFACE_LANGUAGES, interfaceOf, type LanguageTag } from '#contract/languages.ts'
import type { SharedModule } from '#contract/share.ts'
import { hashText } from '#worker/domain/signed-payload.ts'
import { currentTrace, noteTrace } from '#worker/log/log.ts'
import type { EdgeCache } from '#worker/ports/edge-cache.ts'
import type { AppEnv } from './app-env.ts'
import { REQUEST_ID_HEADER } from './trace-request.ts'

/** The entrypoint `SharePage` of this worker, with the cache in front of it. */
export interface ShareEdge extends EdgeCache {
  fetch(request: Request): Promise<Response>
}

/** Stands in addresses that only go from this worker to itself: the cache distinguishes them by their path. */
export const EDGE_ORIGIN = 'https://share.edge'

/** Reaches {@link ShareEdge} from the entry. */
export function shareEdgeOf(ctx: { exports?: unknown }): ShareEdge {
  return (ctx.exports as { SharePage: ShareEdge }).SharePage
}

/** Marks requests of this worker to itself: if one arrived at the entry, the worker would call itself without end. */
export const INNER_HEADER = 'x-adapt-inner'

/**
 * Answers 508 to a request of this worker to itself, which belongs to {@link ShareEdge}. Its cause stands in the line of
 * the request, as a warning: a visitor can send the header too.
 */
export const refuseInner = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.header(INNER_HEADER) === undefined) return next()
  c.set('fault', { code: 'inner_request', cause: 'SharePage is answered by the entry: is Smart Placement on?' })
  return new Response('Loop Detected', { status: 508, headers: { 'cache-control': 'no-store' } })
})

/** Brings a visitor's token of a link past the cache to the routes behind it. The cache never gets a request with it. */
export const LINK_TOKEN_HEADER = 'x-adapt-link'

/** What the edge's cache said, such as `HIT`: Cloudflare writes a `cf-cache-status` of its own over that one. */
export const EDGE_STATUS_HEADER = 'x-adapt-edge'

/**
 * Asks through the cache. Nothing of the visitor's own request goes along: a cookie or a token would pass the cache by,
 * and two visitors must get the same. Our id of it does, for the line that is written where the cache has nothing.
 */
export async function askEdge(ctx: { exports?: unknown }, path: string, headers: Record<string, string> = {}) {
  const own = { [REQUEST_ID_HEADER]: currentTrace().requestId ?? '', [INNER_HEADER]: '1' }
  const request = new Request(`${EDGE_ORIGIN}${path}`, { headers: { ...headers, ...own }, redirect: 'manual' })
  const answer = await shareEdgeOf(ctx).fetch(request)
  noteTrace({ cache: answer.headers.get('cf-cache-status') ?? undefined })
  return answer
}

/** How long the edge may keep an answer. The sum is the longest that an outdated answer is served. Seconds. */
export interface EdgeLife {
  freshS: number
  /** After that, the old answer may be served while the edge fetches a new one. */
  staleS: number
}

/** A deleted or unshared page disappears for everyone within a minute, even if no purge arrives. */
const SHARED_MAX_S = 60
/** @param ageS how old what an answer was made of may be: the edge keeps it for the rest of the minute */
export function sharedLife(ageS: number): EdgeLife {
  const halfS = Math.floor((SHARED_MAX_S - ageS) / 2)
  return { freshS: halfS, staleS: halfS }
}
/** Shortens a life so that nothing of a link is served after its end. */
export function endLife({ freshS, staleS }: EdgeLife, leftMs: number): EdgeLife {
  const leftS = Math.max(0, Math.floor(leftMs / 1000))
  return { freshS: Math.min(freshS, leftS), staleS: Math.min(staleS, Math.max(0, leftS - freshS)) }
}
/** A module that is being made changes every few seconds, and the page asks for more by itself. */
export const AT_WORK_LIFE: EdgeLife = { freshS: 2, staleS: 8 }
/** Bytes that never change, and that can only be reached with a grant that lives for {@link sharedLife}. */
export const BYTES_LIFE: EdgeLife = { freshS: 3600, staleS: 0 }

/** Names the languages of a page to the entry, which alone knows its visitor: the original, then the others. */
const LANGUAGES_HEADER = 'x-adapt-languages'

const EDGE_HEADERS = ['cloudflare-cdn-cache-control', 'cache-tag', LANGUAGES_HEADER]

/** Stands for an original whose language is not known; a header has no blank at its beginning. */
const NO_LANGUAGE = '-'

/** Makes the header with the languages of a page. */
export function offerLanguages({
  original,
  languages,
}: Pick<SharedModule, 'original' | 'languages'>): Record<string, string> {
  return { [LANGUAGES_HEADER]: [original ?? NO_LANGUAGE, ...languages].join(' ') }
}

/**
 * Chooses a visitor's language: one that the edge's answer offers, or one that the app speaks, around the original.
 * @param wanted languages that the visitor reads, the best first
 * @returns null for the page as it is without a language
 */
export function chooseLanguage(headers: Headers, wanted: readonly string[]): LanguageTag | null {
  const [original = '', ...languages] = (headers.get(LANGUAGES_HEADER) ?? '').split(' ')
  const spoken: readonly string[] = INTERFACE_LANGUAGES
  const chosen = wanted.find((tag) => tag === original || languages.includes(tag) || spoken.includes(tag))
  const isSame = chosen === original || (chosen === interfaceOf(original) && !languages.includes(chosen))
  return isSame ? null : findLanguage(chosen)
}

/**
 * Headers that let the edge keep an answer and browsers ask each time. `stale-if-error=0`, or a link that was taken
 * back would live on for as long as the origin fails; `s-maxage` and `must-revalidate` would switch the stale time off.
 */
export function edgeHeaders({ freshS, staleS }: EdgeLife, tag: string): Record<string, string> {
  const stale = staleS === 0 ? '' : `, stale-while-revalidate=${staleS}`
  return {
    'cloudflare-cdn-cache-control': `max-age=${freshS}${stale}, stale-if-error=0`,
    'cache-control': 'public, max-age=0',
    'cache-tag': tag,
  }
}

/** Removes the headers that are meant for the edge alone. */
export function withoutEdgeHeaders(headers: Headers): Headers {
  const rest = new Headers(headers)
  for (const name of EDGE_HEADERS) rest.delete(name)
  return rest
}

/** Whether `If-None-Match` names this tag. Weak and strong count alike (RFC 9110 §13.1.2); compression makes them weak. */
export function matchesEtag(header: string | null, etag: string | null): boolean {
  if (header === null || etag === null) return false
  const wanted = etag.replace(/^W\//, '')
  return header.split(',').some((tag) => ['*', wanted].includes(tag.trim().replace(/^W\//, '')))
}

/** A tag that differs when the text does. */
export async function etagOf(text: string): Promise<string> {
  return `"${await hashText(text, 12)}"`
}
