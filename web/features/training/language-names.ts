/** The languages of Whisper that have a code of two letters. */
const CODES =
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh'.split(
    ' ',
  )

const NAMES = new Intl.DisplayNames(['en'], { type: 'language' })

/** `pt-BR` → `Brazilian Portuguese`; a tag without a name is its own. */
export function languageName(tag: string): string {
  return NAMES.of(tag) ?? tag
}

/** All that can be chosen, by name; what is chosen already is among it, even if it is another one. */
export function listLanguages(chosen: string | null): { tag: string; name: string }[] {
  const tags = chosen === null || CODES.includes(chosen) ? CODES : [...CODES, chosen]
  return tags.map((tag) => ({ tag, name: languageName(tag) })).toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
