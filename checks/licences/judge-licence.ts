/** Licences under which something may ship in Adapt, by their SPDX names, and what each asks for. */
export const ALLOWED: Readonly<Record<string, string>> = {
  MIT: 'keep the notice',
  ISC: 'keep the notice',
  '0BSD': 'nothing',
  Unlicense: 'nothing',
  'CC0-1.0': 'nothing',
  'BSD-2-Clause': 'keep the notice',
  'BSD-3-Clause': 'keep the notice',
  'Apache-2.0': 'keep the notice',
  'MPL-2.0': 'keep the notice and say where its source is; changed files of it would have to be published',
  'OFL-1.1': 'keep the notice beside the font',
}

/** Whether something may ship under an SPDX expression. What nobody has looked at is not allowed. */
export function isAllowed(expression: string): boolean {
  const choices = expression.replaceAll(/[()]/g, '').split(' OR ')
  // With both words in it the brackets would count, and nothing that ships has any.
  if (choices.length > 1 && expression.includes(' AND ')) return false
  const isKnown = (name: string) => Object.hasOwn(ALLOWED, name.trim())
  return choices.some((choice) => choice.split(' AND ').every(isKnown))
}
