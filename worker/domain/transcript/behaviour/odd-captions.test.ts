// Behaviour: caption files of the kinds that people have are read whole, each sentence once and at its time.
import { describe, expect, it } from 'vitest'
import { parseCaptions } from '../parse-captions.ts'
import { segmentsFromCues } from '../segments-from-cues.ts'
import { SENTENCES, writeClock, writeCues, writeOddSrt } from '../testing/odd-captions.ts'

const DURATION_MS = 26_000
/** How far from its second a sentence may be. */
const OFF_MAX_S = 1

/** What is read of a file, as it is stored: each sentence with the second at which it begins. */
function readSegments(text: string) {
  const { cues, log } = parseCaptions(text, { durationMs: DURATION_MS })
  return { segments: segmentsFromCues(cues), log }
}

function expectAll(text: string, sentences: readonly string[] = SENTENCES) {
  const { segments } = readSegments(text)
  expect(segments.map((segment) => segment.text)).toEqual(sentences)
  const offS = segments.map(({ startMs }, at) => Math.abs(startMs / 1_000 - at * 5))
  expect(Math.max(...offS)).toBeLessThanOrEqual(OFF_MAX_S)
}

const digitsFrom = (zero: string) => (text: string) =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)))
const frames = (seconds: number) =>
  `${writeClock(seconds).slice(0, 8)}:${String(Math.round((seconds % 1) * 25)).padStart(2, '0')}`
const vtt = (settings: string) =>
  `WEBVTT\n\n${writeCues(({ startS, endS, text }) => `${writeClock(startS, '.')} --> ${writeClock(endS, '.')}${settings}\n${text}\n`)}`
const PLAIN_VTT = vtt('')
const BODY = PLAIN_VTT.slice('WEBVTT\n\n'.length)

describe('odd times and blocks', () => {
  it.each([
    ['->', writeOddSrt({ arrow: ' -> ' })],
    ['→', writeOddSrt({ arrow: ' → ' })],
    ['—>', writeOddSrt({ arrow: ' —> ' })],
    ['-- >', writeOddSrt({ arrow: ' -- > ' })],
    ['an arrow as an entity', writeOddSrt({ arrow: ' --&gt; ' })],
    ['no blanks at the arrow', writeOddSrt({ arrow: '-->' })],
    ['points', writeOddSrt({ clock: (s) => writeClock(s, '.') })],
    ['semicolons', writeOddSrt({ clock: (s) => writeClock(s, ';') })],
    [
      'full-width digits and colons',
      writeOddSrt({ clock: (s) => digitsFrom('０')(writeClock(s)).replaceAll(':', '：') }),
    ],
    ['Arabic-Indic digits', writeOddSrt({ clock: (s) => digitsFrom('٠')(writeClock(s)) })],
    ['Persian digits and decimal sign', writeOddSrt({ clock: (s) => digitsFrom('۰')(writeClock(s, '٫')) })],
    ['minutes and tenths', writeOddSrt({ clock: (s) => `0:${s.toFixed(1)}` })],
    ['frames', writeOddSrt({ clock: frames })],
    ['drop frames', writeOddSrt({ clock: (s) => frames(s).replaceAll(':', ';') })],
    ['blanks inside', writeOddSrt({ clock: (s) => writeClock(s).replaceAll(/[:,]/g, '$& ') })],
    ['settings glued on', vtt('align:start position:0%')],
    ['no blank lines', writeOddSrt().replaceAll('\n\n', '\n')],
    ['blank lines inside cues', writeOddSrt().replaceAll(/(,\d{3})\n/g, '$1\n\n')],
    ['no numbers', BODY],
    ['numbers twice', writeOddSrt().replaceAll(/^(\d)$/gm, '$1\n$1')],
    ['numbers above a blank line', writeOddSrt().replaceAll(/^(\d)$/gm, '$1\n')],
    ['only carriage returns', writeOddSrt().replaceAll('\n', '\r')],
    ['two carriage returns a line', writeOddSrt().replaceAll('\n', '\r\r\n')],
    ['Unicode line separators', writeOddSrt().replaceAll('\n', '\u2028')],
    [
      'the last first',
      writeOddSrt()
        .split(/(?<=\n)\n/)
        .toReversed()
        .join('\n\n'),
    ],
    ['a header in lower case', PLAIN_VTT.toLowerCase().slice(0, 6) + PLAIN_VTT.slice(6)],
    ['a header after blank lines', `\n\n${PLAIN_VTT}`],
    ['a header without a blank line', `WEBVTT - made by hand\n${BODY}`],
    [
      'notes and styles anywhere',
      BODY.replaceAll('\n\n', '\n\nNOTE cut --> here\nlater\n\nSTYLE\n::cue { color: red }\n\n'),
    ],
    ['a style right below the text', `WEBVTT\n\n${BODY.replaceAll('\n\n', '\nSTYLE\n::cue { color: red }\n\n')}`],
    ['times in a note', `WEBVTT\n\nNOTE 00:00:00.000 --> 00:00:04.000 was cut\n\n${BODY}`],
    ['no ends', writeCues(({ startS, text }) => `${writeClock(startS)} -->\n${text}\n`)],
    ['ends before the starts', writeCues(({ startS, text }) => `${writeClock(startS)} --> 00:00:00,000\n${text}\n`)],
    ['no lengths', writeCues(({ startS, text }) => `${writeClock(startS)} --> ${writeClock(startS)}\n${text}\n`)],
    ['a start that cannot be read', writeOddSrt().replace('00:00:10,000 ', '00:00:1o,000 ')],
    ['a cue of the time before the video', `0\n-00:00:09,000 --> -00:00:05,000\nBefore.\n\n${writeOddSrt()}`],
  ])('reads %s', (_what, text) => expectAll(text))

  it('keeps arrows and numbers that are text', () => {
    const texts = [
      'Click File --> Export.',
      '10 --> 20 is the range.',
      '2024',
      '7',
      'Set it to\n\n12\n\nbar. Press Ctrl --> S.',
    ]
    const words = readSegments(writeOddSrt({ texts })).segments.map(({ text }) => text)
    expect(words.join(' ')).toBe(
      'Click File --> Export. 10 --> 20 is the range. 2024 7 Set it to 12 bar. Press Ctrl --> S.',
    )
  })

  it('notes nothing in a file that is as it should be', () => {
    for (const text of [writeOddSrt(), PLAIN_VTT]) expect(readSegments(text).log.count).toBe(0)
  })
})

describe('kinds of flow', () => {
  const words = SENTENCES.map((text) => text.split(' '))

  it.each([
    [
      'two lines that roll up',
      writeOddSrt({ texts: SENTENCES.map((text, at) => [SENTENCES[at - 1] ?? '', text].join('\n')) }),
    ],
    [
      'three lines that roll up',
      writeOddSrt({ texts: SENTENCES.map((_, at) => SENTENCES.slice(Math.max(0, at - 2), at + 1).join('\n')) }),
    ],
    [
      'a word that is added by each cue',
      words
        .flatMap((said, at) =>
          said.map((_, k) => {
            const startS = at * 5 + k * 0.4
            return `${writeClock(startS)} --> ${writeClock(startS + 0.4)}\n${said.slice(0, k + 1).join(' ')}\n`
          }),
        )
        .join('\n'),
    ],
    [
      'a word that is added in the lower of two lines',
      words
        .flatMap((said, at) =>
          said.map((_, k) => {
            const startS = at * 5 + k * 0.4
            const lines = [SENTENCES[at - 1] ?? '', said.slice(0, k + 1).join(' ')]
            return `${writeClock(startS)} --> ${writeClock(startS + 0.4)}\n${lines.join('\n')}\n`
          }),
        )
        .join('\n'),
    ],
    [
      'times of words in one cue',
      `WEBVTT\n\n00:00.000 --> 00:26.000\n${words
        .flatMap((said, at) => said.map((word, k) => `<${writeClock(at * 5 + k * 0.3, '.')}><c> ${word}</c>`))
        .join('')}`,
    ],
    ['one cue for all', `WEBVTT\n\n00:00.000 --> 00:26.000\n${SENTENCES.join(' ')}`],
    ['all cues at zero', SENTENCES.map((text) => `00:00.000 --> 00:26.000\n${text}\n`).join('\n')],
    ['all cues at zero, without a length', SENTENCES.map((text) => `00:00.000 --> 00:00.000\n${text}\n`).join('\n')],
  ])('says each sentence once, at its first word: %s', (_what, text) => expectAll(text))

  it('says what was left out and what was shared out', () => {
    const rolling = writeOddSrt({ texts: SENTENCES.map((text, at) => [SENTENCES[at - 1] ?? '', text].join('\n')) })
    expect(readSegments(rolling).log.named.map(({ code }) => code)).toEqual(
      Array.from({ length: 4 }, () => 'shown_again'),
    )
    const at0 = SENTENCES.map((text) => `00:00.000 --> 00:26.000\n${text}\n`).join('\n')
    expect(readSegments(at0).log.named.map(({ code }) => code)).toEqual(Array.from({ length: 5 }, () => 'shared_out'))
  })
})
