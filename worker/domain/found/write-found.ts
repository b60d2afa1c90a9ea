import { type InterfaceLanguage } from '#contract/languages.ts'
import type { MarkedText } from '#contract/search.ts'
import { sharedImagePath, sharePathFrom } from '#contract/share-page.ts'
import * as m from '#messages/pages'
import { showClock } from '#worker/domain/prompt-data.ts'
import { describeTranslator, escapeHtml } from '#worker/domain/share/write-page.ts'
import { sayAnswered } from '#worker/domain/tutor/trainer-answers.ts'
import type { CollectionAnswer } from './answer-collection.ts'
import type { FoundAnswer } from './find-answers.ts'
import type { FoundInCollection, FoundPlace } from './search-collection.ts'

/** What a page shows beneath the field of a collection. */
interface FoundOptions {
  collectionId: string
  tag: InterfaceLanguage
}

/** Writes what a collection has for some words, as HTML: `web/public/collection.js` puts it into the page as it is. */
export function writeFound(found: FoundInCollection, options: FoundOptions): string {
  if ('answers' in found) return writeAnswers(found.answers, options)
  const { places, isCovered, memberCount } = found
  const { tag } = options
  const none = m.page_none_covers({ count: memberCount }, tag)
  const nearest = places.length === 0 ? none : `${none} ${m.page_nearest_places(tag)}`
  const says = isCovered ? m.page_found_places({ count: places.length }, tag) : nearest
  const list = places.map((place) => writePlace(place, options)).join('\n')
  return `<p class="facts">${escapeHtml(says)}</p>${list === '' ? '' : `<ol class="places">${list}</ol>`}`
}

/** Writes what trainers have answered, or a model's answer, each sentence with the moment that it rests on. */
export function writeAnswer(answer: CollectionAnswer, options: FoundOptions): string {
  if ('answers' in answer) return writeAnswers(answer.answers, options)
  const { isCovered, sentences, hasGap, memberCount } = answer
  const { collectionId, tag } = options
  if (!isCovered) return `<p>${escapeHtml(m.page_none_covers({ count: memberCount }, tag))}</p>`
  const written = sentences.map(({ text, moment }) => {
    const said = `<bdi>${escapeHtml(text)}</bdi>`
    if (moment === null) return said
    const { member, start } = moment
    const address = escapeHtml(`${sharePathFrom(collectionId, member.linkId)}&t=${Math.floor(start)}`)
    return `${said} <a href="${address}"><bdi>${escapeHtml(member.title)}</bdi> · ${clockOf(start)}</a>`
  })
  return `<p>${[...written, ...(hasGap ? ['…'] : [])].join(' ')}</p>`
}

/** Writes what trainers have answered, each as a source of its own with the training that it is about. */
function writeAnswers(answers: readonly FoundAnswer[], { collectionId, tag }: FoundOptions): string {
  const written = answers.map(({ member, answer }) => {
    const { text, start, translation } = answer
    const note = translation === null ? '' : ` · ${escapeHtml(describeTranslator(translation, tag))}`
    const at = start === null ? '' : ` · ${clockOf(start)}`
    const card = { member, image: null, start, collectionId }
    const lines = [
      `<span class="said"><bdi>${escapeHtml(text)}</bdi></span>`,
      `<span class="facts"><bdi>${escapeHtml(member.title)}</bdi>${at}${note}</span>`,
    ]
    const says = `<p class="facts">${escapeHtml(sayAnswered(answer, tag))}</p>`
    return `${says}<ol class="places">${writeCard(card, lines)}</ol>`
  })
  return written.join('\n')
}

function writePlace({ member, step, image, start, quote, translation }: FoundPlace, { collectionId }: FoundOptions) {
  const title = escapeHtml(member.title)
  const said = [quote, translation].filter((text) => text !== null)
  return writeCard({ member, image, start, collectionId }, [
    `<span class="title"><bdi>${step === null ? title : writeMarked(step)}</bdi></span>`,
    ...said.map((text) => `<q class="said"><bdi>${escapeHtml(text)}</bdi></q>`),
    step === null
      ? `<span class="facts">${clockOf(start)}</span>`
      : `<span class="facts"><bdi>${title}</bdi> · ${clockOf(start)}</span>`,
  ])
}

interface Card extends Pick<FoundPlace, 'member' | 'image'> {
  /** Seconds; null for the beginning. */
  start: number | null
  collectionId: string
}

/** Writes a link to a moment of a training, with its image beside some lines. */
function writeCard({ member: { linkId, hasPoster }, image, start, collectionId }: Card, lines: readonly string[]) {
  const at = start === null ? '' : `&t=${Math.floor(start)}`
  const address = escapeHtml(sharePathFrom(collectionId, linkId) + at)
  const shown = image ?? (hasPoster ? 'poster' : null)
  const picture =
    shown === null ? '' : `<img src="${escapeHtml(sharedImagePath(linkId, shown))}" alt="" loading="lazy">`
  const text = lines.join('')
  return `<li><a href="${address}"><span class="poster">${picture}</span><span class="text">${text}</span></a></li>`
}

const clockOf = (seconds: number) => showClock(Math.floor(seconds) * 1_000)

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
