import { describe, expect, it } from 'vitest'
import type { CaptionsQuery } from '#contract/transcript.ts'
import { type CaptionedVideo, readCaptionFile } from './read-caption-file.ts'
import { encodeText } from './testing/encode-text.ts'

const EIGHT_MINUTES = { durationMs: 480_000, speech: [] }

function read(text: string | Uint8Array, choices: CaptionsQuery = {}, video: CaptionedVideo = EIGHT_MINUTES) {
  return readCaptionFile(typeof text === 'string' ? new TextEncoder().encode(text) : text, choices, video)
}

/** SRT with a cue each ten seconds. */
function srt(lines: readonly string[], hour = 0): string {
  const time = (s: number) => `${new Date((hour * 3_600 + s) * 1_000).toISOString().slice(11, 19)},000`
  return lines.map((line, at) => `${at + 1}\n${time(at * 10 + 5)} --> ${time(at * 10 + 12)}\n${line}\n`).join('\n')
}

const TALK = Array.from({ length: 30 }, (_, at) => `Now turn lever ${at} until lamp ${at} is on.`)
const RUSSIAN = ['First of all.', 'Откройте крышку и выньте фильтр.', 'Промойте его водой.', 'Закройте крышку.']

describe('readCaptionFile', () => {
  it('asks nothing of a clean file', () => {
    const { report, segments } = read(srt(TALK))
    expect(report).toEqual({
      cues: 30,
      encoding: 'utf-8',
      alternatives: [],
      repairs: [],
      repairCount: 0,
      languages: [],
      language: null,
      spoken: null,
      firstLines: TALK.slice(0, 5),
      readings: [],
      shift: null,
      doubt: null,
    })
    expect(segments).toHaveLength(30)
  })

  it('keeps the other language of a file beside each line, moved as the lines are', () => {
    const GERMAN = [
      'Öffnen Sie den Deckel der Maschine.',
      'Dann nehmen Sie den Filter heraus.',
      'Und das ist nicht schwer.',
    ]
    const ENGLISH = ['Open the lid of the machine.', 'Then you take the filter out.', 'And that is not difficult.']
    const text = srt(
      ENGLISH.map((line, at) => `${line}\n${GERMAN[at]}`),
      10,
    )
    for (const [language, other, texts] of [
      ['en', 'de', GERMAN],
      ['de', 'en', ENGLISH],
    ] as const) {
      const { segments } = read(text, { language })
      expect(segments[0]?.startMs).toBeLessThan(60_000)
      expect(segments.map(({ translated }) => translated)).toEqual(
        texts.map((each) => ({ language: other, text: each })),
      )
    }
  })

  it('shows the lines that tell an encoding', () => {
    const { report } = read(encodeText(srt(RUSSIAN), 'windows-1251'))
    expect(report).toMatchObject({ encoding: 'windows-1251', firstLines: RUSSIAN.slice(1) })
  })

  it('shows what close encodings make of the lines in which they differ', () => {
    const { report } = read(encodeText(srt(['Save it.', 'Vložte filtr a zavřete víko.', 'Done.']), 'windows-1250'))
    expect(report.alternatives).not.toEqual([])
    const [best, ...others] = report.readings
    expect(report.readings.map(({ encoding }) => encoding)).toEqual([report.encoding, ...report.alternatives])
    expect(others.every(({ lines }) => lines.length === 1 && lines[0] !== best?.lines[0])).toBe(true)
    expect(report.readings).toContainEqual({ encoding: 'windows-1250', lines: ['Vložte filtr a zavřete víko.'] })
  })

  it.each<[CaptionsQuery['times'], boolean, number]>([
    [undefined, true, 5_000],
    ['moved', true, 5_000],
    ['file', false, 36_005_000],
  ])(
    'moves captions of a broadcast time code into the video, unless the file is to be followed: %s',
    (times, isMoved, startMs) => {
      const { report, segments } = read(srt(TALK, 10), times && { times })
      expect(report.shift).toEqual({ reason: 'after_end', first: -36_000, last: -36_000, isMoved })
      expect(segments[0]?.startMs).toBe(startMs)
      expect(report.doubt?.code).toBe(isMoved ? undefined : 'beyond_end')
    },
  )

  it.each<[CaptionsQuery['times'], boolean, number]>([
    [undefined, false, 5_000],
    ['file', false, 5_000],
    ['moved', true, 2_600],
  ])(
    'offers to move late captions to their words, and does it only where that is chosen: %s',
    (times, isMoved, startMs) => {
      const speech = TALK.map((text, at) => ({ startMs: at * 10_000 + 2_600, endMs: at * 10_000 + 9_600, text }))
      const { report, segments } = read(srt(TALK), times && { times }, { durationMs: 480_000, speech })
      expect(report.shift).toEqual({ reason: 'speech', first: -2.4, last: -2.4, isMoved })
      expect(segments[0]?.startMs).toBe(startMs)
    },
  )

  it.each<[string | null, 'es' | null]>([
    ['es', 'es'],
    ['es-MX', 'es'],
    // Nothing is known of their words.
    ['ca', null],
    ['en-GB', null],
    [null, null],
  ])('says that English captions are not in the language of the video, %s', (language, spoken) => {
    const { report } = read(srt(TALK), {}, { ...EIGHT_MINUTES, language })
    expect([report.language, report.spoken]).toEqual([spoken && 'en', spoken])
  })

  it('doubts captions of a longer video', () => {
    const long = Array.from({ length: 312 }, (_, at) => `Line ${at}.`)
    expect(read(srt(long)).report.doubt).toEqual({ code: 'beyond_end', captionsSeconds: 3_122, videoSeconds: 480 })
  })
})
