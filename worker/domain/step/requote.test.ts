import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quoteCorrected, requote } from './requote.ts'

const LINES = new Map([
  ['a', 'Click Save.'],
  ['b', 'Click  Save.'],
  ['c', 'Wait.'],
])
const change = (id: string, after: string) => new Map([[id, { before: LINES.get(id) ?? '', after }]])
const step = (originalText: string, segmentIds = ['a', 'b', 'c']) => ({ id: 's', originalText, segmentIds })

describe('requote', () => {
  it.each([
    [
      'the right one of two equal lines',
      'Click Save. Click Save. Wait.',
      'b',
      'Press it.',
      'Click Save. Press it. Wait.',
    ],
    ['a line in a quote that says more', 'Then: Wait.', 'c', 'Hold on.', 'Then: Hold on.'],
  ])('changes %s', (_what, quote, id, after, expected) => {
    expect(requote(step(quote), LINES, change(id, after))).toBe(expected)
  })

  it.each([
    ['that does not have the line', step('Something else.'), 'c'],
    ['of other lines', step('Wait.', ['x']), 'c'],
    ['that is empty', step(''), 'c'],
    ['that has the correction already', step('Press it. Click Save. Wait.'), 'a'],
  ])('leaves a quote %s', (_what, quoting, id) => {
    expect(requote(quoting, LINES, change(id, 'Press it.'))).toBeNull()
  })

  it('leaves sounds out of a quote of captions', () => {
    const lines = new Map([
      ['a', '[music] Click Save.'],
      ['b', 'Wait.'],
    ])
    const changes = new Map([['a', { before: '[music] Click Save.', after: '[music] Press Save.' }]])
    expect(requote(step('Click Save. Wait.', ['a', 'b']), lines, changes)).toBe('Press Save. Wait.')
    expect(requote(step('Then: Click Save.', ['a']), lines, changes)).toBe('Then: Press Save.')
  })

  it('gives the corrected lines for any lines and corrections', () => {
    const text = fc.constantFrom('Click.', 'Click. Save.', 'Wait', 'Save.')
    const line = fc.record({ before: text, after: fc.option(text) })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (list) => {
        const lines = list.map(({ before, after }, at) => ({
          id: String(at),
          text: after ?? before,
          transcribedText: after === null ? null : before,
        }))
        const quoting = {
          id: 's',
          segmentIds: lines.map(({ id }) => id),
          originalText: list.map((each) => each.before).join(' '),
        }
        const [quoted] = quoteCorrected([quoting], lines)
        expect(quoted?.originalText).toBe(lines.map((each) => each.text).join(' '))
        expect(quoteCorrected(quoted === undefined ? [] : [quoted], lines)[0]).toEqual(quoted)
      }),
    )
  })
})
