import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { INTERFACE_LANGUAGES } from '#contract/languages.ts'
import { commandLanguage, FOLLOW_COMMANDS, listWords, readFollowCommand } from './voice-commands.ts'

describe('readFollowCommand', () => {
  it.each([...INTERFACE_LANGUAGES, 'es-MX', 'zh-CN'])(
    'understands each word that it lists in %s, also as a browser writes it',
    (language) => {
      const words = listWords(language, { report: true })
      expect(new Set(words).size).toBe(FOLLOW_COMMANDS.length)
      const said = words.map((word) => `${word.toLocaleUpperCase(language)}.`)
      expect(said.map((phrase) => readFollowCommand(phrase, language))).toEqual(FOLLOW_COMMANDS)
    },
  )

  it.each([
    ['go to the next step please', 'next'],
    ['okay, next', 'next'],
    ['Go back, please!', 'back'],
    ['previous', 'back'],
    ['once more', 'repeat'],
    ['slow down', 'slower'],
    ['pause the video', 'stop'],
  ])('understands "%s"', (phrase, command) => {
    expect(readFollowCommand(phrase, 'en-GB')).toBe(command)
  })

  it.each([
    ['en-US', 'put the next one back on the stop'],
    ['en-US', 'what is the next step'],
    ['en-US', 'why does he stop here'],
    ['en-US', 'repeat the first two screws'],
    ['de', 'stell das weiter nach hinten'],
    ['en-US', 'next?'],
    ['en-US', 'faster'],
    ['en-US', 'please'],
    ['en-US', ''],
  ])('takes nothing else for a command: %s, "%s"', (language, phrase) => {
    expect(readFollowCommand(phrase, language)).toBeNull()
  })

  it('does not care for case, marks and courtesy', () => {
    const said = fc.constantFrom('next step', 'previous step', 'repeat', 'slower', 'stop')
    const mark = fc.constantFrom('', '.', '!', ',')
    const courtesy = fc.constantFrom('', 'please ', 'ok ')
    fc.assert(
      fc.property(said, mark, courtesy, (phrase, end, ask) => {
        const command = readFollowCommand(phrase, 'en-US')
        expect(command).not.toBeNull()
        expect(readFollowCommand(`${ask}${phrase.toUpperCase()}${end}`, 'en-US')).toBe(command)
      }),
    )
  })
})

it('listens in English where it has no words for the language of the video', () => {
  expect(commandLanguage('fi')).toBe('en-US')
  expect(commandLanguage(null)).toBe('en-US')
  expect(commandLanguage('de-AT')).toBe('de-AT')
  expect(commandLanguage('de')).toBe('de-DE')
})
