import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '#contract/languages.ts'
import { openBrowser } from '../browser.ts'
import { findCase, keepCase, pictureOf, type ScreenCase } from './screen-case.ts'
import { CODE, DOS_PROMPT, interfaceTexts, makeSession, PROMPTS } from './texts.ts'

interface Drawing extends ScreenCase {
  html: string
  /** Zoom of the page. */
  zoom: number
}

const SIZES = [
  [1280, 720],
  [1920, 1080],
  [2560, 1440],
  [3840, 2160],
] as const
const ZOOMS = [1, 0.8, 1.25, 1.5]
const CRFS = [23, 28, 32]
const FONTS = ['DejaVu Sans', 'Liberation Sans', 'Liberation Serif', 'DejaVu Sans Condensed'] as const

function common(kind: string, index: number) {
  const [width, height] = SIZES[index % SIZES.length] ?? SIZES[0]
  // The size and the zoom have the same period, so that one of them moves on.
  const zoom = (ZOOMS[(index + Math.floor(index / 4)) % ZOOMS.length] ?? 1) * (height >= 2160 ? 1.75 : 1)
  const crf = CRFS[index % CRFS.length] ?? 23
  return { name: `${kind}-${index}`, width, height, zoom, crf, isComplete: true }
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const span = (text: string, style: string) => `<span style="${style}">${escape(text)}</span>`

/** An app with a bar, a list and a form, in one of two looks. */
function drawApp(language: InterfaceLanguage, isDark: boolean, index: number): Drawing {
  const lines = interfaceTexts(language, index + 60, 12)
  const [title = '', ...others] = lines
  const colours = isDark
    ? { page: '#15171c', bar: '#23262e', text: '#e6e6e6', field: '#2b2f38', accent: '#3b82f6' }
    : { page: '#ffffff', bar: '#e9edf5', text: '#1b1f24', field: '#f4f4f6', accent: '#1d4ed8' }
  const field = (text: string) =>
    `<div style="border:1px solid #888;background:${colours.field};padding:6px 10px;margin:8px 0;width:460px">${escape(text)}</div>`
  const button = (text: string) =>
    `<div style="display:inline-block;background:${colours.accent};color:#fff;padding:7px 16px;margin:8px 24px 8px 0;border-radius:5px">${escape(text)}</div><br>`
  const html = `<body dir="${language === 'ar' ? 'rtl' : 'ltr'}" style="margin:0;background:${colours.page};color:${colours.text};font:14px/1.5 '${FONTS[index % FONTS.length]}'">
<div style="background:${colours.bar};padding:10px 18px;font-size:19px">${escape(title)}</div>
<div style="display:flex"><div style="background:${colours.bar};width:420px;padding:14px 18px">${others
    .slice(0, 4)
    .map((text) => `<div style="margin:7px 0;font-size:13px">${escape(text)}</div>`)
    .join('')}</div>
<div style="padding:14px 24px">${others
    .slice(4, 7)
    .map((text) => `<p style="margin:7px 0">${escape(text)}</p>`)
    .join('')}${others.slice(7, 9).map(field).join('')}${others.slice(9).map(button).join('')}</div></div>`
  return { ...common(`app-${language}-${isDark ? 'dark' : 'light'}`, index), language, lines, commands: [], html }
}

/** A terminal in a window, some with the recorder's display of what is pressed. */
function drawTerminal(index: number): Drawing {
  const base = common('console', index)
  const prompt = index % 3 === 2 ? DOS_PROMPT : (PROMPTS[index % PROMPTS.length] ?? '$ ')
  const { shown, lines, commands } = makeSession(index * 4 + 1, 5, prompt)
  const keys = index % 4 === 1 ? ['Ctrl+Shift+P'] : []
  const [background, colour] = index % 2 === 0 ? ['#1e1e1e', '#cccccc'] : ['#ffffff', '#222222']
  const overlay = keys
    .map(
      (text) =>
        `<div style="position:absolute;bottom:36px;left:420px;background:#000c;color:#fff;font:600 26px 'Liberation Sans';padding:10px 22px;border-radius:8px">${text}</div>`,
    )
    .join('')
  const html = `<body style="margin:0;background:#557;position:relative;height:${base.height / base.zoom}px"><div style="margin:24px;width:900px;background:${background};color:${colour};padding:10px;font:15px/1.35 'DejaVu Sans Mono';white-space:pre">${shown.map(escape).join('\n')}</div>${overlay}`
  return { ...base, language: 'en', lines: [...lines, ...keys], commands, html }
}

const KEYWORDS = /\b(import|export|async|function|const|await|return|from|def|for|in|if|SELECT|FROM|JOIN|WHERE|ON|AS)\b/

/** A dark or light editor with coloured words. */
function drawCode(index: number): Drawing {
  const base = common('code', index)
  const lines = CODE[index % CODE.length] ?? []
  const isDark = index % 2 === 0
  const paint = (line: string) =>
    line
      .split(KEYWORDS)
      .map((part) => (KEYWORDS.test(part) ? span(part, `color:${isDark ? '#c586c0' : '#af00db'}`) : escape(part)))
      .join('')
  const html = `<body style="margin:0;background:${isDark ? '#1e1e1e' : '#fff'};color:${isDark ? '#d4d4d4' : '#000'};font:14px/1.5 'Hack','DejaVu Sans Mono';white-space:pre;padding:20px">${lines.map(paint).join('\n')}`
  const shown = lines.filter((line) => line !== '').map((line) => line.trim())
  return { ...base, language: 'en', lines: shown, commands: [], html }
}

function drawSlide(index: number): Drawing {
  const language = INTERFACE_LANGUAGES[index % 6] ?? 'en'
  const lines = interfaceTexts(language, index + 90, 5)
  const [title = '', ...points] = lines
  const html = `<body style="margin:0;height:100vh;background:linear-gradient(#0b3,#063);color:#fff;font:26px/1.6 'Liberation Sans'"><h1 style="padding:20px 60px;margin:0;background:#0005">${escape(title)}</h1><ul style="padding:20px 100px">${points.map((text) => `<li>${escape(text)}</li>`).join('')}</ul>`
  return { ...common('slide', index), language, lines, commands: [], html }
}

export function listDrawings(): Drawing[] {
  const apps = INTERFACE_LANGUAGES.flatMap((language, index) =>
    [0, 1, 2, 3].map((look) => drawApp(language, look % 2 === 1, index * 4 + look)),
  )
  const times = <Made>(count: number, make: (index: number) => Made) =>
    Array.from({ length: count }, (_, at) => make(at))
  return [...apps, ...times(14, drawTerminal), ...times(8, drawCode), ...times(6, drawSlide)]
}

/** Draws the frames that are not in the folder yet. */
export async function draw(folder: string): Promise<ScreenCase[]> {
  const drawings = listDrawings()
  const missing = drawings.filter((each) => findCase(folder, each) === null)
  const browser = missing.length === 0 ? null : await openBrowser()
  for (const drawing of missing) {
    const { width, height, zoom } = drawing
    const viewport = { width: Math.round(width / zoom), height: Math.round(height / zoom) }
    const page = await browser?.newPage({ viewport, deviceScaleFactor: zoom })
    if (page === undefined) break
    await page.setContent(`<!doctype html>${drawing.html}`)
    // A busy machine fails the largest ones sometimes; the next run makes what is missing.
    const isDrawn = await page.screenshot({ path: pictureOf(folder, drawing) }).then(
      () => true,
      (error: unknown) => console.error(`${drawing.name} could not be drawn`, error),
    )
    await page.close()
    if (isDrawn !== true) continue
    keepCase(folder, drawing)
  }
  await browser?.close()
  return drawings.map((each) => findCase(folder, each)).filter((each) => each !== null)
}
