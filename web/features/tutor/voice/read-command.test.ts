import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { QUICK_PROMPTS } from '../invitation.tsx'
import { readCommand } from './read-command.ts'

describe('readCommand', () => {
  test.each([
    ['next step', 'next'],
    ['Next step.', 'next'],
    ['okay, next', 'next'],
    ['previous', 'previous'],
    ['Go back, please!', 'previous'],
    ['repeat', 'repeat'],
    ['Repeat that, please.', 'repeat'],
    ['slower', 'slower'],
    ['faster now', 'faster'],
    ['Stop.', 'stop'],
    ['send it', 'send'],
  ])('%s is %s', (phrase, command) => {
    expect(readCommand(phrase)).toBe(command)
  })

  test.each([
    ...QUICK_PROMPTS,
    'next?',
    'what is the next step',
    'how do I stop the pump',
    'is it faster to repeat the test',
    'why does he stop here',
    'repeat the first two screws',
    '',
    'please',
  ])('"%s" is no command', (phrase) => {
    expect(readCommand(phrase)).toBeNull()
  })

  test('reads no command in an ordinary question', () => {
    const opening = fc.constantFrom(
      'how',
      'what',
      'why',
      'when',
      'where',
      'which',
      'who',
      'can',
      'does',
      'is',
      'should',
    )
    const word = fc.constantFrom(
      'next',
      'step',
      'previous',
      'repeat',
      'slower',
      'faster',
      'stop',
      'send',
      'the',
      'pump',
      'I',
    )
    fc.assert(
      fc.property(opening, fc.array(word, { minLength: 1, maxLength: 6 }), (first, rest) => {
        expect(readCommand([first, ...rest].join(' '))).toBeNull()
      }),
    )
  })

  test('does not care for case, marks and courtesy', () => {
    const command = fc.constantFrom('next step', 'previous step', 'repeat', 'slower', 'faster', 'stop')
    fc.assert(
      fc.property(
        command,
        fc.constantFrom('', '.', '!', ','),
        fc.constantFrom('', 'please ', 'ok '),
        (said, mark, ask) => {
          expect(readCommand(`${ask}${said.toUpperCase()}${mark}`)).toBe(readCommand(said))
          expect(readCommand(said)).not.toBeNull()
        },
      ),
    )
  })
})
