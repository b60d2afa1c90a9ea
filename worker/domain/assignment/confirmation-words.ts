import type { InterfaceLanguage } from '#contract/languages.ts'
import * as m from '#messages/pages'

/** What a person confirms of a training. Records hold the words themselves, in the language in which they were shown. */
export function confirmationWords(language: InterfaceLanguage): string {
  return m.page_confirmation(language)
}
