/**
 * Bits per character above which a text of 20 characters and more may be drawn at random: one that repeats itself, as
 * placeholders do, has fewer; keys have 3.3 and more, even of hexadecimal digits alone.
 */
const RANDOM_BITS = 3.2

/**
 * Changes between small letters, capitals and digits, per character. Words in camelCase have about 0.2, keys of
 * hexadecimal digits about 0.5, others more.
 */
const CHANGES_PER_CHARACTER = 0.25

/** Whether a text looks drawn at random rather than written. */
export function looksRandom(text: string): boolean {
  return /\d/.test(text) && changesIn(text) >= text.length * CHANGES_PER_CHARACTER && entropyOf(text) >= RANDOM_BITS
}

function changesIn(text: string): number {
  const kinds = text.replace(/[a-z]/g, 'a').replace(/[A-Z]/g, 'A').replace(/\d/g, '0')
  return kinds.match(/(.)(?!\1)(?=.)/g)?.length ?? 0
}

/** Shannon's entropy in bits per character. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0)
}
