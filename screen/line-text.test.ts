import { expect, it } from 'vitest'
import { confidenceOf, toText, type Word } from './line-text.ts'

/** Words at their places in a font of fixed width; each letter is narrower than its cell. */
function fixed(line: string, words: readonly string[], confidence = 95): Word[] {
  let from = 0
  return words.map((word) => {
    from = line.indexOf(word, from)
    const letters = Array.from(word, (text, index) => ({
      text,
      left: (from + index) * 10 + 2,
      right: (from + index) * 10 + 8,
    }))
    from += word.length
    return { letters, confidence }
  })
}

it('leaves out spaces that are not in the picture of a font of fixed width', () => {
  const words = fixed('cdeep@laptop:~$ man ls', ['cdeep@', 'laptop:', '~$', 'man', 'ls'])
  expect(toText({ words })?.text).toBe('cdeep@laptop:~$ man ls')
})

it('keeps the spaces of other fonts, and none between Chinese characters', () => {
  const place = (text: string, left: number): Word => ({
    letters: Array.from(text, (letter, index) => ({
      text: letter,
      left: left + index * 7,
      right: left + index * 7 + 4,
    })),
    confidence: 95,
  })
  expect(toText({ words: [place('Save', 0), place('as', 40)] })?.text).toBe('Save as')
  expect(toText({ words: [place('运', 0), place('行', 20), place('A', 40)] })?.text).toBe('运行 A')
})

it('leaves out what is taken for an icon at the ends of a line', () => {
  const [icon, ...label] = fixed('B Annual report', ['B', 'Annual', 'report'])
  expect(toText({ words: [{ ...(icon as Word), confidence: 30 }, ...label] })?.text).toBe('Annual report')
  const [command, caret] = fixed('clear [-', ['clear', '[-'])
  expect(toText({ words: [command as Word, { ...(caret as Word), confidence: 5 }] })?.text).toBe('clear')
})

it('knows how sure it is of each letter', () => {
  const [long, short] = fixed('directories ls', ['directories', 'ls'])
  const text = toText({
    words: [
      { ...(long as Word), confidence: 90 },
      { ...(short as Word), confidence: 60 },
    ],
  })
  expect(text?.text).toBe('directories ls')
  expect(text?.confidences.length).toBe(14)
  const { mean, least } = confidenceOf(text ?? { confidences: [] })
  expect(mean).toBeCloseTo((11 * 0.9 + 3 * 0.6) / 14)
  expect(least).toBe(0.6)
  expect(toText({ words: [] })).toBeNull()
})
