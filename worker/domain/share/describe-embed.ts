import type { OembedAnswer, OembedRequest } from '#contract/oembed.ts'
import { embedPath, sharedPosterPath } from '#contract/share-page.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { escapeHtml } from './write-page.ts'

/** Video of 16 : 9 with the current step and some of the list below it. */
const WIDTH_PX = 800
const HEIGHT_PX = 720
/** What a site may keep it for: no longer than the page itself. */
const CACHE_AGE_S = 60
/** Posters are drawn at this size; a video of another shape has a smaller side. */
const POSTER_PX = { width: 1280, height: 720 }

/**
 * The module that an address leads to.
 * @param origins where the app is open
 * @throws {AppError} not_found for addresses that are not a share page of this server
 */
export function moduleIdOfShareUrl(address: string, origins: readonly string[]): string {
  const url = URL.canParse(address) ? new URL(address) : null
  const moduleId = /^\/(?:share|embed)\/([\w-]+)\/?$/.exec(url?.pathname ?? '')?.[1]
  if (url === null || moduleId === undefined || !origins.includes(url.origin)) throw moduleNotFound()
  return moduleId
}

/** How a module is shown in a frame of at most the size that was asked for. */
export function describeEmbed(
  module: Pick<ModuleRow, 'id' | 'title' | 'hasPoster'>,
  { maxwidth, maxheight }: Pick<OembedRequest, 'maxwidth' | 'maxheight'>,
  origin: string,
): OembedAnswer {
  const width = Math.min(WIDTH_PX, maxwidth ?? WIDTH_PX)
  const height = Math.min(HEIGHT_PX, maxheight ?? HEIGHT_PX)
  const address = escapeHtml(`${origin}${embedPath(module.id)}`)
  const rights = 'allow="fullscreen; picture-in-picture" allowfullscreen'
  const html = `<iframe src="${address}" title="${escapeHtml(module.title)}" width="${width}" height="${height}" style="boundary:0" ${rights}></iframe>`
  const poster = {
    thumbnail_url: `${origin}${sharedPosterPath(module.id)}`,
    thumbnail_width: POSTER_PX.width,
    thumbnail_height: POSTER_PX.height,
  }
  return {
    version: '1.0',
    type: 'video',
    title: module.title,
    provider_name: 'Adapt',
    provider_url: origin,
    cache_age: CACHE_AGE_S,
    html,
    width,
    height,
    ...(module.hasPoster ? poster : {}),
  }
}
