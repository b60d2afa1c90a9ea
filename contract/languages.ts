/**
 * The languages that a training can be translated into, by BCP 47 tag, each by its own name. A task of the pipeline names
 * a language by its place here, so new ones come at the end.
 */
export const LANGUAGES = {
  en: 'English',
  es: 'Español',
  de: 'Deutsch',
  fr: 'Français',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  tr: 'Türkçe',
  ar: 'العربية',
  hi: 'हिन्दी',
  zh: '简体中文',
  th: 'ไทย',
} as const
/** Names one of {@link LANGUAGES}. */
export type LanguageTag = keyof typeof LANGUAGES
/** Their tags, in that order. */
export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as LanguageTag[]

/** Finds the language of {@link LANGUAGES} that a BCP 47 tag such as `es-MX` belongs to. */
export function findLanguage(tag: string | null | undefined): LanguageTag | null {
  const primary = (tag ?? '').split(/[-_]/)[0]?.toLowerCase()
  return LANGUAGE_TAGS.find((each) => each === primary) ?? null
}

/** Each language with a region, for what asks for one: recognisers, voices and Clerk's texts. BCP 47. */
export const REGIONAL_TAGS = {
  en: 'en-US',
  es: 'es-ES',
  de: 'de-DE',
  fr: 'fr-FR',
  pt: 'pt-PT',
  it: 'it-IT',
  nl: 'nl-NL',
  pl: 'pl-PL',
  tr: 'tr-TR',
  ar: 'ar-SA',
  hi: 'hi-IN',
  zh: 'zh-CN',
  th: 'th-TH',
} as const satisfies Record<LanguageTag, string>

/** Adds a region to a BCP 47 tag that has none. */
export function regionalTagOf(tag: string): string {
  const language = tag.includes('-') ? null : findLanguage(tag)
  return language === null ? tag : REGIONAL_TAGS[language]
}

/** The languages that the app itself speaks. English, which all texts are written in, comes first. */
export const INTERFACE_LANGUAGES = [
  'en',
  'de',
  'es',
  'fr',
  'pt',
  'pl',
  'tr',
  'ar',
  'hi',
  'zh',
] as const satisfies LanguageTag[]
/** Names one of {@link INTERFACE_LANGUAGES}. */
export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number]

/** Finds the first of some languages that the app speaks: English where it speaks none of them. */
export function firstSpoken(tags: readonly (string | null | undefined)[]): InterfaceLanguage {
  for (const tag of tags) {
    const language = findLanguage(tag)
    const spoken = INTERFACE_LANGUAGES.find((each) => each === language)
    if (spoken !== undefined) return spoken
  }
  return 'en'
}

/** Finds the language of the app for people who read `tag`: English where the app does not speak theirs. */
export function interfaceOf(tag: string | null | undefined): InterfaceLanguage {
  return firstSpoken([tag])
}

/** Says in which direction a language is written. */
export function directionOf(tag: string | null): 'ltr' | 'rtl' {
  return tag === 'ar' ? 'rtl' : 'ltr'
}
