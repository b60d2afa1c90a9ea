import * as m from '#messages'

const NAMES = new Intl.DisplayNames([m.language_tag()], { type: 'language' })

/** `pt-BR` → `Brazilian Portuguese`; a tag without a name is its own. */
export function languageName(tag: string): string {
  return NAMES.of(tag) ?? tag
}
