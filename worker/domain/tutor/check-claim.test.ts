import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkQuotes, isQuoted } from './check-answer.ts'
import { checkClaim } from './check-claim.ts'
import { indexOf, NARRATION, sayAll } from './testing/narration.ts'
import { readClauses } from './words/read-clauses.ts'

const { segments } = indexOf()
const check = (text: string, ...segmentIds: string[]) => checkClaim({ text, segmentIds, quote: '' }, segments)
/** What becomes of a claim about two lines, the first of which it cites. */
const about = (source: string, text: string, quote = '') =>
  checkClaim({ text, segmentIds: ['s0', 's1'], quote }, sayAll([...source.split('|'), 'Nothing else.'])).verdict

describe('checkClaim', () => {
  it('supports sentences that repeat their segments, also shortened and with a word for another', () => {
    expect(check('Loosen the nuts by half a turn.', 's4')).toMatchObject({ verdict: 'supported', segmentIds: ['s4'] })
    expect(check('The wrench is under the carpet of the boot.', 's3').verdict).toBe('supported')
    expect(check('Raise the car until the tyre is 5 centimetres over the ground.', 's7')).toMatchObject({
      verdict: 'supported',
      segmentIds: ['s7'],
    })
  })

  it('is unsure of other words and of another order, which a judge has to read', () => {
    expect(check('Lower the car and tighten the nuts to 120 newton metres.', 's10', 's9')).toMatchObject({
      verdict: 'unsure',
      segmentIds: ['s9', 's10'],
    })
    expect(check('A wedge keeps the car from rolling away.', 's2').verdict).toBe('unsure')
  })

  it('refuses what turns its segments round', () => {
    expect(check('The wheel behind the wedge is put so that it cannot roll.', 's2').verdict).toBe('unsupported')
  })

  it('leaves a sentence in the language of its question to a judge, with its quote and its numbers', () => {
    const said = 'Tighten the four screws to 21 newton metres, and do not touch the cable.'
    const quote = 'screws to 21 newton metres'
    expect(about(said, 'Apriete los tornillos a 21 newton metros.', quote)).toBe('unsure')
    expect(about(said, 'Apriete los tornillos a 12 newton metros, después a 31.', quote)).toBe('unsupported')
    expect(about(said, 'Apriete los tornillos a 21 newton metros.', 'screws to 12 newton metres')).toBe('unsupported')
    expect(about(said, 'Apriete los tornillos.')).toBe('unsupported')
  })

  it('reads numbers as the language of the question writes them', () => {
    const said = 'The tank takes 12,250 litres, and you open the valve for 0.5 seconds, or 1.25 at night.'
    expect(about(said, 'In den Tank passen 12.250 Liter.', 'takes 12,250 litres')).toBe('unsure')
    expect(about(said, 'Das Ventil öffnet man 0,5 Sekunden lang, nachts 1,25.', 'for 0.5 seconds')).toBe('unsure')
    expect(about(said, 'Das Ventil öffnet man 0,6 Sekunden lang.', 'for 0.5 seconds')).toBe('unsupported')
  })

  it('refuses a name that is said nowhere, however it is written, in English alone', () => {
    const said = 'Hold the control key and click the face time button of the pump.|Save it in the format of Acme.'
    const quote = 'hold the control key'
    expect(about(said, 'Hold the Ctrl key and click the FaceTime button.', quote)).not.toBe('unsupported')
    expect(about(said, 'Hold the key and click the button of the pump, as in the format of Acme.', quote)).not.toBe(
      'unsupported',
    )
    expect(about(said, 'Save the pump as a PDF, and hold the control key.', quote)).toBe('unsupported')
    expect(about(said, 'Halte die Taste Strg gedrückt und klicke auf den Knopf.', quote)).not.toBe('unsupported')
  })

  it.each([
    ['a segment that does not exist', 'Loosen the nuts by half a turn.', 's99'],
    ['a segment about something else', 'Loosen the nuts by half a turn.', 's11'],
    ['a sentence with one word in common', 'The nuts were invented by a Swedish engineer in winter.', 's4'],
    ['nothing that says anything', 'And so it is.', 's4'],
    ['a number that was not said', 'Drive at most 80 kilometres an hour for 30 minutes.', 's13'],
    ['what was denied as if it were affirmed', 'Take them off, because the wheel would fall on your foot.', 's5'],
  ])('does not support %s', (_what, text, id) => {
    expect(check(text, id).verdict).toBe('unsupported')
  })

  it.each([
    ['another number', 'Lift the car until the tyre is 7 centimetres above the ground.', 's7'],
    ['a denial that was not said', 'Do not loosen the nuts while the wheel is on the ground.', 's4'],
    ['the denial left out', 'Take the nuts off, the wheel would fall.', 's5'],
  ])('never supports %s', (_what, text, id) => {
    expect(check(text, id).verdict).not.toBe('supported')
  })

  it.each([
    ['There is no lock, 156 of those fit.', '156 of those fit.', 'supported'],
    ['There is no lock, 156 of those fit.', '156 of those do not fit.', 'unsupported'],
    ['I forgot to load the file.', 'I load the file.', 'unsupported'],
    ['You don’t need to install any additional software.', 'You need to install additional software.', 'unsupported'],
    ['It is not only fast, it is small.', 'It is not fast, it is small.', 'unsupported'],
  ])('reads denials within their clause: of “%s”, “%s” is %s', (source, text, verdict) => {
    expect(about(source, text)).toBe(verdict)
  })

  it.each([
    ['Alice pays Bob $20, Bob pays Charlie $40.', 'Alice pays Bob $40.'],
    ['Alice pays Bob $20, Bob pays Charlie $40.', 'Bob pays Alice $20.'],
    ['The ratio has 200 farmers and 10 librarians.', 'The ratio has 10 farmers and 200 librarians.'],
    ['Switch from calling seek to arrive.', 'Switch from calling arrive to seek.'],
    ['First tighten the bolts, then lower the car.', 'First lower the car, then tighten the bolts.'],
    ['A square always has four sides.', 'A square sometimes has four sides.'],
    ['Almost none reads the manual.', 'Almost all read the manual.'],
    ['If the lamp is red, press the button.', 'Press the button.'],
    ['Press the red button.', 'Press the green button.'],
    ['The blue die seems biased towards lower values.', 'The red die seems biased towards lower values.'],
  ])('does not support what changes subject, number, order or limits: of “%s”, “%s”', (source, text) => {
    expect(about(source, text)).not.toBe('supported')
  })

  it('reads counts and lists over segments that follow each other, and numbers in words', () => {
    expect(about('There are two hundred and|fifty six bits in it.', 'There are 250 six bits in it.')).not.toBe(
      'supported',
    )
    expect(
      about('The class has three|functions, finished, apply force and update.', 'The class has three functions.'),
    ).toBe('supported')
    expect(about('It takes twenty five|minutes to dry.', 'It takes 25 minutes to dry.')).toBe('supported')
  })

  it('wants the quote to stand in the segments, letter by letter but for marks and fillers', () => {
    const source = 'Now we are, uh, going to lift the car.|Then take off the nuts.'
    expect(about(source, 'Lift the car.', 'we are going to lift the car')).toBe('supported')
    expect(about(source, 'Lift the car.', 'Lift the car … take off the nuts')).toBe('supported')
    expect(about(source, 'Lift the car.', 'we are going to raise the car')).toBe('unsupported')
  })

  it('drops of several segments those that have nothing of the sentence', () => {
    expect(check('Loosen the nuts by half a turn.', 's4', 's11', 's99', 's4').segmentIds).toEqual(['s4'])
  })

  it('keeps no id that was not given or does not exist, and supports every sentence that quotes its segment', () => {
    const ids = fc.array(
      fc.oneof(
        fc.nat(30).map((id) => `s${id}`),
        fc.string(),
      ),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...NARRATION)), ids, (text, segmentIds) => {
        const { segmentIds: kept } = check(text, ...segmentIds)
        const known = NARRATION.map((_, index) => `s${index}`)
        expect(kept.every((id) => segmentIds.includes(id) && known.includes(id))).toBe(true)
      }),
    )
    NARRATION.slice(0, -1).forEach((text, index) => {
      expect(check(text, `s${index}`)).toMatchObject({ verdict: 'supported', segmentIds: [`s${index}`] })
    })
  })
})

describe('checkQuotes', () => {
  it('keeps the citations of what was said, over segments as well, and no others', () => {
    const said = `${NARRATION[3]} ${NARRATION[4]?.slice(0, 16)}`
    const [quoted, changed] = checkQuotes(
      [
        { text: said, segmentIds: ['s4', 's3', 's99'] },
        { text: 'Loosen the nuts by a turn.', segmentIds: ['s4'] },
      ],
      { segments },
    )
    expect(quoted?.segmentIds).toEqual(['s3', 's4'])
    expect(changed?.segmentIds).toEqual([])
  })

  it('finds whole words only, and nothing in nothing', () => {
    expect(isQuoted('lift the car', 'Lift the carpet.')).toBe(false)
    expect(isQuoted('', 'Lift the car.')).toBe(false)
    expect(isQuoted('…', 'Lift the car.')).toBe(false)
  })
})

it('reads a clause to its mark or the next clause’s first word', () => {
  const denied = readClauses('Do not press it, but hold the key because it is new.').filter(({ isDenied }) => isDenied)
  expect(denied.map(({ stem }) => stem)).toEqual(['not', 'press', 'it'])
})
