import { join } from 'node:path'
import type { Plugin } from 'vite'
import { directionOf, type InterfaceLanguage, interfaceOf, REGIONAL_TAGS } from '#contract/languages.ts'
import { listMessages, MESSAGES_DIR, type Message } from './messages.ts'

/** The language that this build is in. Each has a build of its own, so that a page loads no text of another. */
export const BUILD_LANGUAGE = interfaceOf(process.env['ADAPT_LANGUAGE'])

const CLERK_TEXTS = '#clerk-texts'

function importClerkTexts(locale: string): string {
  return `export { ${locale.replace('-', '')} as clerkTexts } from '@clerk/localizations/${locale}'`
}

/** Puts the texts of the build's language in the place of their names, in code and in pages. */
export function language(): Plugin {
  const messages = new Map(listMessages(BUILD_LANGUAGE).map((message) => [message.key, message]))
  return {
    name: 'language',
    enforce: 'pre',
    resolveId: (id) => (id === CLERK_TEXTS && BUILD_LANGUAGE !== 'en' ? `\0${CLERK_TEXTS}` : null),
    load: (id) => (id === `\0${CLERK_TEXTS}` ? importClerkTexts(REGIONAL_TAGS[BUILD_LANGUAGE]) : null),
    config: () => ({
      resolve: { alias: { '#messages': join(MESSAGES_DIR, `compiled/messages/${BUILD_LANGUAGE}.js`) } },
    }),
    transform: {
      filter: { id: /\.(?:tsx?|js)$/, code: /#messages|registry\.plural/ },
      handler: (code, id) => ({
        code: id.endsWith('.js') ? shortenPlurals(code) : inlineCalls(code, messages),
        map: null,
      }),
    },
    transformIndexHtml: { order: 'pre', handler: (html) => translatePage(html, BUILD_LANGUAGE) },
  }
}

/** Every number has a form, which the check of the catalogue sees to: the last one needs no condition, and no name for none. */
function shortenPlurals(code: string): string {
  const lines = code.split('\n')
  const last = lines.map((line) => /^\tif \(\w+ === "other"\) (?=return )/.test(line))
  return lines
    .flatMap((line, index) =>
      last[index - 1] ? [] : [last[index] ? line.replace(/^\tif \(\w+ === "other"\) /, '\t') : line],
    )
    .join('\n')
    .replaceAll('i?.', 'i.')
    .replaceAll(/(registry\.plural\("\w+", i\.\w+), \{\}\)/g, '$1)')
}

// A call of a function would be longer than most texts are.
function inlineCalls(code: string, messages: ReadonlyMap<string, Message>): string {
  return code.replaceAll(CALL, (call, key: string, given: string | undefined) => {
    const message = messages.get(key)
    return (message && inlineText(message, given ?? '')) ?? call
  })
}

/** A call of a message, with values that are written down at once. */
const CALL = /\bm\.(\w+)\((?:\{([^{}]*)\})?\)/g

/** A text of one form as a literal, with its values in it; null for one that chooses among forms. */
export function inlineText({ forms, text }: Message, given: string): string | null {
  if (Object.keys(forms).length > 1 || given.includes('`')) return null
  if (given.trim() === '') return text.includes('{') ? null : JSON.stringify(text)
  const values = new Map(
    splitValues(given)
      .map((value) => /^(\w+)(?::([^]*))?$/.exec(value) ?? [])
      .map(readValue),
  )
  const parts = text.split(/\{(\w+)\}/)
  const names = parts.filter((_, index) => index % 2 === 1)
  if (names.length !== values.size || names.some((name) => !values.has(name))) return null
  const written = parts.map((part, index) =>
    index % 2 === 1 ? `\${${values.get(part)}}` : part.replace(/[`\\]|\$(?=\{)/g, '\\$&'),
  )
  return `\`${written.join('')}\``
}

function readValue([, name = '', expression]: string[]): [string, string] {
  return [name, (expression ?? name).trim()]
}

/** Splits `a, b: f(x, y)` at the commas that are in no brackets. */
function splitValues(given: string): string[] {
  const values: string[] = ['']
  let depth = 0
  for (const char of given) {
    if ('(['.includes(char)) depth += 1
    if (')]'.includes(char)) depth -= 1
    if (char === ',' && depth === 0) values.push('')
    else values[values.length - 1] += char
  }
  return values.map((value) => value.trim()).filter((value) => value !== '')
}

/** What people read in a page: its texts, and the attributes that are read out or shown by others. */
const PAGE_TEXTS = />([^<>]+)<|(?:aria-label|data-text-\w+|name="description"\s+content)="([^"]+)"/g
/** Names, marks that the worker fills in, and signs. */
const NO_TEXT = /^(?:[A-Z_]+|Adapt|[^a-zA-Z]+)$/

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Puts a page, which is written in English, into a language.
 * @throws when the catalogue lacks one of its texts
 */
export function translatePage(html: string, tag: InterfaceLanguage): string {
  const keys = new Map(listMessages('en').map(({ key, text }) => [text, key]))
  const texts = new Map(listMessages(tag).map(({ key, text }) => [key, text]))
  return html
    .replace('<html lang="en"', `<html lang="${tag}"${directionOf(tag) === 'rtl' ? ' dir="rtl"' : ''}`)
    .replaceAll(PAGE_TEXTS, (all, inner?: string, attribute?: string) => {
      const text = (inner ?? attribute ?? '').trim()
      if (text === '' || NO_TEXT.test(text)) return all
      const key = keys.get(text)
      if (key === undefined) throw new Error(`web/messages/en.json has no text “${text}”`)
      return all.replace(text, () => escapeText(texts.get(key) ?? text))
    })
}
