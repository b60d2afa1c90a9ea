/** The languages that Whisper knows and ISO 639-1 has a code for. */
const CODES =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'.split(
    ' ',
  )

/** Where Whisper's name is not the one of the Unicode tables. */
const OTHER_NAMES: Record<string, string> = {
  bengali: 'bn',
  burmese: 'my',
  castilian: 'es',
  flemish: 'nl',
  haitian: 'ht',
  mandarin: 'zh',
  moldavian: 'ro',
  myanmar: 'my',
  nynorsk: 'nn',
  punjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
}

let codeByName: Map<string, string> | null = null

function namesToCodes(): Map<string, string> {
  const names = new Intl.DisplayNames(['en'], { type: 'language' })
  const pairs = CODES.map((code): [string, string] => [(names.of(code) ?? code).toLowerCase(), code])
  return new Map([...pairs, ...Object.entries(OTHER_NAMES)])
}

/** ISO 639-1 of what a server calls the language: "en", "en-US" or "english". Null for anything else. */
export function languageCode(name: unknown): string | null {
  if (typeof name !== 'string') return null
  const plain = name.trim().toLowerCase()
  const code = plain.split(/[-_]/)[0] ?? ''
  if (CODES.includes(code)) return code
  codeByName ??= namesToCodes()
  return codeByName.get(plain) ?? null
}
