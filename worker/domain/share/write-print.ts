import { encode } from 'uqr'
import { findHeading } from '#contract/chapters.ts'
import type { SharedTranslation } from '#contract/share.ts'
import type { SharedStep } from '#contract/step.ts'
import * as m from '#messages/pages'
import type { ModuleRow } from '#worker/domain/module/module-store.ts'
import { showClock } from '#worker/domain/prompt-data.ts'
import { langAttributes } from '#worker/domain/translation/apply-translation.ts'
import { describeAnswer, labelCallout, type WrittenTraining } from './write-markdown.ts'
import { describeTranslation, escapeHtml } from './write-page.ts'

/** A third of the lower side of the paper: an image leaves its step on one page. */
const IMAGE_HEIGHT_MM = 70

/**
 * Black on white on any paper. A step stays on its page unless it is longer than one; an image and a code are never cut.
 * The code is 26 mm wide, in which a square of an address of 80 letters is over half a millimetre, as cameras need it.
 */
const STYLE = `
@page { margin: 14mm }
:root { color-scheme: light; font: 11pt/1.45 'Inter Variable', system-ui, sans-serif; color: #000; background: #fff }
body { max-width: 182mm; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1, h2, h3, p, ol, ul { margin: 0; padding: 0 }
h1 { font-size: 20pt; line-height: 1.2 }
h2 { font-size: 14pt; margin: 7mm 0 3mm; break-after: avoid }
h3 { font-size: 12.5pt; line-height: 1.3 }
li { list-style: none }
a { color: inherit }
hr { border: 0; border-top: .4mm solid #000; margin: 7mm 0 }
svg { display: block; width: 26mm; height: 26mm }
header, .row { display: flex; gap: 5mm; align-items: flex-start }
header { border-bottom: .6mm solid #000; padding-bottom: 4mm; margin-bottom: 5mm }
header > div:not(.code), .row > div:not(.code) { flex: 1; min-width: 0 }
.facts, .code { font-size: 9pt }
.facts { margin-top: 2mm }
.step { break-inside: avoid; padding: 4mm 0; border-bottom: .2mm solid #767676 }
.number { flex: none; min-width: 8mm; height: 8mm; border: .5mm solid #000; border-radius: 4mm; text-align: center; font-weight: 700; line-height: 7mm }
.row img { display: block; max-width: 100%; max-height: ${IMAGE_HEIGHT_MM}mm; margin: 2mm 0; break-inside: avoid }
.part { position: relative; overflow: hidden; margin: 2mm 0; break-inside: avoid }
.row .part img { position: absolute; max-width: none; max-height: none; margin: 0; object-fit: contain }
.row p { margin-top: 1.5mm; white-space: pre-line }
.said { white-space: pre-line }
.callouts { display: grid; gap: 1.5mm; margin-bottom: 3mm }
.callouts li { border: .3mm solid #000; padding: 1mm 2.5mm }
.callouts .warning { border-width: .8mm }
.commands { margin-top: 2mm; display: grid; gap: 1.5mm }
.commands li { border: .2mm solid #767676; padding: 1mm 2.5mm; break-inside: avoid }
pre { margin: 0; font: 10pt/1.4 ui-monospace, monospace; white-space: pre-wrap; text-align: left }
.code { flex: none; text-align: center; break-inside: avoid }
.on-screen { margin-bottom: 1.5rem }
@media print { body { max-width: none; padding: 0 } .on-screen { display: none } }
@media screen and (max-width: 30rem) { .code { font-size: 8pt } svg { width: 20mm; height: 20mm } header, .row { gap: 3mm } }
`

/** White around a code that ISO/IEC 18004 asks for, in its own squares. */
const QUIET_ZONE = 4

/** Draws an address as a QR code: a row of squares is one move of the pen. */
function drawCode(link: string, label: string): string {
  const { data, size } = encode(link, { ecc: 'M', border: QUIET_ZONE })
  const rows = data.flatMap((squares, y) =>
    [
      ...squares
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ].map(({ 0: dark, index }) => `M${index} ${y}h${dark.length}v1h-${dark.length}z`),
  )
  return `<svg viewBox="0 0 ${size} ${size}" role="img" aria-label="${escapeHtml(label)}" shape-rendering="crispEdges"><path d="${rows.join('')}"/></svg>`
}

/** A training as it is printed. */
export interface PrintedTraining extends WrittenTraining {
  /** Null for the original. */
  translation: SharedTranslation | null
  /** Of the page that it leads back to. */
  pagePath: string
  module: Pick<ModuleRow, 'id' | 'updatedAt' | 'durationMs' | 'language'>
  /** The number of the published version, otherwise that of the steps. */
  version: number
}

/** Writes the page that a training is printed from: without a script, one step after the other, a code beside each. */
export function writePrintPage(training: PrintedTraining): string {
  const { title, steps, playUrl, tag, pagePath } = training
  const name = escapeHtml(title)
  const page = escapeHtml(pagePath)
  const body = [
    `<p class="on-screen">${m.page_print_hint(tag)} <a href="${page}">${m.page_back_to_video(tag)}</a></p>`,
    `<header><div><h1>${name}</h1><p class="facts">${escapeHtml(describe(training))}<br>${escapeHtml(playUrl(0))}</p></div>`,
    `<div class="code">${drawCode(playUrl(0), m.page_code_of_video(tag))}${m.page_video(tag)}</div></header>`,
    '<main><ol>',
    ...steps.map(
      (step, index) =>
        `<li${langOf(step)}>${headingOf(findHeading(steps, index))}${writeStep(training, step, index + 1)}</li>`,
    ),
    `</ol>${writeAnswers(training)}</main>`,
  ]
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${name} · Adapt</title><style>${STYLE}</style>`
  return `<!doctype html><html ${langAttributes(tag)}><head>${head}</head><body>${body.join('\n')}</body></html>`
}

/** What the trainer has answered, behind the steps. */
function writeAnswers({ answers, tag }: PrintedTraining): string {
  if (answers.length === 0) return ''
  const written = answers.map((answer) => {
    const clock = answer.start === null ? '' : ` · ${showClock(answer.start * 1_000)}`
    const source = `<p class="facts">${escapeHtml(describeAnswer(answer, tag))}${clock}</p>`
    return `<li class="step"${langOf(answer)}><h3>${escapeHtml(answer.question)}</h3><p class="said">${escapeHtml(answer.text)}</p>${source}</li>`
  })
  return `<h2>${m.page_questions_and_answers(tag)}</h2><ul>${written.join('')}</ul>`
}

function langOf({ language }: Pick<SharedStep, 'language'>): string {
  return language === undefined ? '' : ` ${langAttributes(escapeHtml(language))}`
}

function headingOf(title: string | null | undefined): string {
  if (title === undefined) return ''
  return title === null ? '<hr>' : `<h2>${escapeHtml(title)}</h2>`
}

/** Which version of the training is on paper. */
function describe({ module, version, steps, translation, tag }: PrintedTraining): string {
  const locale = tag === 'en' ? 'en-GB' : tag
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(module.updatedAt)
  const facts = [m.page_version({ version }, tag), date]
  facts.push(m.page_step_count({ count: steps.length }, tag))
  if (translation !== null) facts.push(describeTranslation(translation, tag))
  if (module.durationMs !== null) facts.push(m.page_video_length({ length: showClock(module.durationMs) }, tag))
  return facts.join(' · ')
}

/** The image, or the part of it that its trainer has marked, of the 16:9 frame that it is seen in. */
function writeImage(image: string, { imageText, focus, image: name }: SharedStep): string {
  const [src, alt] = [escapeHtml(image), escapeHtml(imageText)]
  // The poster shows another moment.
  if (focus === null || name === 'poster') return `<img src="${src}" alt="${alt}">`
  const { x, y, width, height } = focus
  const [across, down] = [16 * width, 9 * height]
  // A height of its own would change its ratio.
  const frame = `aspect-ratio:${across}/${down};width:min(100%,${((IMAGE_HEIGHT_MM * across) / down).toFixed(1)}mm)`
  const whole = { width: 10_000 / width, height: 10_000 / height, left: (-100 * x) / width, top: (-100 * y) / height }
  const place = Object.entries(whole).map(([side, percent]) => `${side}:${percent.toFixed(2)}%`)
  return `<div class="part" style="${frame}"><img style="${place.join(';')}" src="${src}" alt="${alt}"></div>`
}

function writeStep({ playUrl, imageUrl, tag }: PrintedTraining, step: SharedStep, number: number): string {
  const image = imageUrl(step)
  const clock = showClock(step.timestamp * 1_000)
  const callouts = step.callouts.map(
    ({ kind, text }) => `<li class="${kind}"><b>${labelCallout(kind, tag)}</b> ${escapeHtml(text)}</li>`,
  )
  const commands = step.commands.map(
    ({ text, startMs }) =>
      `<li><pre dir="ltr" translate="no"><code>${escapeHtml(text)}</code></pre><span class="facts">${showClock(startMs)}</span></li>`,
  )
  return [
    '<article class="step">',
    callouts.length === 0 ? '' : `<ul class="callouts">${callouts.join('')}</ul>`,
    `<div class="row"><span class="number">${number}</span><div><h3>${escapeHtml(step.title)}</h3>`,
    image === null ? '' : writeImage(image, step),
    step.description === '' ? '' : `<p>${escapeHtml(step.description)}</p>`,
    commands.length === 0 ? '' : `<ul class="commands">${commands.join('')}</ul>`,
    `</div><div class="code">${drawCode(playUrl(step.timestamp), m.page_code_at({ time: clock }, tag))}${clock}</div></div>`,
    '</article>',
  ].join('')
}
