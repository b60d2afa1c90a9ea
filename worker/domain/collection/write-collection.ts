import { type InterfaceLanguage } from '#contract/languages.ts'
import { COLLECTION_QUESTION_MAX_CHARS } from '#contract/limits.ts'
import { askCollectionPath, collectionPath, foundPath, sharedPosterPath, sharePathFrom } from '#contract/share-page.ts'
import * as m from '#messages/pages'
import { showClock } from '#worker/domain/prompt-data.ts'
import { escapeHtml } from '#worker/domain/share/write-page.ts'
import { langAttributes } from '#worker/domain/translation/apply-translation.ts'
import type { SharedMember } from './collection.ts'
import type { CollectionRow } from './collection-store.ts'

/** The colours are those of web/styles/tokens.css; the page brings no style sheet, so that it is there with its HTML. */
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#15201c, #edf3f0); background: light-dark(#fbfaf7, #0e1412); --soft: light-dark(#47534e, #b3c0ba); --line: light-dark(#e3e1d9, #27322d); --brand: light-dark(#0f6b57, #4ac6a2) }
:root[data-theme=light] { color-scheme: light }
:root[data-theme=dark] { color-scheme: dark }
* { box-sizing: border-box }
body { max-width: 44rem; margin: 0 auto; padding: 1rem 1rem 3rem; overflow-wrap: anywhere }
a { color: inherit }
a:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px }
.home { display: inline-block; padding: .25rem 0; font-weight: 600; text-decoration: none }
h1 { margin: .75rem 0 .25rem; font-size: 1.5rem; line-height: 1.25 }
p { margin: 0 }
.facts, .mark { font-size: .875rem; color: var(--soft) }
.whole { margin-top: 1.25rem; font-weight: 600 }
progress { display: block; width: 100%; height: .5rem; margin-top: .5rem; border: 0; border-radius: 1rem; overflow: hidden; background: var(--line); accent-color: var(--brand); appearance: none }
progress::-webkit-progress-bar { background: var(--line) }
progress::-webkit-progress-value { background: var(--brand) }
progress::-moz-progress-bar { background: var(--brand) }
ol { display: grid; gap: .75rem; margin: 1.5rem 0 0; padding: 0; list-style: none }
li > a { display: flex; gap: .875rem; padding: .75rem; border: 1px solid var(--line); border-radius: 1rem; background: light-dark(#fff, #151d1a); text-decoration: none }
li > a:hover { border-color: light-dark(#868c87, #6d7b75) }
.poster { flex: none; align-self: flex-start; position: relative; width: 7rem; aspect-ratio: 16/9; border-radius: .5rem; overflow: hidden; background: light-dark(#e0f0ea, #12332a) }
.poster img { position: absolute; width: 100%; height: 100%; object-fit: cover }
.number { position: absolute; inset-inline-start: .25rem; top: .25rem; min-width: 1.5rem; padding: 0 .375rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600; text-align: center; color: #fff; background: #0c1311 }
.text { min-width: 0; flex: 1 }
.title { display: block; font-weight: 600; line-height: 1.3 }
.mark { display: block; font-weight: 600; color: light-dark(#0b5445, #83e2c5) }
form { margin-top: 1.25rem }
form label { display: block; font-weight: 600 }
form div { display: flex; gap: .5rem; margin-top: .375rem }
input, button { min-height: 2.75rem; padding: .5rem .875rem; border: 1px solid light-dark(#868c87, #6d7b75); border-radius: .75rem; font: inherit; color: inherit; background: light-dark(#fff, #151d1a) }
input { flex: 1; min-width: 0 }
button { border-color: transparent; font-weight: 600; color: light-dark(#fff, #08211a); background: var(--brand); cursor: pointer }
input:focus-visible, button:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px }
#says:not(:empty), #found:not(:empty), #answer:not(:empty) { margin-top: .75rem }
#answer p:not(.facts) { padding: .75rem; border-radius: 1rem; background: light-dark(#e0f0ea, #12332a) }
#answer p a { font-size: .875rem; color: var(--brand) }
#says:not(:empty) + #found { margin-top: 0 }
#answer ol, #found ol { margin-top: .5rem }
#answer:has(ol) ~ :is(#says, #found) { display: none }
.said { display: block; margin-top: .125rem }
mark { color: inherit; background: light-dark(#ffe9a8, #5b4a10) }
[hidden] { display: none }
@media (max-width: 22.5rem) { .poster { width: 5rem } li > a { gap: .625rem } }
`

/**
 * Writes the page of a shared collection: a list of links that works without a script. A small one
 * (`web/public/collection.js`) adds what this device knows of the learner's progress.
 * @param page `origin`: where the app is open, for addresses that other sites read; `tag`: its language
 */
export function writeCollectionPage(
  { id, title }: Pick<CollectionRow, 'id' | 'title'>,
  members: readonly SharedMember[],
  { origin, tag }: { origin: string; tag: InterfaceLanguage },
): string {
  const name = escapeHtml(title)
  const facts = describe(members, tag)
  const poster = members.find(({ hasPoster }) => hasPoster)
  const head = [
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">',
    `<title>${name} · Adapt</title><meta name="description" content="${facts}"><meta property="og:title" content="${name}">`,
    `<meta property="og:description" content="${facts}"><meta property="og:url" content="${origin}${collectionPath(id)}">`,
    poster && `<meta property="og:image" content="${origin}${sharedPosterPath(poster.linkId)}">`,
    `<link rel="icon" type="image/svg+xml" href="/favicon.svg"><script src="/theme.js"></script><style>${STYLE}</style>`,
    '<script type="module" src="/collection.js"></script>',
  ]
  const body = [
    `<header><a class="home" href="/">Adapt</a></header><main><h1>${name}</h1><p class="facts">${facts}</p>`,
    members.length === 0 ? '' : writeForm(id, { tag, hasTutor: members.some((member) => member.hasTutor) }),
    `<div id="whole" class="whole" ${writeProgressTexts(tag)} hidden><p role="status"></p><progress aria-label="${escapeHtml(m.page_progress_of_all(tag))}"></progress></div>`,
    `<ol id="members">${members.map((member, index) => writeMember(id, member, { number: index + 1, tag })).join('\n')}</ol></main>`,
  ]
  return `<!doctype html><html ${langAttributes(tag)}><head>${head.filter(Boolean).join('\n')}</head><body>${body.join('\n')}</body></html>`
}

/** What is filled in where the address asks for something. */
const WORDS = '<input id="words" value="'
const FOUND = '<div id="found">'
/** Where the script puts the first sentence of what it found: the list itself is not read out. */
const SAYS = '<p id="says" class="facts" role="status"></p>'

/** The field works without a script: it asks for the page itself, with what was found in it. */
function writeForm(id: string, { tag, hasTutor }: { tag: InterfaceLanguage; hasTutor: boolean }): string {
  const max = COLLECTION_QUESTION_MAX_CHARS
  const asks = `data-ask="${escapeHtml(askCollectionPath(id))}" data-writing="${escapeHtml(m.page_writing_answer(tag))}"`
  return [
    `<form id="ask" role="search" data-found="${escapeHtml(foundPath(id))}" data-failed="${escapeHtml(m.page_search_failed(tag))}"${hasTutor ? ` ${asks}` : ''}>`,
    `<label for="words">${escapeHtml(m.page_ask_collection(tag))}</label><div>`,
    `${WORDS}" name="q" type="search" maxlength="${max}" autocomplete="off" enterkeyhint="search" dir="auto">`,
    `<button>${escapeHtml(m.page_find(tag))}</button></div></form>${hasTutor ? '<div id="answer" role="status"></div>' : ''}${SAYS}${FOUND}</div>`,
  ].join('')
}

/**
 * Puts words and what was found for them into the page of a collection.
 * @param found as HTML; empty for none
 */
export function fillFound(page: string, words: string, found: string): string {
  return page.replace(WORDS, () => WORDS + escapeHtml(words)).replace(FOUND, () => FOUND + found)
}

/** Writes that nothing could be searched, in the place of what was found. */
export function writeSearchFailed(tag: InterfaceLanguage): string {
  return `<p class="facts">${escapeHtml(m.page_search_failed(tag))}</p>`
}

function describe(members: readonly SharedMember[], tag: InterfaceLanguage): string {
  if (members.length === 0) return m.page_collection_empty(tag)
  const ms = members.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  const count = m.page_training_count({ count: members.length }, tag)
  return ms === 0 ? count : `${count} · ${showClock(ms)}`
}

/** For `web/public/collection.js`, which fills in the numbers. */
function writeProgressTexts(tag: InterfaceLanguage): string {
  const texts = {
    completed: m.page_completed(tag),
    watched: m.page_watched({ percent: '{percent}' }, tag),
    count: m.page_completed_count({ completed: '{completed}', count: '{count}' }, tag),
  }
  return Object.entries(texts)
    .map(([name, text]) => `data-${name}="${escapeHtml(text)}"`)
    .join(' ')
}

function writeMember(
  collectionId: string,
  member: SharedMember,
  { number, tag }: { number: number; tag: InterfaceLanguage },
): string {
  const { linkId, hasPoster, durationMs, stepCount, isLocked } = member
  const title = isLocked ? m.page_locked_training(tag) : member.title
  const facts = isLocked
    ? []
    : [
        ...(durationMs === null ? [] : [showClock(durationMs)]),
        stepCount === 0 ? m.page_being_prepared(tag) : m.page_step_count({ count: stepCount }, tag),
      ]
  const image = hasPoster ? `<img src="${escapeHtml(sharedPosterPath(linkId))}" alt="" loading="lazy">` : ''
  return [
    `<li data-module="${escapeHtml(linkId)}" data-seconds="${durationMs === null ? '' : durationMs / 1000}">`,
    `<a href="${escapeHtml(sharePathFrom(collectionId, linkId))}"><span class="poster">${image}<span class="number">${number}</span></span>`,
    `<span class="text"><span class="title">${escapeHtml(title)}</span><span class="facts">${facts.join(' · ')}</span>`,
    '<span class="mark" hidden></span></span></a></li>',
  ].join('')
}
