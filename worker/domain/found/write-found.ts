import { type InterfaceLanguage } from '#contract/languages.ts'
import type { MarkedText } from '#contract/search.ts'
import { sharedImagePath, sharePathFrom } from '#contract/share-page.ts'
import * as m from '#messages/pages'
import { showClock } from '#worker/domain/prompt-data.ts'
import { escapeHtml } from '#worker/domain/share/write-page.ts'
import type { CollectionAnswer } from './answer-collection.ts'
import type { FoundInCollection, FoundPlace } from './search-collection.ts'

/** What a page shows beneath the field of a collection. */
interface FoundOptions {
  collectionId: string
  tag: InterfaceLanguage
}

/** Writes what a collection has for some words, as HTML: `web/public/collection.js` puts it into the page as it is. */
export function writeFound({ places, isCovered, memberCount }: FoundInCollection, options: FoundOptions): string {
  const { tag } = options
  const none = m.page_none_covers({ count: memberCount }, tag)
  const nearest = places.length === 0 ? none : `${none} ${m.page_nearest_places(tag)}`
  const says = isCovered ? m.page_found_places({ count: places.length }, tag) : nearest
  const list = places.map((place) => writePlace(place, options)).join('\n')
  return `<p class="facts">${escapeHtml(says)}</p>${list === '' ? '' : `<ol class="places">${list}</ol>`}`
}

/** Writes a model's answer, each sentence with the moment that it rests on. */
export function writeAnswer(
  { isCovered, sentences, hasGap, memberCount }: CollectionAnswer,
  { collectionId, tag }: FoundOptions,
): string {
  if (!isCovered) return `<p>${escapeHtml(m.page_none_covers({ count: memberCount }, tag))}</p>`
  const written = sentences.map(({ text, moments }) => {
    const links = moments.map(({ member, start }) => {
      const seconds = Math.floor(start)
      const address = escapeHtml(`${sharePathFrom(collectionId, member.linkId)}&t=${seconds}`)
      return `<a href="${address}"><bdi>${escapeHtml(member.title)}</bdi> · ${showClock(seconds * 1_000)}</a>`
    })
    return [`<bdi>${escapeHtml(text)}</bdi>`, ...links].join(' ')
  })
  return `<p>${[...written, ...(hasGap ? ['…'] : [])].join(' ')}</p>`
}

function writePlace({ member, step, image, start, quote, translation }: FoundPlace, { collectionId }: FoundOptions) {
  const { linkId, title } = member
  const seconds = Math.floor(start)
  const address = `${sharePathFrom(collectionId, linkId)}&t=${seconds}`
  const shown = image ?? (member.hasPoster ? 'poster' : null)
  const picture =
    shown === null ? '' : `<img src="${escapeHtml(sharedImagePath(linkId, shown))}" alt="" loading="lazy">`
  const said = [quote, translation].filter((text) => text !== null)
  return [
    `<li><a href="${escapeHtml(address)}"><span class="poster">${picture}</span>`,
    `<span class="text"><span class="title"><bdi>${step === null ? escapeHtml(title) : writeMarked(step)}</bdi></span>`,
    ...said.map((text) => `<q class="said"><bdi>${escapeHtml(text)}</bdi></q>`),
    `<span class="facts">${step === null ? '' : `<bdi>${escapeHtml(title)}</bdi> · `}${showClock(seconds * 1_000)}</span></span></a></li>`,
  ].join('')
}

/** Writes a text with what was searched for in it. */
function writeMarked({ text, marks }: MarkedText): string {
  let written = ''
  let at = 0
  for (const [from, to] of marks) {
    written += `${escapeHtml(text.slice(at, from))}<mark>${escapeHtml(text.slice(from, to))}</mark>`
    at = to
  }
  return written + escapeHtml(text.slice(at))
}
