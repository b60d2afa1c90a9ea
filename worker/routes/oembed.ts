import { Hono } from 'hono'
import { type OembedAnswer, OembedRequest } from '#contract/oembed.ts'
import { openDb } from '#worker/db/db.ts'
import { getSharedModule } from '#worker/domain/module/get-module.ts'
import { describeEmbed, moduleIdOfShareUrl } from '#worker/domain/share/describe-embed.ts'
import { AppError } from '#worker/errors.ts'
import type { AppEnv } from '#worker/http/app-env.ts'
import { listOrigins } from '#worker/http/origins.ts'
import { NO_FRAMES } from '#worker/http/page-headers.ts'
import { readQuery } from '#worker/http/read-query.ts'

/** How other sites find out how to show a share page (oembed.com). */
export const oembedRoutes = new Hono<AppEnv>().get('/', async (c) => {
  const request = readQuery(c, OembedRequest)
  if (request.format !== 'json') throw new AppError('not_implemented', 'Only the format "json" is there.')
  const origins = listOrigins(c.env)
  const [origin = ''] = origins
  const module = await getSharedModule(openDb(c.env.DB), moduleIdOfShareUrl(request.url, origins))
  return c.json(describeEmbed(module, request, origin) satisfies OembedAnswer, 200, NO_FRAMES)
})
