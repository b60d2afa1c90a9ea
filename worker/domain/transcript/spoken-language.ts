/**
 * Returns the language of a BCP 47 tag as recognisers expect it: `pt-BR` → `pt`. They know no regions and no scripts.
 * @param tag a tag that has been checked
 */
export function spokenLanguage(tag: string): string {
  return new Intl.Locale(tag).language
}
