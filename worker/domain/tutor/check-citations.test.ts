import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkCitations } from './check-answer.ts'
import { indexOf, NARRATION } from './testing/narration.ts'

function keep(text: string, ...segmentIds: string[]): readonly string[] {
  return checkCitations([{ text, segmentIds }], indexOf())[0]?.segmentIds ?? []
}

describe('checkCitations', () => {
  it('keeps sentences that the segments support, also in other words', () => {
    expect(keep('Loosen the nuts by half a turn.', 's4')).toEqual(['s4'])
    expect(keep('Raise the car until the tyre is 5 centimetres over the ground.', 's7')).toEqual(['s7'])
    expect(keep('Lower the car and tighten the nuts to 120 newton metres.', 's10', 's9')).toEqual(['s10', 's9'])
  })

  it.each([
    ['a segment that does not exist', 'Loosen the nuts by half a turn.', 's99'],
    ['a segment about something else', 'Loosen the nuts by half a turn.', 's11'],
    ['another number', 'Lift the car until the tyre is 7 centimetres above the ground.', 's7'],
    ['a number that was not said', 'Drive at most 80 kilometres an hour for 30 minutes.', 's13'],
    ['a denial that was not said', 'Do not loosen the nuts while the wheel is on the ground.', 's4'],
    ['what was denied as if it were affirmed', 'Take the nuts off, the wheel would fall.', 's5'],
    ['a sentence with one word in common', 'The nuts were invented by a Swedish engineer in winter.', 's4'],
    ['nothing that says anything', 'And so it is.', 's4'],
  ])('drops %s', (_what, text, id) => {
    expect(keep(text, id)).toEqual([])
  })

  it('drops of several segments those that have nothing of the sentence', () => {
    expect(keep('Loosen the nuts by half a turn.', 's4', 's11', 's99', 's4')).toEqual(['s4'])
  })

  it('keeps no id that was not given or does not exist, and keeps every sentence that quotes its segment', () => {
    const ids = fc.array(
      fc.oneof(
        fc.nat(30).map((id) => `s${id}`),
        fc.string(),
      ),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom(...NARRATION)), ids, (text, segmentIds) => {
        const kept = keep(text, ...segmentIds)
        const known = NARRATION.map((_, index) => `s${index}`)
        expect(kept.every((id) => segmentIds.includes(id) && known.includes(id))).toBe(true)
      }),
    )
    NARRATION.slice(0, -1).forEach((text, index) => {
      expect(keep(text, `s${index}`)).toEqual([`s${index}`])
    })
  })
})
