import { expect, it } from 'vitest'
import type { Gray } from './gray.ts'
import { type LineReading, toText } from './line-text.ts'
import { blank, fill } from './testing/draw.ts'
import { eraseStrokes, findStrokes, insertUnderscores, mayHaveUnderscores } from './underscores.ts'

const CELL_PX = 20
const leftOf = (index: number) => 20 + index * CELL_PX

/** A prepared line of letters of one width, as blocks that stand on one row, with underscores below it. */
function draw(text: string): Gray {
  const image = blank(40 + text.length * CELL_PX, 64)
  for (const [index, letter] of Array.from(text).entries()) {
    if (letter === '_') fill(image, [leftOf(index), 44, CELL_PX, 3], 90)
    else if (letter === ',') fill(image, [leftOf(index) + 6, 36, 5, 9], 0)
    else if (letter === '-') fill(image, [leftOf(index) + 3, 28, 14, 3], 0)
    else if (letter !== ' ') fill(image, [leftOf(index) + 3, 14, 14, 26], 0)
  }
  return image
}

/** What an engine reads that takes underscores for blanks. */
function readBlindly(text: string): LineReading {
  const letters = Array.from(text).map((letter, index) => ({
    text: letter,
    left: leftOf(index) + 3,
    right: leftOf(index) + 17,
  }))
  const words: LineReading['words'] = []
  for (const [index, letter] of letters.entries()) {
    if (/[ _]/.test(letter.text)) continue
    if (index === 0 || /[ _]/.test(letters[index - 1]?.text ?? ' ')) words.push({ letters: [], confidence: 90 })
    words.at(-1)?.letters.push(letter)
  }
  return { words }
}

function restore(text: string): string | undefined {
  const image = draw(text)
  return toText(insertUnderscores(readBlindly(text), findStrokes(image), image))?.text
}

it.each([
  'export LS_COLORS',
  'mkhomedir_helper here',
  'def __init__(self, user_name):',
  '_private is read',
  'no_input and --all, too',
])('puts underscores back into %j', (text) => {
  expect(restore(text)).toBe(text)
})

it.each([
  ['where none is', 'open a, b - then c', 'open a, b - then c'],
  ['at the end, where it may be the caret', 'ls -a from here _', 'ls -a from here'],
  ['of a field to be filled in', 'name and __ date', 'name and date'],
])('adds none %s', (_, drawn, text) => {
  expect(restore(drawn)).toBe(text)
})

it('takes no line below a text for underscores', () => {
  const image = draw('open this page now')
  fill(image, [leftOf(5), 44, 9 * CELL_PX, 3], 60)
  expect(findStrokes(image)).toEqual([])
})

it('shows the engine the line without them, and nothing else changed', () => {
  const image = draw('LS_COLORS are')
  expect(eraseStrokes(image, findStrokes(image))).toEqual(draw('LS COLORS are'))
  const plain = draw('open it')
  expect(eraseStrokes(plain, findStrokes(plain))).toBe(plain)
})

it.each([
  ['LS_COLORS = 1', true],
  ['файл_1', true],
  ['استخدام هذا الإطار', false],
  ['चरण 1', false],
])('knows that %j is in a script with underscores: %j', (text, may) => {
  expect(mayHaveUnderscores(readBlindly(text))).toBe(may)
})
