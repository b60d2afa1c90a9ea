import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { AppError } from '#worker/core/errors.ts'
import { decodeCaptions, parseCaptions } from './parse-captions.ts'
import { fuzzCaptions } from './testing/fuzz-captions.ts'

function complaintOf(text: string): string {
  try {
    parseCaptions(text)
  } catch (error) {
    if (error instanceof AppError && error.code === 'captions_invalid') return error.message
    throw error
  }
  throw new Error('the file was accepted')
}

const NOT_A_RANGE = 'this is not a time range like 00:01:05.000 --> 00:01:09.000.'

describe('parseCaptions, files as they come', () => {
  it('reads WebVTT with header fields, ids, settings, notes and styles', () => {
    const text = [
      'WEBVTT - made by hand',
      'Kind: captions',
      '',
      'STYLE',
      '::cue { color: red }',
      '',
      'NOTE',
      'for the editor',
      '',
      'intro',
      '00:01.000 --> 00:03.500 align:start position:0%',
      '<v Ann>Open the <b>File</b> menu</v>',
      '',
      'NOTE one line',
      '',
      '01:00:00.000 --> 01:00:02.000',
      'then click',
      '<00:00:01.500><c.yellow>Save</c>',
    ].join('\n')
    expect(parseCaptions(text)).toEqual([
      { startMs: 1_000, endMs: 3_500, text: 'Open the File menu' },
      { startMs: 3_600_000, endMs: 3_602_000, text: 'then click Save' },
    ])
  })

  it('reads SRT with one-digit chunks, a byte order mark, CRLF and commas', () => {
    const text =
      '\uFEFF1\r\n00:0:00 --> 00:0:05\r\nDear friends, welcome.\r\n\r\n2\r\n00:0:05,5 --> 00:1:0\r\nIn this tutorial.\r\n'
    expect(parseCaptions(text)).toEqual([
      { startMs: 0, endMs: 5_000, text: 'Dear friends, welcome.' },
      { startMs: 5_500, endMs: 60_000, text: 'In this tutorial.' },
    ])
  })

  it('reads cues that no blank line separates, with and without numbers', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n00:00:03,000-->00:00:04,000\nThree'
    expect(parseCaptions(text).map((cue) => cue.text)).toEqual(['One', 'Two', 'Three'])
  })

  it('keeps text after a blank line inside a cue, and text on the line of the times', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\n\nOne\n\nmore\n\n2\n00:00:02,000 --> 00:00:03,000 Two'
    expect(parseCaptions(text).map((cue) => cue.text)).toEqual(['One more', 'Two'])
  })

  it('keeps numbers and arrows that were said', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\nThe answer is\n42\n\n2\n00:00:02,000 --> 00:00:03,000\nFile --> Save\n10:30 - 11:30'
    expect(parseCaptions(text).map((cue) => cue.text)).toEqual(['The answer is 42', 'File --> Save 10:30 - 11:30'])
  })

  it('keeps angle brackets that are no tags and decodes entities once', () => {
    const text = '00:01 --> 00:02\ncp <from> <to> &lt;b&gt; &amp;lt; R&#38;D &#x1F600; &#0;{\\an8}'
    expect(parseCaptions(text)[0]?.text).toBe('cp <from> <to> <b> &lt; R&D 😀')
  })

  it('drops placeholders, names of noises and a number that is left over at the end', () => {
    const text =
      'WEBVTT\n\n00:01 --> 00:02\n-\n\n00:02 --> 00:03\n&nbsp;\n\n00:03 --> 00:04\n[Music]\n\n00:04 --> 00:05\n♪♪\n\n' +
      '00:05 --> 00:06\nRecorded by ---------(name of the recorder) from ------\n\n00:06 --> 00:07\nls lists files\n\n7\n'
    expect(parseCaptions(text)).toEqual([{ startMs: 6_000, endMs: 7_000, text: 'ls lists files' }])
  })

  it('sorts cues, ends each where the next begins, joins those with one start', () => {
    const text =
      '00:05 --> 00:09\nlater\n\n00:01 --> 00:07\nfirst\n\n00:05 --> 00:06\nsame time\n\n00:20 --> 00:20\nno length'
    expect(parseCaptions(text)).toEqual([
      { startMs: 1_000, endMs: 5_000, text: 'first' },
      { startMs: 5_000, endMs: 9_000, text: 'later same time' },
      { startMs: 20_000, endMs: 22_000, text: 'no length' },
    ])
  })

  it('reads rolling automatic captions once', () => {
    const text = [
      'WEBVTT',
      '',
      '00:00.000 --> 00:02.000',
      ' ',
      'so<00:00:00.500><c> today</c><c> we</c>',
      '',
      '00:02.000 --> 00:02.010',
      'so today we',
      ' ',
      '',
      '00:02.010 --> 00:04.000',
      'so today we',
      'are<00:00:02.500><c> going</c>',
      '',
      '00:04.000 --> 00:04.010',
      'are going',
      '',
    ].join('\n')
    expect(parseCaptions(text).map((cue) => cue.text)).toEqual(['so today we', 'are going'])
  })

  it('keeps a line that is said twice in captions that do not roll', () => {
    const text = '00:01 --> 00:02\nAgain.\n\n00:02 --> 00:03\nAgain.\n\n00:03 --> 00:04\nAnd stop.'
    expect(parseCaptions(text).map((cue) => cue.text)).toEqual(['Again.', 'Again.', 'And stop.'])
  })
})

describe('parseCaptions, bad files', () => {
  const good = '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n'

  it.each([
    ['a broken time', `${good}2\n00:xx:05,000 --> 00:00:07,000\nTwo`, `Line 6: ${NOT_A_RANGE}`],
    ['a wrong arrow', `${good}2\n00:00:05,000 -> 00:00:07,000\nTwo`, `Line 6: ${NOT_A_RANGE}`],
    ['no arrow', `${good}00:00:05,000 00:00:07,000\nTwo`, `Line 5: ${NOT_A_RANGE}`],
    ['no end', `${good}2\n00:00:05,000 -->\nTwo`, `Line 6: ${NOT_A_RANGE}`],
    ['61 seconds', `${good}2\n00:00:61,000 --> 00:01:07,000\nTwo`, `Line 6: ${NOT_A_RANGE}`],
    ['no time range', `${good}2\nTwo\n\n3\n00:00:05,000 --> 00:00:07,000\nThree`, `Line 6: ${NOT_A_RANGE}`],
    ['a broken cue right after text', '00:01 --> 00:02\nOne\n00:0x --> 00:04\nTwo', `Line 3: ${NOT_A_RANGE}`],
    [
      'an end before the start',
      `${good}2\n00:00:05,000 --> 00:00:04,000\nTwo`,
      'Line 6: this cue ends before it starts.',
    ],
    ['prose', 'Dear Ann,\nhere are the captions.', `Line 1: ${NOT_A_RANGE}`],
    ['a numbered list', '1\nOpen the menu', `Line 2: ${NOT_A_RANGE}`],
    ['only arrows', '-->\n-->', `Line 1: ${NOT_A_RANGE}`],
    ['a web page', '\n<!doctype html>\n<!-- a --> b', 'Line 2: this is not a caption file. Use a .vtt or .srt file.'],
    ['JSON', '{"cues":[]}', 'Line 1: this is not a caption file. Use a .vtt or .srt file.'],
    ['a binary file', 'WEBVTT\n\n00:01 --> 00:02\n\0\0', 'Line 4: this is not text. Use a .vtt or .srt file.'],
    ['an empty file', '\uFEFF\r\n', 'The caption file is empty.'],
    ['a header alone', 'WEBVTT\n', 'The caption file has no cue with text in it.'],
    ['placeholders alone', '00:01 --> 00:02\n-', 'The caption file has no cue with text in it.'],
  ])('refuses %s', (_what, text, complaint) => {
    expect(complaintOf(text)).toBe(complaint)
  })

  const MAX = 2 * 1024 * 1024
  it.each(['-->', '<', '<v ', '&a', '{\\', '1\n', '\n', '[(', '00:00 --> 00:01\n', 'a:b ', '-----a'])(
    'settles 2 MB of %j',
    (unit) => {
      for (const head of ['', '00:00 --> 00:01\n', 'WEBVTT\n\n']) {
        try {
          parseCaptions(head + unit.repeat(MAX / unit.length))
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }
    },
  )

  it('answers any text with ordered cues or with a refusal', () => {
    const piece = fc.constantFrom(
      '1',
      '2',
      '',
      '00:01 --> 00:02',
      '00:00:03,5 --> 00:00:09',
      '-->',
      'WEBVTT',
      'NOTE x',
      'said',
      '<i>',
      '10:30',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece).map((lines) => lines.join('\n')),
          fc.string(),
        ),
        (text) => {
          try {
            const cues = parseCaptions(text)
            expect(cues.length).toBeGreaterThan(0)
            cues.forEach((cue, i) => {
              expect(cue.endMs).toBeGreaterThan(cue.startMs)
              expect(cue.startMs).toBeGreaterThanOrEqual(cues[i - 1]?.endMs ?? 0)
              expect(cue.text).toMatch(/[\p{L}\p{N}]/u)
            })
          } catch (error) {
            if (!(error instanceof AppError)) throw error
            expect(error.code).toBe('captions_invalid')
          }
        },
      ),
    )
  })
})

describe('damaged caption files', () => {
  it('damaged caption files are read in order or refused with the line that is wrong', { tags: 'fault-6' }, () => {
    const { faults, ends } = fuzzCaptions({ seed: pickSeed(), cases: 2_000, longestMs: Number.POSITIVE_INFINITY })
    expect(faults).toEqual([])
    expect(ends.read).toBeGreaterThan(100)
    expect(ends.refused).toBeGreaterThan(100)
  })
})

describe('decodeCaptions', () => {
  it.each([
    ['UTF-8', [0xc3, 0xa9], 'é'],
    ['UTF-8 with a mark', [0xef, 0xbb, 0xbf, 0xc3, 0xa9], 'é'],
    ['UTF-16 little endian', [0xff, 0xfe, 0xe9, 0x00], 'é'],
    ['UTF-16 big endian', [0xfe, 0xff, 0x00, 0xe9], 'é'],
    ['Windows-1252', [0x93, 0xe9, 0x94], '“é”'],
  ])('reads %s', (_name, bytes, text) => {
    expect(decodeCaptions(new Uint8Array(bytes))).toBe(text)
  })
})
