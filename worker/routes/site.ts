import { Hono } from 'hono'
import { APP_PAGES } from '#contract/app-pages.ts'
import { KEPT_PATH } from '#contract/share-page.ts'
import { AppError } from '#worker/core/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { showPage } from '#worker/http/pages.ts'
import { addLanguageCookie, chooseInterface } from '#worker/http/visitor-language.ts'

/** The app's pages, in the language of their visitor. `?lang=` chooses another one, which is kept. */
export const pageRoutes = new Hono<AppEnv>().on('GET', APP_PAGES, async (c) => {
  const url = new URL(c.req.url)
  if (url.searchParams.has('lang')) {
    const headers = new Headers()
    addLanguageCookie(c, headers)
    url.searchParams.delete('lang')
    headers.set('location', `${url.pathname}${url.search}`)
    return new Response(null, { status: 302, headers })
  }
  // English keeps its path, which the site's headers are by.
  const isOwn = url.pathname === KEPT_PATH || chooseInterface(c) === 'en'
  return showPage(c, isOwn ? url.pathname : '/')
})

/**
 * Built files, whose names carry their hash. They pass through here because the asset server answers a missing one
 * with the app's page and 200, which a browser would then keep for ever as that script.
 */
export const assetRoutes = new Hono<AppEnv>().get('/*', async (c) => {
  const asset = await c.env.ASSETS.fetch(c.req.raw)
  const isPage = (asset.headers.get('content-type') ?? '').startsWith('text/html')
  if (isPage || asset.status === 404)
    throw new AppError('not_found', 'This file belongs to another version of the app. Please reload the page.')
  if (!asset.ok && asset.status !== 304) return asset
  const headers = new Headers(asset.headers)
  headers.set('cache-control', 'public, max-age=31536000, immutable')
  return new Response(asset.body, { status: asset.status, headers })
})
