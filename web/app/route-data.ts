import { matchRoutes, type Params, type RouteObject } from 'react-router-dom'
import { listen } from '#web/lib/browser-state.ts'
import { pageOf } from '#web/lib/page-of.ts'
import type { PrefetchDeps } from './prefetch.ts'

/** A pointer that only crosses a link rests there for less. */
const DWELL_MS = 80

let deps: PrefetchDeps | null = null

/** Known as long as the workspace is drawn for a person; before that nothing can be asked. */
export function keepPrefetchDeps(now: PrefetchDeps | null): void {
  deps = now
}

/**
 * The loader of a page with data: begins to load it beside the page's code instead of after it, and waits for nothing.
 * What it needs is loaded by then, so the landing page stays without.
 */
export function loadDataOf(path: string): RouteObject['loader'] {
  return ({ params, request }) => {
    // Of a video that was just sent there are no steps yet.
    if (!new URL(request.url).searchParams.has('processing')) prefetchData(path, params)
    return null
  }
}

function prefetchData(path: string, params: Params): void {
  const now = deps
  if (now === null || !navigator.onLine) return
  if (path === '/team/matrix') void import('./prefetch-matrix.ts').then(({ prefetchMatrix }) => prefetchMatrix(now))
  else void import('./prefetch.ts').then(({ prefetchPage }) => prefetchPage(now, path, params['moduleId']))
}

/** Begins to load what is behind a link as soon as the pointer rests on it, or the keyboard comes to it. */
export function prefetchOnIntent(root: Document, routes: RouteObject[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function onIntent(event: Event) {
    clearTimeout(timer)
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link === null || link.origin !== root.location.origin) return
    // The sections of a page show the same data.
    if (pageOf(link.pathname) === pageOf(root.location.pathname)) return
    timer = setTimeout(() => prefetchRoute(routes, link.pathname), DWELL_MS)
  }
  const listeners = { pointerover: onIntent, focusin: onIntent, touchstart: onIntent }
  const end = listen(root, listeners, { passive: true })
  return () => {
    clearTimeout(timer)
    end()
  }
}

function prefetchRoute(routes: RouteObject[], pathname: string): void {
  for (const { route, params } of matchRoutes(routes, pathname) ?? []) {
    if (route.path !== undefined && route.loader !== undefined) prefetchData(route.path, params)
  }
}
