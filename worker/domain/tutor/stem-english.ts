/**
 * Porter's second stemmer for English (Snowball): cautious with "-er", "-or" and "-ion", so that "apply" and "app",
 * "state" and "station" stay apart.
 * @see https://snowballstem.org/algorithms/english/stemmer.html
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2) return word
  const marked = word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y')
  const regions = findRegions(marked)
  let stem = marked.replace(/'s?'?$/, '')
  stem = strip1a(stem)
  stem = strip1b(stem, regions.r1)
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i')
  stem = replaceSuffix(stem, STEP_2, regions.r1)
  stem = replaceSuffix(stem, STEP_3, regions.r1)
  stem = strip4(stem, regions.r2)
  stem = strip5(stem, regions)
  return stem.toLowerCase()
}

interface Regions {
  r1: number
  r2: number
}

const FIRST_REGION = /[aeiouy][^aeiouy]/

function findRegions(word: string): Regions {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)?.[0].length
  const r1 = prefix ?? after(word, 0)
  return { r1, r2: after(word, r1) }
}

function after(word: string, from: number): number {
  const at = word.slice(from).search(FIRST_REGION)
  return at < 0 ? word.length : from + at + 2
}

const VOWEL = /[aeiouy]/

function strip1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
  if (/(?:us|ss)$/.test(word)) return word
  return word.endsWith('s') && VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function strip1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word)
  if (eed) return eed.index >= r1 ? word.slice(0, eed.index + 2) : word
  const ending = /(?:ed|ing)(?:ly)?$/.exec(word)
  if (!ending || !VOWEL.test(word.slice(0, ending.index))) return word
  const stem = word.slice(0, ending.index)
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(stem)) return stem.slice(0, -1)
  return isShort(stem) && r1 >= stem.length ? `${stem}e` : stem
}

function isShort(word: string): boolean {
  return /^[aeiouy][^aeiouy]$/.test(word) || /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word)
}

const STEP_2: readonly [string, string][] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['li', ''],
]
const STEP_3: readonly [string, string][] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
]

function replaceSuffix(word: string, rules: readonly [string, string][], region: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (!rule || word.length - rule[0].length < region) return word
  if (rule[0] === 'li' && !/[cdeghkmnrt]li$/.test(word)) return word
  return word.slice(0, -rule[0].length) + rule[1]
}

const STEP_4 = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|(?<=[st])ion)$/

function strip4(word: string, r2: number): string {
  const suffix = STEP_4.exec(word)
  return suffix && suffix.index >= r2 ? word.slice(0, suffix.index) : word
}

function strip5(word: string, { r1, r2 }: Regions): string {
  const stem = word.slice(0, -1)
  if (word.endsWith('e') && (stem.length >= r2 || (stem.length >= r1 && !isShort(stem)))) return stem
  return word.endsWith('ll') && stem.length >= r2 ? stem : word
}
