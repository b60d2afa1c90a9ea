// Behaviour: every caption file that is exported is read again as what it was written from.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { writeSrt, writeVtt } from '#media/write-captions.ts'
import { parseCaptions } from '../parse-captions.ts'
import { segmentsFromCues } from '../segments-from-cues.ts'

const SPOKEN = [
  'First, unplug the press and wait a minute.',
  'Press [Enter] (see page 3), then choose File > Save & close.',
  'Note: at 12:30 the R&D team comes.',
  'Click File → Export, then type <name> and wait.',
  '[machine humming]',
  '♪ soft music ♪',
  '(water runs) Then rinse it.',
  'Öffnen Sie die Klappe – ganz vorsichtig!',
  'Откройте крышку: она тёплая.',
  '打开盖子，然后按下绿色按钮。',
  'افتح الغطاء ثم انتظر.',
  `${'Every word of this long sentence is one of eight, '.repeat(5)}and it ends here.`,
]
const NAMES = [
  undefined,
  'Ada Example',
  'Muster, Ben',
  'Dr. Li Wei',
  'SPEAKER_01',
  '王芳',
  'Zoë van Dijk',
  "O'Neil (off)",
]

const cue = fc.record({
  lengthMs: fc.integer({ min: 2_000, max: 14_000 }),
  gapMs: fc.integer({ min: 0, max: 4_000 }),
  text: fc.constantFrom(...SPOKEN),
  speaker: fc.constantFrom(...NAMES),
})

/** Makes cues that follow each other, each with a text of its own, since captions that repeat themselves roll up. */
const cues = fc.array(cue, { minLength: 1, maxLength: 12 }).map((list) => {
  let endMs = 0
  // A file that says nothing is refused.
  const spoken = { lengthMs: 4_000, gapMs: 0, text: SPOKEN[0] ?? '', speaker: undefined }
  return [...list, spoken].map(({ lengthMs, gapMs, text, speaker }, at) => {
    const startMs = endMs + gapMs
    endMs = startMs + lengthMs
    const own = /^[[♪(]/.test(text) ? text : `${at + 1} ${text}`
    return { start: startMs / 1_000, end: endMs / 1_000, text: own, ...(speaker !== undefined && { speaker }) }
  })
})

describe('a caption file that is exported', () => {
  it.each([
    ['WebVTT', writeVtt],
    ['SRT', writeSrt],
  ])('is read again with the same words, speakers and times: %s', (_what, write) => {
    fc.assert(
      fc.property(cues, (list) => {
        const { cues: read, log } = parseCaptions(write(list))
        const segments = segmentsFromCues(read).map(({ startMs, endMs, text, speaker }) => ({
          startMs,
          endMs,
          text,
          speaker,
        }))
        expect(joinPieces(segments, list)).toEqual(
          list.map(({ start, end, text, speaker }) => [
            Math.round(start * 1_000),
            Math.round(end * 1_000),
            text,
            speaker,
          ]),
        )
        expect(log.named).toEqual([])
      }),
      { seed: pickSeed(), numRuns: 80 },
    )
  })
})

/** Long lines are written as several cues: what lies within the time of one line is put together again. */
function joinPieces(
  read: readonly { startMs: number; endMs: number; text: string; speaker?: string | undefined }[],
  list: readonly { start: number; end: number; text: string }[],
) {
  return list.map(({ start, end, text }) => {
    const own = read.filter(({ startMs }) => startMs >= start * 1_000 - 1 && startMs < end * 1_000 - 1)
    const blank = text.includes(' ') ? ' ' : ''
    const speakers = new Set(own.map(({ speaker }) => speaker))
    expect(speakers.size).toBe(1)
    return [own[0]?.startMs, own.at(-1)?.endMs, own.map((each) => each.text).join(blank), own[0]?.speaker]
  })
}
