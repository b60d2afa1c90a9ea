import type { SecretKind } from '#contract/screen.ts'
import { withoutAccounts } from './without-accounts.ts'

const PATTERNS: readonly (readonly [SecretKind, RegExp])[] = [
  ['key', /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/u],
  // Prefixes that services give their keys, so that they are found.
  ['key', /(?:sk|pk|rk)[-_](?:live|test|proj|ant)[-_][\w-]{8}/u],
  ['key', /AKIA[0-9A-Z]{12}|AIza[\w-]{20}|gh[pousr]_\w{16}/u],
  ['token', /eyJ[\w-]{8}|xox[abprs]-[\w-]{8}|glpat-[\w-]{12}|npm_\w{20}/u],
  ['token', /[Bb]earer [\w.~+/-]{12}/u],
  [
    'password',
    /(?:password|passwd|passphrase|kennwort|passwort|contraseña|mot de passe|senha|hasło|şifre) ?[:=] ?\S/iu,
  ],
  ['password', /(?:^|[^\p{L}])(?:pwd|pin|parola) ?[:=] ?\S/iu],
  // In an address of a server.
  ['password', /:\/\/[^\s/:@]{1,60}:[^\s/@]{1,60}@/u],
  ['key', /(?:api[-_ ]?key|secret|access[-_ ]?key|token)["']? ?[:=] ?["']?[\w./+-]{6}/iu],
]
/** Of a line without accounts on servers, which look alike. */
const EMAIL = /[\w.+-] ?[@©®] ?[\w-]{1,40}\.[a-z]{2}/iu

const CARD = /(?:\d[ -]?){13,19}/gu
/** Shorter ones are words and numbers. */
const RANDOM_MIN = 20

/** Finds what in a line should be kept private; null where there is nothing. */
export function findSecret(line: string): SecretKind | null {
  const found = PATTERNS.find(([, pattern]) => pattern.test(line))
  if (found !== undefined) return found[0]
  if (EMAIL.test(withoutAccounts(line))) return 'email'
  if ([...line.matchAll(CARD)].some(([digits]) => isCardNumber(digits))) return 'card'
  return line.split(/[\s"'=:,;]+/u).some(isRandom) ? 'key' : null
}

/** By its check digit (Luhn). */
function isCardNumber(text: string): boolean {
  const digits = Array.from(text.replaceAll(/\D/gu, ''), Number).toReversed()
  if (digits.length < 13) return false
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

/** Whether letters of both cases and digits are mixed as in no word and no path. */
function isRandom(word: string): boolean {
  if (word.length < RANDOM_MIN || !/^[\w+/=-]+$/u.test(word)) return false
  const changes = Array.from(word).filter(
    (letter, index) => index > 0 && kindOf(letter) !== kindOf(word[index - 1] ?? ''),
  ).length
  const kinds = new Set(Array.from(word, kindOf))
  return kinds.has('digit') && kinds.has('lower') && changes >= word.length / 4
}

function kindOf(letter: string): 'digit' | 'lower' | 'upper' | 'other' {
  if (/\d/u.test(letter)) return 'digit'
  if (/[a-z]/u.test(letter)) return 'lower'
  return /[A-Z]/u.test(letter) ? 'upper' : 'other'
}
