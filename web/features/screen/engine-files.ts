import { findLanguage, type LanguageTag } from '#contract/languages.ts'

/**
 * Where the site has the files of the engine that reads text, Tesseract. It asks for them by names of its own, so the
 * version, which browsers keep them by, is in the folder.
 */
export const ENGINE_FOLDER = '/assets/tesseract-7.0.0'

/** Names of the engine's data for the languages of trainings. */
const ENGINE_LANGUAGES: Readonly<Record<LanguageTag, string>> = {
  en: 'eng',
  es: 'spa',
  de: 'deu',
  fr: 'fra',
  pt: 'por',
  it: 'ita',
  nl: 'nld',
  pl: 'pol',
  tr: 'tur',
  ar: 'ara',
  hi: 'hin',
  zh: 'chi_sim',
  th: 'tha',
}

/** The data that there is. */
export const ENGINE_DATA: readonly string[] = Object.values(ENGINE_LANGUAGES)

/** Their writing has none of the letters that commands and names of programs are in. */
const OTHER_SCRIPTS: ReadonlySet<LanguageTag> = new Set(['ar', 'hi', 'zh', 'th'])

/** Lists the data that a screen is read with, for a training in this language (BCP 47): English where it is unknown. */
export function engineLanguagesFor(tag: string | null): string[] {
  const language = findLanguage(tag) ?? 'en'
  return OTHER_SCRIPTS.has(language) ? [ENGINE_LANGUAGES[language], 'eng'] : [ENGINE_LANGUAGES[language]]
}
