import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readVtt } from './testing/read-vtt.ts'
import { writeChapters, writePlainText, writeSrt, writeVtt } from './write-captions.ts'

const CUES = [
  { start: 0, end: 2.5, text: ' Make a loop. ' },
  { start: 3725.0004, end: 3727.9996, text: 'Pull it\n\n tight.' },
]
const LONG = `${'Every word of this long sentence is one of eight. '.repeat(6)}End.`

const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

describe('writeVtt', () => {
  test('writes one cue for what is short, past the hour too', () => {
    expect(writeVtt(CUES)).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:02.500\nMake a loop.\n\n01:02:05.000 --> 01:02:08.000\nPull it tight.\n',
    )
  })

  test('names who speaks, in each of the cues of a long line', () => {
    const said = { start: 0, end: 20, text: LONG, speaker: 'A & B' }
    const vtt = writeVtt([said]).match(/^<v A &amp; B>/gm) ?? []
    expect(vtt.length).toBeGreaterThan(3)
    expect(writeSrt([said]).match(/^>> A & B: /gm)).toHaveLength(vtt.length)
    expect(writePlainText([said])).toBe(`A & B: ${LONG}\n`)
  })

  test('keeps words from becoming markup or times', () => {
    const text = 'cat <b>in & out</b> &lt; --> x'
    expect(readVtt(writeVtt([{ start: 1, end: 2, text }]))).toEqual([{ startMs: 1000, endMs: 2000, text }])
  })

  test('cuts what is long into cues of two lines that follow each other', () => {
    const cues = readVtt(writeVtt([{ start: 10, end: 40, text: LONG }]))
    expect(cues.length).toBeGreaterThan(3)
    expect(Math.max(...cues.map((cue) => cue.text.length))).toBeLessThanOrEqual(84 + 10)
    expect(cues.map((cue) => cue.text).join(' ')).toBe(LONG)
    expect([cues[0]?.startMs, cues.at(-1)?.endMs]).toEqual([10_000, 40_000])
    for (const [index, cue] of cues.entries()) expect(cue.startMs).toBe(cues[index - 1]?.endMs ?? 10_000)
  })

  test('cuts what is written without blanks between its words, in shorter lines', () => {
    const text =
      '首先打开打印机的盖子，等待十二秒钟。然后按下右侧的绿色按钮，直到指示灯亮起。最后关上门并转动钥匙，机器就可以使用了。'
    const cues = readVtt(writeVtt([{ start: 0, end: 20, text }]))
    expect(cues).toHaveLength(2)
    expect(Math.max(...cues.map((cue) => cue.text.length))).toBeLessThanOrEqual(32)
    expect(cues.map((cue) => cue.text).join('')).toBe(text)
    expect(cues[1]?.text).not.toMatch(/^\p{P}/u)
  })

  test('is a file also without words, and leaves out what has no length', () => {
    expect(readVtt(writeVtt([]))).toEqual([])
    expect(
      readVtt(writeVtt([{ start: 3, end: 3, text: 'now' }, { start: 4, end: 5, text: ' \n ' }, ...CUES])),
    ).toHaveLength(2)
  })

  test('is read back as it was, whatever is said and whenever', () => {
    const cue = fc
      .tuple(fc.double({ min: 0, max: 40_000, noNaN: true }), fc.double({ min: 0.001, max: 60, noNaN: true }))
      .chain(([start, lengthS]) =>
        fc
          // What has no blanks is cut within what is one word here.
          .record({ text: fc.string({ unit: 'grapheme', maxLength: 300 }).filter((each) => !WIDE.test(each)) })
          .map(({ text }) => ({ start, end: start + lengthS, text })),
      )
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 20 }), (cues) => {
        const read = readVtt(writeVtt(cues))
        const said = cues.toSorted((a, b) => a.start - b.start)
        if (said.every(({ start, end }) => end - start > 1)) {
          const words = (text: string) => text.split(/\s+/).filter(Boolean)
          expect(read.flatMap(({ text }) => words(text)).toSorted()).toEqual(
            said.flatMap(({ text }) => words(text)).toSorted(),
          )
        }
      }),
    )
  })
})

describe('writeSrt', () => {
  test('numbers its cues and writes times with a comma', () => {
    const text = 'a <b> & --> c'
    expect(writeSrt([...CUES, { start: 4000, end: 4001, text }])).toBe(
      '1\n00:00:00,000 --> 00:00:02,500\nMake a loop.\n\n' +
        '2\n01:02:05,000 --> 01:02:08,000\nPull it tight.\n\n' +
        '3\n01:06:40,000 --> 01:06:41,000\na <b> & → c\n',
    )
  })
})

describe('writeChapters', () => {
  const read = (...chapters: [startS: number, endS: number][]) => {
    const cues = readVtt(writeChapters(chapters.map(([start, end]) => ({ start, end, text: `At ${start}` }))))
    return cues.map(({ startMs, endMs }) => [startMs / 1_000, endMs / 1_000])
  }

  test('ends a chapter where its step ends, also where a pause follows', () => {
    expect(read([0, 18], [107, 125])).toEqual([
      [0, 18],
      [107, 125],
    ])
  })

  test('ends one that goes on too long, or has no length, where the next begins', () => {
    expect(read([0, 30], [20, 20], [40, 50])).toEqual([
      [0, 20],
      [20, 40],
      [40, 50],
    ])
    expect(read([0, 10], [20, 20])).toEqual([[0, 10]])
  })
})
