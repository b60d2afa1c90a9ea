import {
  INTERFACE_LANGUAGES,
  type InterfaceLanguage,
  interfaceOf,
  LANGUAGES,
  type LanguageTag,
} from '#contract/languages.ts'
import type { OembedAnswer, OembedRequest, SharedModule, SharedTranslation } from '#contract/share.ts'
import {
  collectionPath,
  embedPath,
  inLanguage,
  SHARE_DATA_ID,
  type SharePageData,
  sharedPosterPath,
} from '#contract/share-page.ts'
import * as m from '#messages/pages'
import { AppError } from '#worker/core/errors.ts'
import { moduleNotFound } from '#worker/domain/module/get-module.ts'
import { linkIdOf } from '#worker/domain/module/link-state.ts'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { describeTraining } from './structured-data.ts'

/**
 * Marks in the built page. What stands between two of a name is replaced, or left out where there is nothing to take
 * along; the single one gives way to the data.
 */
const HEAD = { begin: '<!--share-head-->', end: '<!--/share-head-->' }
const FILES = { begin: '<!--share-files-->', end: '<!--/share-files-->' }
const CAPTIONS = { begin: '<!--share-captions-->', end: '<!--/share-captions-->' }
const BACK = { begin: '<!--share-back-->', end: '<!--/share-back-->' }
const LANGUAGES_MARK = { begin: '<!--share-languages-->', end: '<!--/share-languages-->' }
const LANGUAGE_LINK = { begin: '<!--share-language-->', end: '<!--/share-language-->' }
const NOTE = '<!--share-language-note-->'
const BESIDE = { begin: '<!--share-beside-->', end: '<!--/share-beside-->' }
const INTERFACE = { begin: '<!--share-interface-->', end: '<!--/share-interface-->' }
const DATA = '<!--share-data-->'
/** Stands for the id in the addresses of the files. */
const MODULE = /\bMODULE\b/g
/** Stand for the address and the title of a collection. */
const COLLECTION = /\b(?:COLLECTION|TITLE)\b/g

/** The collection that a learner came from. */
export interface Back {
  id: string
  title: string
}

/** Longer descriptions are cut by those who show them (Open Graph previews, search engines). */
const DESCRIPTION_MAX_CHARS = 200

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes a text as it may stand in HTML, also in the value of an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

/**
 * JSON as it may stand in a script element of a type that is not run: no text in it can end the element, or begin a
 * comment that hides its end (HTML Standard, "Restrictions for contents of script elements").
 */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * The page of one shared module: the built page with what it shows, and what others show of it.
 * @param template built in `tag`
 * @param place `origin`: where the app is open, for addresses that other sites read; `back`: the collection to lead back to
 * @throws {AppError} unavailable when the template is not the built share page
 */
export function writeSharePage(
  template: string,
  data: SharePageData,
  { tag, origin, back = null }: { tag: InterfaceLanguage; origin: string; back?: Back | null },
): string {
  const { module, look } = data
  const [before, , afterHead] = cutOut(template, HEAD)
  const [top, backLink, afterBack] = cutOut(afterHead, BACK)
  const [middle, languages, afterLanguages] = cutOut(afterBack, LANGUAGES_MARK)
  const [between, files, afterFiles] = cutOut(afterLanguages, FILES)
  const [gap, after] = splitAt(afterFiles, DATA)
  const head =
    module === null
      ? `<title>${data.status === 403 ? m.page_link_needs_password(tag) : m.page_not_available(tag)}</title>`
      : writeHead(module, { tag, origin })
  const json = `<script type="application/json" id="${SHARE_DATA_ID}">${escapeJson(data)}</script>`
  const links = module === null || look === 'embed' ? '' : linkFiles(files, module, { tag, back })
  const menu = module === null ? '' : writeLanguages(languages, module, { tag, back })
  const lead = back === null ? '' : linkBack(backLink, back)
  const own = module?.language ?? null
  // Of texts in a language that the app does not speak.
  const begin =
    own === null || interfaceOf(own) !== 'en' ? before : before.replace(HTML_LANG, `lang="${escapeHtml(own)}"`)
  return [begin, head, top, lead, middle, menu, between, links, gap, json, after].join('')
}

const HTML_LANG = 'lang="en"'

function linkBack(link: string, { id, title }: Back): string {
  return link.replace(COLLECTION, (mark) => (mark === 'TITLE' ? escapeHtml(title) : escapeHtml(collectionPath(id))))
}

/** The links to the languages of a training, where it has any besides its own. They keep the way back to a collection. */
function writeLanguages(
  template: string,
  { original, languages, translation }: SharedModule,
  { tag: page, back }: { tag: InterfaceLanguage; back: Back | null },
): string {
  if (languages.length === 0) return ''
  const [before, link, rest] = cutOut(template, LANGUAGE_LINK)
  const [between, beside, after] = cutOut(rest, BESIDE)
  const tags = [...(original === null ? [] : [original]), ...languages]
  const shownLanguage = translation?.language ?? original
  const links = tags.map((tag) => {
    const own = LANGUAGES[tag as LanguageTag] ?? tag
    const name = tag === original ? m.page_original_language({ name: own }, page) : own
    return linkLanguage(link, { tag, name, back, isShown: tag === shownLanguage })
  })
  const note = translation === null ? '' : describeTranslation(translation, page)
  const noteText = between.replace(NOTE, () => escapeHtml(note))
  return [before, links.join('\n      '), noteText, translation === null ? '' : beside, after].join('')
}

/** A link to the same page in a language. */
function linkLanguage(
  link: string,
  { tag, name, back, isShown }: { tag: string; name: string; back: Back | null; isShown: boolean },
): string {
  const backQuery = back === null ? '' : `collection=${encodeURIComponent(back.id)}&amp;`
  const written = link
    .replaceAll('TAG', () => escapeHtml(tag))
    .replace('NAME', () => escapeHtml(name))
    .replace('href="?', () => `href="?${backQuery}`)
  return isShown ? written.replace('<a ', '<a aria-current="true" ') : written
}

/** Describes by whom a training is translated, and what is missing. */
export function describeTranslation({ missing, ...by }: SharedTranslation, tag: InterfaceLanguage): string {
  const note = describeTranslator(by, tag)
  return missing === 0 ? note : m.page_steps_in_original({ note, count: missing }, tag)
}

/** Describes by whom a text is translated. */
export function describeTranslator(
  { isApproved, engine, isRough }: Omit<SharedTranslation, 'language' | 'missing'>,
  tag: InterfaceLanguage,
): string {
  const say = isRough ? m.page_roughly_translated_by : m.page_machine_translated_by
  const byModel = engine === null ? m.page_machine_translated(tag) : say({ engine }, tag)
  return isApproved ? m.page_translation_approved(tag) : byModel
}

/** The links to what can be taken along. */
function linkFiles(
  files: string,
  { id, captionsUrl, original, translation }: SharedModule,
  { tag, back }: { tag: InterfaceLanguage; back: Back | null },
): string {
  const [before, captions, after] = cutOut(files, CAPTIONS)
  const query = inLanguage(translation?.language ?? (tag === interfaceOf(original) ? null : tag))
  const [rest, choice, end] = cutOut(after, INTERFACE)
  const choices = INTERFACE_LANGUAGES.map((each) =>
    linkLanguage(choice, { tag: each, name: LANGUAGES[each], back, isShown: each === tag }),
  )
  const chosen = `${rest}${choices.join('\n        ')}${end}`
  return `${before}${captionsUrl === null ? '' : captions}${chosen}`
    .replace(MODULE, () => encodeURIComponent(id))
    .replace(/(href="\/share\/[^"]+)"/g, (_, href: string) => `${href}${query}"`)
}

/** Splits a text into the parts before the first mark, between both, and after the second. */
function cutOut(text: string, { begin, end }: typeof HEAD): [string, string, string] {
  const [before, rest] = splitAt(text, begin)
  return [before, ...splitAt(rest, end)]
}

function splitAt(text: string, mark: string): [string, string] {
  const offset = text.indexOf(mark)
  if (offset === -1) throw new AppError('unavailable', 'The share page is not built.')
  return [text.slice(0, offset), text.slice(offset + mark.length)]
}

function writeHead(module: SharedModule, { tag: page, origin }: { tag: InterfaceLanguage; origin: string }): string {
  const { id, title, posterUrl, totalDuration, original, languages, translation } = module
  const link = `${origin}/share/${id}`
  const url = `${link}${inLanguage(translation?.language ?? null)}`
  const description = describeModule(module, page)
  const oembed = `${origin}/api/oembed?url=${encodeURIComponent(link)}`
  const others = languages.length === 0 ? [] : [...(original === null ? [] : [original]), ...languages]
  // Open Graph (ogp.me), which also Twitter's cards fall back to.
  const preview: Record<string, string | null> = {
    'og:site_name': 'Adapt',
    'og:type': 'video.other',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:image': posterUrl && `${origin}${posterUrl}`,
    'og:image:alt': posterUrl && title,
    'og:video': `${origin}${embedPath(id)}`,
    'og:video:type': 'text/html',
    'video:duration': totalDuration === null ? null : String(Math.round(totalDuration)),
  }
  const tags = [
    `<title>${escapeHtml(title)} · Adapt</title>`,
    writeTag('meta', { name: 'description', content: description }),
    writeTag('link', { rel: 'canonical', href: url }),
    ...others.map((tag) => writeTag('link', { rel: 'alternate', hreflang: tag, href: `${link}${inLanguage(tag)}` })),
    ...(others.length === 0 ? [] : [writeTag('link', { rel: 'alternate', hreflang: 'x-default', href: link })]),
    writeTag('link', { rel: 'alternate', type: 'application/json+oembed', href: oembed, title }),
    ...Object.entries(preview).flatMap(([property, content]) =>
      content === null ? [] : [writeTag('meta', { property, content })],
    ),
    writeTag('meta', { name: 'twitter:card', content: posterUrl === null ? 'summary' : 'summary_large_image' }),
  ]
  if (posterUrl !== null)
    tags.push(writeTag('link', { rel: 'preload', as: 'image', href: posterUrl, fetchpriority: 'high' }))
  tags.push(`<script type="application/ld+json">${escapeJson(describeTraining(module, origin))}</script>`)
  return tags.join('\n    ')
}

function describeModule({ steps }: SharedModule, tag: InterfaceLanguage): string {
  if (steps.length === 0) return m.page_description(tag)
  const titles = steps.map(({ title }) => title).join(' · ')
  const text = m.page_steps_and_titles({ count: steps.length, titles }, tag)
  return text.length <= DESCRIPTION_MAX_CHARS ? text : `${text.slice(0, DESCRIPTION_MAX_CHARS - 1).trimEnd()}…`
}

function writeTag(name: 'meta' | 'link', attributes: Record<string, string>): string {
  const written = Object.entries(attributes).map(([key, value]) => `${key}="${escapeHtml(value)}"`)
  return `<${name} ${written.join(' ')} />`
}

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
  module: Pick<ModuleRow, 'id' | 'linkCode' | 'title' | 'hasPoster'>,
  { maxwidth, maxheight }: Pick<OembedRequest, 'maxwidth' | 'maxheight'>,
  origin: string,
): OembedAnswer {
  const width = Math.min(WIDTH_PX, maxwidth ?? WIDTH_PX)
  const height = Math.min(HEIGHT_PX, maxheight ?? HEIGHT_PX)
  const address = escapeHtml(`${origin}${embedPath(linkIdOf(module))}`)
  const rights = 'allow="fullscreen; picture-in-picture" allowfullscreen'
  const html = `<iframe src="${address}" title="${escapeHtml(module.title)}" width="${width}" height="${height}" style="border:0" ${rights}></iframe>`
  const poster = {
    thumbnail_url: `${origin}${sharedPosterPath(linkIdOf(module))}`,
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
