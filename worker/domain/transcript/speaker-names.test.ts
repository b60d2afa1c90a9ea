import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickSeed } from '#local/testing/seed.ts'
import { parseCaptions } from './parse-captions.ts'
import { segmentsFromCues } from './segments-from-cues.ts'
import { SENTENCES, writeOddSrt } from './testing/odd-captions.ts'

function readSaid(text: string): [string | undefined, string][] {
  return segmentsFromCues(parseCaptions(text).cues).map((segment) => [segment.speaker, segment.text])
}
const readTexts = (...texts: string[]) => readSaid(writeOddSrt({ texts }))
const [one, two, three] = SENTENCES

describe('names of speakers', () => {
  it.each([
    ['a name in front of each cue', ...SENTENCES.map((text) => ['Ada Example', text, `Ada Example: ${text}`])],
    ['two who alternate', ['Ada', one, `Ada: ${one}`], ['Ben', two, `Ben: ${two}`], ['Ada', three, `Ada: ${three}`]],
    ['>> and capitals', ['ADA', one, `>> ADA: ${one}`], [undefined, two, `>> ${two}`], [undefined, three, three]],
    ['numbered speakers', ['Speaker 1', one, `Speaker 1: ${one}`], ['Speaker 2', two, `Speaker 2: ${two}`]],
    ['labels of recognisers', ['SPEAKER_00', one, `SPEAKER_00: ${one}`], ['SPEAKER_01', two, `SPEAKER_01: ${two}`]],
    ['a role', [undefined, one, one], ['NARRATOR', two, `NARRATOR: ${two}`]],
    [
      'a title and a note',
      ['Dr. Ada Example (off)', one, `Dr. Ada Example (off): ${one}`],
      ['Dr. Ada Example (off)', two, `Dr. Ada Example (off): ${two}`],
    ],
    [
      'umlauts and particles',
      ['Jörg van der Muster', one, `Jörg van der Muster: ${one}`],
      ['Jörg van der Muster', two, `Jörg van der Muster: ${two}`],
    ],
    [
      'one who says little',
      ['Ada Example', one, `Ada Example: ${one}`],
      ['Ada Example', two, `Ada Example: ${two}`],
      ['Ben Muster', three, `Ben Muster: ${three}`],
    ],
    [
      'Chinese',
      ['王芳', '请打开盖子。', '王芳：请打开盖子。'],
      ['李明', '好的。', '李明：好的。'],
      ['王芳', '现在关上它。', '王芳：现在关上它。'],
    ],
    [
      'Cyrillic',
      ['Анна', 'Откройте крышку.', 'Анна: Откройте крышку.'],
      ['Анна', 'Закройте её.', 'Анна: Закройте её.'],
    ],
    ['Arabic', ['ليلى', 'افتح الغطاء.', 'ليلى: افتح الغطاء.'], ['ليلى', 'أغلقه.', 'ليلى: أغلقه.']],
    [
      'capitals beside sounds',
      [undefined, '[machine humming]', '[machine humming]'],
      ['MARTHA', two, `MARTHA: ${two}`],
    ],
    [
      'voices of WebVTT',
      ['Ada Example', one, `<v Ada Example>${one}</v>`],
      ['Muster, Ben', two, `<v.loud Muster, Ben>${two}`],
    ],
  ] as [string, ...[string | undefined, string, string][]][])('are taken out of the text: %s', (_what, ...lines) => {
    expect(readTexts(...lines.map(([, , line]) => line))).toEqual(lines.map(([speaker, text]) => [speaker, text]))
  })

  it.each([
    ['Note: unplug it first.', 'Note: keep the screws.', 'Note: do not force it.'],
    ['Warning: it is hot.', 'Tip: wear gloves.', 'Warning: it is sharp.'],
    ['Step 1: Open it.', 'Step 2: Close it.', 'Step 3: Start it.'],
    ['Schritt 1: Öffnen.', 'Schritt 2: Schließen.', 'Achtung: heiß.'],
    ['Hinweis: heiß.', 'Hinweis: scharf.'],
    ['Remarque: chaud.', 'Remarque: lourd.'],
    ['Uwaga: gorące.', 'Uwaga: ciężkie.'],
    ['注意：很烫。', '注意：很重。'],
    ['ملاحظة: ساخن.', 'ملاحظة: ثقيل.'],
    ['Go to http://example.com now.', 'Http: is a scheme.', 'http: again.'],
    ['At 12:30 it starts.', '12:30 is lunch.', '12:30 again.'],
    ['Remember this: press once.', 'Remember this: press twice.'],
    ['Now one thing: it is hot.', 'And another thing: it is heavy.'],
    ['Torque: 5 Nm', 'Speed: 300', 'Torque: 7 Nm'],
    ['Lockout: put the lock on.', 'Open it.', 'Close it.'],
    ['PPE: gloves.', 'Open it.'],
    ['Open File: Save As.', 'Close it.', 'Start it.', 'Stop it.'],
    ['Oil Level: check it.', 'Oil Level: top it up.', 'Close it.', 'Start it.'],
    ['Main Menu: Choose users.', ...Array.from({ length: 20 }, (_, at) => `Wait ${at} s.`), 'Main Menu: Choose roles.'],
    ['TypeError: x is undefined.', 'TypeError: y is undefined.'],
    ['Monday: closed all day.', 'Tuesday: open from nine.', 'Monday: closed again.'],
    ['Student: a person who learns.', 'Open it.'],
    ['[Music]', 'HDMI: connect it to the screen.'],
    ['Kleiner Tipp: Erst messen.', 'Kleiner Tipp: Nie ziehen.'],
    ['Nächster Schritt: Deckel öffnen.', 'Nächster Schritt: Filter reinigen.'],
    ['على سبيل المثال: افتح الغطاء.', 'على سبيل المثال: أغلقه.', 'ثم انتظر.', 'ثم ابدأ.', 'توقف.'],
  ])('are not made of text: %s', (...texts) => {
    expect(readTexts(...texts)).toEqual(texts.map((text) => [undefined, text]))
  })

  it('are not made of a heading that stands once beside a few names', () => {
    const others = Array.from({ length: 19 }, (_, at) => `Wait ${at} s.`)
    const said = readTexts('Ada Example: Good morning.', 'Big Mistake: Do not open it.', ...others, 'Ada Example: Bye.')
    expect(said.filter(([speaker]) => speaker !== undefined)).toEqual([
      ['Ada Example', 'Good morning.'],
      ['Ada Example', 'Bye.'],
    ])
  })

  it('keeps two speakers of a cue, and of one start, apart', () => {
    const vtt = (body: string) => readSaid(`WEBVTT\n\n00:00.000 --> 00:04.000\n${body}\n`)
    expect(vtt('<v Ada>Open it</v> <v Ben>and close it')).toEqual([
      ['Ada', 'Open it'],
      ['Ben', 'and close it'],
    ])
    expect(vtt('- Is it off?\n- It is off.')).toEqual([
      [undefined, 'Is it off?'],
      [undefined, 'It is off.'],
    ])
    expect(vtt('<v Ada>open it\n\n00:00.000 --> 00:04.000\n<v Ben>close it')).toEqual([
      ['Ada', 'open it'],
      ['Ben', 'close it'],
    ])
    expect(vtt('<v Ada>Open the\n\n00:04.000 --> 00:06.000\n<v Ben>other cover.')).toEqual([
      ['Ada', 'Open the'],
      ['Ben', 'other cover.'],
    ])
  })

  it('joins what one speaker says over several cues', () => {
    const text = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Ada>Open the\n\n00:02.000 --> 00:04.000\n<v Ada>other cover.'
    expect(readSaid(text)).toEqual([['Ada', 'Open the other cover.']])
  })

  it('cuts a name that is too long, and drops one without letters', () => {
    expect(readTexts(`<v ${'A'.repeat(60)}>${one}`, `<v ->${two}`)).toEqual([
      ['A'.repeat(40), one],
      [undefined, two],
    ])
  })

  it('leave the same texts as a file without them', () => {
    const name = fc.constantFrom('Ada Example', 'Ben Muster', 'Zoë van Dijk', 'Dr. Li Wei', 'SPEAKER_01', 'Speaker 2')
    const line = fc.tuple(name, fc.constantFrom(...SENTENCES, 'Note: it is hot.', 'At 12:30, stop.', 'press [Enter].'))
    const write = fc.constantFrom<(who: string, text: string) => string>(
      (who, text) => `${who}: ${text}`,
      (who, text) => `>> ${who}: ${text}`,
      (who, text) => `<v ${who}>${text}</v>`,
    )
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), write, (lines, withName) => {
        // Each name stands there twice, as in a file that is more than an example.
        const all = [...lines, ...lines].map(([who, text], at) => [who, `${text.slice(0, -1)} ${at}.`] as const)
        const plain = readTexts(...all.map(([, text]) => text))
        const named = readTexts(...all.map(([who, text]) => withName(who, text)))
        expect(named).toEqual(plain.map(([, text], at) => [all[at]?.[0], text]))
      }),
      { seed: pickSeed(), numRuns: 60 },
    )
  })
})
