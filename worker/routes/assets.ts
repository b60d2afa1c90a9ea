import { Hono } from 'hono'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'

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
