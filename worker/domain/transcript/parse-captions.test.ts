import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { AppError } from '#worker/core/errors.ts'
import { parseCaptions } from './parse-captions.ts'
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
    expect(parseCaptions(text).cues).toEqual([
      { startMs: 1_000, endMs: 3_500, text: 'Open the File menu', speaker: 'Ann', isTurn: true },
      { startMs: 3_600_000, endMs: 3_602_000, text: 'then click Save' },
    ])
  })

  it('reads SRT with one-digit chunks, a byte order mark, CRLF and commas', () => {
    const text =
      '\uFEFF1\r\n00:0:00 --> 00:0:05\r\nDear friends, welcome.\r\n\r\n2\r\n00:0:05,5 --> 00:1:0\r\nIn this tutorial.\r\n'
    expect(parseCaptions(text).cues).toEqual([
      { startMs: 0, endMs: 5_000, text: 'Dear friends, welcome.' },
      { startMs: 5_500, endMs: 60_000, text: 'In this tutorial.' },
    ])
  })

  it('reads cues that no blank line separates, with and without numbers', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:02,000 --> 00:00:03,000\nTwo\n00:00:03,000-->00:00:04,000\nThree'
    expect(parseCaptions(text).cues.map((cue) => cue.text)).toEqual(['One', 'Two', 'Three'])
  })

  it('keeps text after a blank line inside a cue, and text on the line of the times', () => {
    const text = '1\n00:00:01,000 --> 00:00:02,000\n\nOne\n\nmore\n\n2\n00:00:02,000 --> 00:00:03,000 Two'
    expect(parseCaptions(text).cues.map((cue) => cue.text)).toEqual(['One more', 'Two'])
  })

  it('keeps numbers and arrows that were said', () => {
    const text =
      '1\n00:00:01,000 --> 00:00:02,000\nThe answer is\n42\n\n2\n00:00:02,000 --> 00:00:03,000\nFile --> Save\n10:30 - 11:30'
    expect(parseCaptions(text).cues.map((cue) => cue.text)).toEqual(['The answer is 42', 'File --> Save 10:30 - 11:30'])
  })

  it('keeps angle brackets that are no tags and decodes entities, also those that were encoded twice', () => {
    const text = '00:01 --> 00:02\ncp <from> <to> &lt;b&gt; &amp;lt; R&#38;D &#x1F600; &#0;{\\an8}'
    expect(parseCaptions(text).cues[0]?.text).toBe('cp <from> <to> <b> < R&D 😀')
  })

  it('drops placeholders and a number that is left over at the end', () => {
    const text =
      'WEBVTT\n\n00:01 --> 00:02\n-\n\n00:02 --> 00:03\n&nbsp;\n\n00:03 --> 00:04\n[Music]\n\n00:04 --> 00:05\n♪♪\n\n' +
      '00:05 --> 00:06\nRecorded by ---------(name of the recorder) from ------\n\n00:06 --> 00:07\nls lists files\n\n7\n'
    expect(parseCaptions(text).cues).toEqual([
      { startMs: 3_000, endMs: 4_000, text: '[Music]' },
      { startMs: 6_000, endMs: 7_000, text: 'ls lists files' },
    ])
  })

  it('sorts cues, ends each where the next begins, joins those with one start', () => {
    const text =
      '00:05 --> 00:09\nlater\n\n00:01 --> 00:07\nfirst\n\n00:05 --> 00:06\nsame time\n\n00:20 --> 00:20\nno length'
    expect(parseCaptions(text).cues).toEqual([
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
    expect(parseCaptions(text).cues.map((cue) => cue.text)).toEqual(['so today we', 'are going'])
  })

  it('keeps a line that is said twice in captions that do not roll', () => {
    const text = '00:01 --> 00:02\nAgain.\n\n00:02 --> 00:03\nAgain.\n\n00:03 --> 00:04\nAnd stop.'
    expect(parseCaptions(text).cues.map((cue) => cue.text)).toEqual(['Again.', 'Again.', 'And stop.'])
  })
})

/** What is read where one cue of two is wrong, as its start, its text, and what was noted. */
function readTwo(wrong: string) {
  const { cues, log } = parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\nOne\n\n${wrong}`)
  return { two: cues.slice(1).map(({ startMs, endMs, text }) => [startMs, endMs, text]), noted: log.named }
}

describe('parseCaptions, one wrong cue', () => {
  const TWO = [[5_000, 7_000, 'Two']]
  it.each([
    ['a wrong arrow', '2\n00:00:05,000 -> 00:00:07,000\nTwo', TWO, [{ line: 6, code: 'odd_time' }]],
    ['no arrow', '00:00:05,000 00:00:07,000\nTwo', TWO, [{ line: 5, code: 'odd_time' }]],
    ['61 seconds', '2\n00:00:61,000 --> 00:01:07,000\nTwo', [[61_000, 67_000, 'Two']], [{ line: 6, code: 'odd_time' }]],
    [
      'a start that cannot be read',
      '2\n00:xx:05,000 --> 00:00:07,000\nTwo',
      [[2_000, 7_000, 'Two']],
      [
        { line: 6, code: 'odd_time' },
        { line: 6, code: 'time_guessed' },
      ],
    ],
    [
      'no end',
      '2\n00:00:05,000 -->\nTwo\n\n3\n00:00:07,000 --> 00:00:08,000',
      TWO,
      [
        { line: 6, code: 'odd_time' },
        { line: 6, code: 'end_guessed' },
      ],
    ],
    [
      'an end before the start',
      '2\n00:00:05,000 --> 00:00:04,000\nTwo\n\n00:00:07,000 --> 00:00:08,000\nThree',
      [...TWO, [7_000, 8_000, 'Three']],
      [{ line: 6, code: 'end_guessed' }],
    ],
    [
      'no times',
      '2\nTwo\n\n3\n00:00:05,000 --> 00:00:07,000\nThree',
      [
        [2_000, 5_000, 'Two'],
        [5_000, 7_000, 'Three'],
      ],
      [
        { line: 6, code: 'time_guessed' },
        { line: 6, code: 'end_guessed' },
      ],
    ],
    [
      'a place before another',
      '00:00:00,500 --> 00:00:00,900\nZero\n\n00:00:05,000 --> 00:00:07,000\nTwo',
      [[1_000, 2_000, 'One'], ...TWO],
      [{ line: 5, code: 'out_of_order' }],
    ],
  ])('reads the file with %s', (_what, text, two, noted) => {
    expect(readTwo(text)).toEqual({ two, noted })
  })

  it('notes the text before the first cue, and moves a cue that begins before the video', () => {
    const { cues, log } = parseCaptions('Hello\n\n1\n-00:00:02,000 --> 00:00:04,000\nOne')
    expect(cues).toEqual([{ startMs: 0, endMs: 4_000, text: 'One' }])
    expect(log.named).toEqual([
      { line: 1, code: 'left_out' },
      { line: 4, code: 'odd_time' },
      { line: 4, code: 'before_start' },
    ])
  })

  it('takes no time that no video has', () => {
    const segments = [
      { start: 1, end: 1e300, text: 'One' },
      { start: -1e300, end: 9, text: 'Two' },
    ]
    const { cues } = parseCaptions(JSON.stringify({ segments }))
    expect(cues).toEqual([
      { startMs: 1_000, endMs: 5_000, text: 'One' },
      { startMs: 5_000, endMs: 9_000, text: 'Two' },
    ])
  })

  it('reads the chunks of Hugging Face, and counts each segment that is lost', () => {
    const chunks = [
      { timestamp: [1, 4.5], text: ' One' },
      { timestamp: 'x', text: 'Lost' },
      { text: 'Lost too' },
      { timestamp: [5, null], text: ' Two' },
    ]
    const { cues, log } = parseCaptions(JSON.stringify({ text: 'One Two', chunks }), { durationMs: 9_000 })
    expect(cues).toMatchObject([
      { startMs: 1_000, endMs: 4_500, text: 'One' },
      { startMs: 5_000, text: 'Two' },
    ])
    expect(log.named).toEqual([
      { line: 2, code: 'left_out' },
      { line: 3, code: 'left_out' },
      { line: 4, code: 'end_guessed' },
    ])
  })

  it('counts more repairs than it names', () => {
    const cues = Array.from({ length: 1_000 }, (_, at) => `00:01 -> 00:02\n${at}x\n\n`)
    const { log } = parseCaptions(cues.join(''))
    // Each has another arrow, and all begin together.
    expect([log.count, log.named.length]).toEqual([2_000, 200])
  })
})

describe('parseCaptions, bad files', () => {
  it.each([
    ['prose', 'Dear Ann,\nhere are the captions.', `Line 1: ${NOT_A_RANGE}`],
    ['a numbered list', '1\nOpen the menu', `Line 2: ${NOT_A_RANGE}`],
    ['only arrows', '-->\n-->', `Line 1: ${NOT_A_RANGE}`],
    [
      'a web page',
      '\n<!doctype html>\n<!-- a --> b',
      'Line 2: this is not a caption file. Use a caption file, such as .vtt or .srt.',
    ],
    ['JSON', '{"cues":[]}', 'Line 1: this is not a caption file. Use a caption file, such as .vtt or .srt.'],
    [
      'a binary file',
      'WEBVTT\n\n00:01 --> 00:02\n\0\0',
      'Line 4: this is not text. Use a caption file, such as .vtt or .srt.',
    ],
    ['an empty file', '\uFEFF\r\n', 'The caption file is empty.'],
    ['a header alone', 'WEBVTT\n', 'The caption file has no cue with text in it.'],
    ['placeholders alone', '00:01 --> 00:02\n-', 'The caption file has no cue with text in it.'],
    [
      'sounds alone',
      '00:01 --> 00:02\n[music]\n\n00:03 --> 00:04\n♪',
      'The caption file names sounds only, such as [music]. It has nothing that is said.',
    ],
  ])('refuses %s', (_what, text, complaint) => {
    expect(complaintOf(text)).toBe(complaint)
  })

  const MAX = 2 * 1024 * 1024
  it.each([
    '-->',
    '<',
    '<v ',
    '&a',
    '{\\',
    '1\n',
    '\n',
    '[(',
    '00:00 --> 00:01\n',
    'a:b ',
    '-----a',
    '{1}{2}a\n',
    '<p begin="1s">',
    '<p ',
    'Dialogue: 0,',
    '[00:01.00]',
    '{"a":[',
    '{\\p1',
    '0:01\n',
  ])('settles 2 MB of %j', (unit) => {
    for (const head of ['', '00:00 --> 00:01\n', 'WEBVTT\n\n', '<tt>', '[Events]\n']) {
      try {
        parseCaptions(head + unit.repeat(MAX / unit.length))
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
      }
    }
  })

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
            const { cues } = parseCaptions(text)
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
  it('damaged caption files are read in order, or refused where nothing can be read', { tags: 'fault-6' }, () => {
    const { faults, ends } = fuzzCaptions({ seed: pickSeed(), cases: 2_000, longestMs: Number.POSITIVE_INFINITY })
    expect(faults).toEqual([])
    // A damaged cue is repaired; a file is refused only where nothing can be read any more, as in JSON that is damaged.
    expect(ends.read).toBeGreaterThan(1_300)
    expect(ends.refused).toBeGreaterThan(0)
  })
})
