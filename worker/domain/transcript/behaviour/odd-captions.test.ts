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

describe('formats, by what the file says', () => {
  const list = SENTENCES.map((text, at) => ({ text, startS: at * 5, endS: at * 5 + 4.5 }))
  const short = (seconds: number) => `0:${writeClock(seconds, '.').slice(3)}`
  const tag = (attributes: (cue: (typeof list)[number]) => string) =>
    list.map((cue) => `<p ${attributes(cue)}>${cue.text.replace(' and', '<br/>and')}</p>`).join('')
  const tt = (paragraphs: string, root = '') =>
    `<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml" ${root}>\n<head><metadata><title>x</title></metadata></head><body><div>${paragraphs}</div></body></tt>`
  const dialogue = list
    .map(
      ({ startS, endS, text }) =>
        `Dialogue: 0,${writeClock(startS, '.').slice(1, 11)},${writeClock(endS, '.').slice(1, 11)},Default,Ada,0,0,0,,{\\an8}${text.replace(' and', '\\Nand')}`,
    )
    .join('\n')
  const segments = list.map(({ startS, endS, text }, id) => ({ id, start: startS, end: endS, text: ` ${text}` }))
  const cpp = list.map(({ startS, endS, text }) => ({ offsets: { from: startS * 1000, to: endS * 1000 }, text }))
  const events = list.map(({ startS, text }) => ({
    tStartMs: startS * 1000,
    dDurationMs: 4500,
    segs: [{ utf8: text }],
  }))
  const frame = (seconds: number) => Math.round(seconds * 25)

  it.each([
    ['.sbv', list.map(({ startS, endS, text }) => `${short(startS)},${short(endS)}\n${text}\n`).join('\n')],
    [
      '.ass',
      `[Script Info]\nTitle: x\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,no\n${dialogue}\nDialogue: 1,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 100 0{\\p0}\n`,
    ],
    ['lines of dialogue alone', dialogue],
    [
      'TTML in times of the clock',
      tt(tag(({ startS, endS }) => `begin="${writeClock(startS, '.')}" end="${writeClock(endS, '.')}"`)),
    ],
    ['TTML with lengths in seconds', tt(tag(({ startS }) => `begin="${startS}s" dur="4.5s"`))],
    [
      'DFXP in frames',
      tt(
        tag(({ startS, endS }) => `begin="00:00:${startS}:00" end="${frame(endS)}f"`),
        'ttp:frameRate="25"',
      ),
    ],
    [
      'TTML in ticks',
      tt(
        tag(({ startS, endS }) => `begin='${startS * 1e7}t' end='${endS * 1e7}t'`),
        'ttp:tickRate="10000000"',
      ),
    ],
    [
      'TTML that is cut off',
      tt(tag(({ startS }) => `begin="${startS}s" dur="4.5s"`)).slice(0, -'</p></div></body></tt>'.length),
    ],
    [
      'MicroDVD with a frame rate',
      `{1}{1}25.000\n${list.map(({ startS, endS, text }) => `{${frame(startS)}}{${frame(endS)}}{y:i}${text.replace(' and', '|and')}`).join('\n')}`,
    ],
    [
      'JSON of WhisperX with speakers',
      JSON.stringify({ segments: segments.map((each) => ({ ...each, speaker: 'SPEAKER_00' })) }),
    ],
    ['JSON of Whisper', JSON.stringify({ text: SENTENCES.join(' '), segments, language: 'en' })],
    ['JSON of whisper.cpp', JSON.stringify({ result: { language: 'en' }, transcription: cpp })],
    ['JSON of YouTube', JSON.stringify({ wireMagic: 'pb3', events: [{ tStartMs: 0 }, ...events] })],
    [
      'a text export of Premiere',
      list.map(({ startS, endS, text }) => `${frames(startS)} - ${frames(endS)}\n${text}\n`).join('\n'),
    ],
    [
      'a text export of DaVinci',
      list.map(({ startS, endS, text }) => `[${frames(startS)} - ${frames(endS)}]\n${text}\n`).join('\n'),
    ],
    [
      'times alone on their lines',
      list.map(({ startS, text }) => `0:${String(startS).padStart(2, '0')}\n${text}`).join('\n'),
    ],
    [
      'lyrics',
      `[ti:x]\n${list.map(({ startS, text }) => `[00:${String(startS).padStart(2, '0')}.00]${text}`).join('\n')}`,
    ],
    [
      'segments of a stream',
      list
        .map(
          ({ text }, at) =>
            `WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:${900_000 + at * 450_000},LOCAL:00:00:00.000\n\n00:00.000 --> 00:04.500\n${text}\n`,
        )
        .join('\n'),
    ],
  ])('reads %s', (_what, text) => expectAll(text))

  it.each([
    ['.ass', dialogue],
    [
      'agents of TTML',
      tt(tag(({ startS }) => `begin="${startS}s" dur="4.5s" ttm:agent="a1"`)).replace(
        '<title>x</title>',
        '<ttm:agent type="person" xml:id="a1"><ttm:name type="full">Ada</ttm:name></ttm:agent>',
      ),
    ],
    ['JSON', JSON.stringify({ segments: segments.map((each) => ({ ...each, speaker: 'Ada' })) })],
    ['voices of WebVTT', vtt('').replaceAll(/^(?=[A-Z].* )/gm, '<v Ada>')],
  ])('reads who speaks: %s', (_what, text) => {
    expectAll(text)
    expect(readSegments(text).segments.map(({ speaker }) => speaker)).toEqual(SENTENCES.map(() => 'Ada'))
  })

  it('notes a frame rate that was guessed', () => {
    const text = list.map((cue) => `{${frame(cue.startS)}}{${frame(cue.endS)}}${cue.text}`).join('\n')
    expectAll(text)
    expect(readSegments(text).log.named).toEqual([{ line: 1, code: 'frame_rate' }])
  })
})

describe('what is no text', () => {
  const [one, two, three, four, five] = SENTENCES
  const srt = (...texts: string[]) => writeOddSrt({ texts: [...texts, ...SENTENCES.slice(texts.length)] })

  it.each([
    [
      'styles and breaks of SubStation Alpha',
      srt(`{\\an8}{\\pos(192,20)}${one.replace(' and', '\\Nand')}`, `{\\i1}${two}{\\i0}\\h`),
    ],
    ['a shape', `${srt()}\n00:00:25,000 --> 00:00:26,000\n{\\p1}m 0 0 l 100 0 100 100{\\p0}\n`],
    ['styles of MicroDVD', srt(`{y:i}${one}`, `{c:$0000FF}${two}`)],
    [
      'tags and entities',
      srt(one, `<font color="red">${two}</font>`, `<c.loud>${three}</c>`, four.replace(' in ', '&amp;nbsp;in&#32;')),
    ],
    ['marks of direction', srt(`\u202b${one}\u202c`, two, three, four, `\u200e${five}`)],
    ['replacement characters', srt(one.replace('press', 'pre\ufffdss'))],
  ])('is cleaned: %s', (_what, text) => expectAll(text))

  it('stays where it is part of a path or of code', () => {
    const texts = ['Open C:\\New and type {name}.', 'Type cp <from> <to>.']
    expect(readSegments(writeOddSrt({ texts })).segments.map(({ text }) => text)).toEqual(texts)
  })
})
