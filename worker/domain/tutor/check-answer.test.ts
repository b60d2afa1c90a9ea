import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanAnswer } from './check-answer.ts'

describe('cleanAnswer', () => {
  it.each([
    'Start at 1:23',
    'start at: 45 seconds',
    'Starts at 0:07 with the nuts',
    '- At 12:30, the jack is placed',
    '[00:45] The jack',
    '**Start at:** 1:02:03',
    'Timestamp: 1:23',
  ])('takes out the line "%s"', (line) => {
    expect(cleanAnswer(`Use the jack.\n${line}\nThen lift.`)).toBe('Use the jack.\nThen lift.')
  })

  it.each([
    'Start the engine and look at the dial.',
    'At last, tighten the nuts.',
    'Look at 120 newton metres on the wrench.',
    'At 5 centimetres it is high enough.',
    'It is 5 < 6 and 7 > 3.',
    '1. Lift the car (0:36)',
    '“Lift the car.” (0:36)',
  ])('leaves "%s" as it is', (line) => {
    expect(cleanAnswer(line)).toBe(line)
  })

  it.each([
    ['<img src=//evil.example/x onerror=alert(1)>Lift', 'Lift'],
    ['<scr<script>ipt>alert(1)</script>', 'alert(1)'],
    ['![x](https://evil.example/?q=secret) Lift', 'x Lift'],
    ['[the manual](javascript:alert(1)) says', 'the manual) says'],
    ['See https://evil.example/a?b=c for more', 'See for more'],
    ['_https://evil.example', '_'],
    ['Li\u{E0041}\u{200B}\u{202E}ft', 'Lift'],
    ['<svg onload=alert(1)', '‹svg onload=alert(1)'],
  ])('makes %j inert', (answer, text) => {
    expect(cleanAnswer(answer)).toBe(text)
  })

  it.each(['می\u200cخواهم', 'क्\u200dष'])('keeps the joiner of %j, without which it is spelled wrong', (word) => {
    expect(cleanAnswer(word)).toBe(word)
  })

  it('returns text that a second cleaning does not change, without markup or addresses', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        '<',
        'img',
        '>',
        '](',
        '[',
        ')',
        'https://',
        'x.y',
        '\n',
        'Start at ',
        '1:23',
        '\u{E0041}',
        '\u200d',
        ' ',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = cleanAnswer(pieces.join(''))
        expect(text).not.toMatch(/<[a-z/!?]/i)
        expect(text).not.toMatch(/https?:\/\/\S/)
        expect(text).not.toMatch(/[\u{E0000}-\u{E007F}\u202E\u200B]/u)
        expect(cleanAnswer(text)).toBe(text)
      }),
    )
  })

  it('cuts ten thousand characters at a word', () => {
    const text = cleanAnswer('nuts '.repeat(2_000))
    expect(text.length).toBeLessThanOrEqual(4_000)
    expect(text).toMatch(/nuts…$/)
  })
})
