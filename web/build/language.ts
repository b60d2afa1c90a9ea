import { join } from 'node:path'
import type { Plugin } from 'vite'
import { directionOf, type InterfaceLanguage, interfaceOf } from '#contract/translation.ts'
import { listMessages, MESSAGES_DIR } from './messages.ts'

/** The language that this build is in. Each has a build of its own, so that a page loads no text of another. */
export const BUILD_LANGUAGE = interfaceOf(process.env['ADAPT_LANGUAGE'])

const CLERK_TEXTS = '#clerk-texts'
/** How Clerk calls each language, which it has for countries. */
const CLERK_LOCALES: Record<InterfaceLanguage, string> = {
  en: 'en-US',
  de: 'de-DE',
  es: 'es-ES',
  fr: 'fr-FR',
  pt: 'pt-PT',
  pl: 'pl-PL',
  tr: 'tr-TR',
  ar: 'ar-SA',
  hi: 'hi-IN',
  zh: 'zh-CN',
}

function importClerkTexts(locale: string): string {
  return `export { ${locale.replace('-', '')} as default } from '@clerk/localizations/${locale}'`
}

/** Puts the texts of the build's language in the place of their names, in code and in pages. */
export function language(): Plugin {
  const messages = listMessages(BUILD_LANGUAGE)
  const literals = new Map(messages.filter(({ values }) => values.length === 0).map(({ key, text }) => [key, text]))
  return {
    name: 'language',
    enforce: 'pre',
    resolveId: (id) => (id === CLERK_TEXTS && BUILD_LANGUAGE !== 'en' ? `\0${CLERK_TEXTS}` : null),
    load: (id) => (id === `\0${CLERK_TEXTS}` ? importClerkTexts(CLERK_LOCALES[BUILD_LANGUAGE]) : null),
    config: () => ({
      resolve: { alias: { '#messages': join(MESSAGES_DIR, `compiled/messages/${BUILD_LANGUAGE}.js`) } },
    }),
    transform: {
      filter: { id: /\/(?:web|contract)\/.+\.tsx?$/, code: '#messages' },
      // A text without values is a literal: a call of a function would be longer than some of them.
      handler: (code) => ({
        code: code.replaceAll(/\bm\.(\w+)\(\)/g, (call, key: string) =>
          literals.has(key) ? JSON.stringify(literals.get(key)) : call,
        ),
        map: null,
      }),
    },
    transformIndexHtml: { order: 'pre', handler: (html) => translatePage(html, BUILD_LANGUAGE) },
  }
}

/** What people read in a page: its texts, and the attributes that are read out or shown by others. */
const PAGE_TEXTS = />([^<>]+)<|(?:aria-label|content|data-text-\w+)="([^"]+)"/g
/** Names, marks that the worker fills in, and settings such as `width=device-width`. */
const NO_TEXT = /^(?:[A-Z_]+|Adapt|[^a-zA-Z]+|[a-z-]+(?:[ ,=].*)?|#\w+)$/

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
      return all.replace(text, () => texts.get(key) ?? text)
    })
}
