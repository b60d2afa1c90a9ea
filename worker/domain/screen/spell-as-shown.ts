import { wordSet } from '#worker/domain/step/extractive/word-lists.ts'
import type { VisibleLabel } from './visible-labels.ts'

/** How signs are read aloud, which recognisers write as words. */
const SPOKEN_SIGNS = wordSet(
  'slash backslash dash hyphen underscore schrägstrich bindestrich unterstrich barra guion tiret',
)
/** What stands between two menus in a sentence: "click File and then choose Export". */
const BETWEEN_MENUS = wordSet(`and then to go choose select click press on the menu open
  und dann danach auf wählen klicken sie menü y luego después en el menú elija et puis ensuite cliquez sur dans le choisissez
  e depois no menu em i potem następnie w ve sonra menüsünden`)
const WORDS_BETWEEN_MENUS_MAX = 4
const PATH_SIGN = ' › '

/** Words of a label that are matched together. */
const WORDS_MAX = 8
/** Shorter names that are written otherwise are found by chance: "us" is not "U.S." */
const LETTERS_MIN = 4

interface Word {
  from: number
  to: number
  folded: string
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
/** What may stand between the words of one name; the end of a sentence may not. */
const INSIDE_NAME = /^(?:\s|[-–_/+&.'’](?!\s))*$/u

function fold(text: string): string {
  return [...text.normalize('NFKC').toLowerCase().matchAll(WORD)].map(([word]) => word).join('')
}

function listWords(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
    folded: fold(word),
  }))
}

/** A place of a text that has the letters of a label. */
interface Found {
  from: number
  to: number
  label: VisibleLabel
}

/**
 * Writes the names in a text as the screen does, where their letters are the same, and menus that follow each other in a
 * sentence as a path. Nothing else changes, so that each word comes from the text or from the screen.
 */
export function spellAsShown(text: string, labels: readonly VisibleLabel[]): string {
  if (labels.length === 0) return text
  const found = findLabels(text, labels)
  let spelled = ''
  let at = 0
  for (const [index, { from, to, label }] of found.entries()) {
    const [before, next] = [found[index - 1], found[index + 1]]
    const isEntry = before !== undefined && isPath(text, before, found[index] as Found)
    const isMenu = next !== undefined && isPath(text, found[index] as Found, next)
    const was = text.slice(from, to)
    spelled += isEntry ? PATH_SIGN : text.slice(at, from)
    spelled += isEntry || isMenu ? label.text : spellName(was, label.text)
    at = to
  }
  return spelled + text.slice(at)
}

/** The names in a text, from left to right, of several at one place the longest. */
function findLabels(text: string, labels: readonly VisibleLabel[]): Found[] {
  const byLetters = new Map(labels.toReversed().map((label) => [fold(label.text), label]))
  const words = listWords(text)
  const found: Found[] = []
  for (let index = 0; index < words.length; ) {
    const name = findLongest(text, words.slice(index, index + WORDS_MAX), byLetters)
    if (name !== null) found.push(name.found)
    index += name?.wordCount ?? 1
  }
  return found
}

/** Finds the longest name that a row of words begins with. */
function findLongest(
  text: string,
  words: readonly Word[],
  byLetters: ReadonlyMap<string, VisibleLabel>,
): { found: Found; wordCount: number } | null {
  const from = words[0]?.from ?? 0
  let best: { found: Found; wordCount: number } | null = null
  let letters = ''
  for (const [index, word] of words.entries()) {
    if (index > 0 && !INSIDE_NAME.test(text.slice(words[index - 1]?.to, word.from))) break
    const isSign = index > 0 && SPOKEN_SIGNS.has(word.folded)
    if (!isSign) letters += word.folded
    const label = byLetters.get(letters)
    // A sign behind a name of one word may be a word of its own.
    const isName = label !== undefined && (!isSign || index > 1)
    if (isName) best = { found: { from, to: word.to, label }, wordCount: index + 1 }
  }
  return best
}

/** Capitals alone say nothing of one word: "file" need not be the menu "File". */
function spellName(was: string, shown: string): string {
  if (was === shown) return was
  const isOrdinary = /^[\p{Lu}\p{Lt}]?[\p{Ll}\p{M}]*$/u.test(shown) || /^\p{Lu}+$/u.test(shown)
  const isOtherCase = was.toLowerCase() === shown.toLowerCase()
  // A name of several words begins with a capital, unless it was read badly.
  const isName = !/\s/u.test(shown) || /^\P{Ll}/u.test(shown)
  if (isOtherCase && (isOrdinary || !isName || shown === shown.toLowerCase())) return was
  if ((/\s/u.test(shown) || !isOtherCase) && fold(shown).length < LETTERS_MIN) return was
  // A sentence that begins with a capital goes on doing so, unless the name has one elsewhere.
  const [initial = ''] = shown
  const isSmall = shown === shown.toLowerCase() && was.slice(0, 1) !== was.slice(0, 1).toLowerCase()
  return isSmall ? `${initial.toUpperCase()}${shown.slice(initial.length)}` : shown
}

/** Whether one name leads to the next: said in one sentence, with nothing else between them, and shown one after the other. */
function isPath(text: string, menu: Found, entry: Found): boolean {
  const between = text.slice(menu.to, entry.from)
  if (/[.!?:;。]/u.test(between) || between.trim() === '' || between.includes(PATH_SIGN.trim())) return false
  const words = listWords(between)
  const isJoined = words.length <= WORDS_BETWEEN_MENUS_MAX && words.every(({ folded }) => BETWEEN_MENUS.has(folded))
  const { startMs, endMs, box } = menu.label
  const opened = entry.label
  return isJoined && opened.startMs > startMs && opened.startMs <= endMs && opened.box.y > box.y
}
