import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { INTERFACE_LANGUAGES, regionalTagOf } from '#contract/languages.ts'
import { QUICK_PROMPTS } from '../invitation.tsx'
import { phrasesOf, readCommand } from './read-command.ts'

const CATALOGUES = import.meta.glob<Record<string, string>>('../../../messages/*.json', {
  eager: true,
  import: 'default',
})

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
    expect(readCommand(phrase, 'en-US')).toBe(command)
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
    expect(readCommand(phrase, 'en-US')).toBeNull()
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
        expect(readCommand([first, ...rest].join(' '), 'en-US')).toBeNull()
      }),
    )
  })

  test.each(INTERFACE_LANGUAGES)('knows the words that the page lists in %s, and how a question is sent', (tag) => {
    const hint = CATALOGUES[`../../../messages/${tag}.json`]?.['listening_ask_or_say_next'] ?? ''
    const listed = [...hint.matchAll(/[“„«]\s*([^”“»]+?)\s*[”“»]/g)].map(([, said]) => said)
    expect(listed.map((said) => readCommand(`${said}.`, regionalTagOf(tag)))).toEqual(['next', 'repeat', 'stop'])
    expect(readCommand(phrasesOf(tag).send[0].toLocaleUpperCase(tag), tag)).toBe('send')
  })

  test('does not care for case, marks and courtesy', () => {
    const command = fc.constantFrom('next step', 'previous step', 'repeat', 'slower', 'faster', 'stop')
    fc.assert(
      fc.property(
        command,
        fc.constantFrom('', '.', '!', ','),
        fc.constantFrom('', 'please ', 'ok '),
        (said, mark, ask) => {
          expect(readCommand(`${ask}${said.toUpperCase()}${mark}`, 'en-US')).toBe(readCommand(said, 'en-US'))
          expect(readCommand(said, 'en-US')).not.toBeNull()
        },
      ),
    )
  })
})
