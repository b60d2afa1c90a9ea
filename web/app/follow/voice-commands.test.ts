import { describe, expect, it } from 'vitest'
import { commandLanguage, FOLLOW_COMMANDS, listWords, readFollowCommand } from './voice-commands.ts'

const LANGUAGES = ['en-US', 'de', 'es-MX', 'fr', 'pt-BR', 'pl', 'tr', 'ar', 'hi', 'zh-CN']

describe('readFollowCommand', () => {
  it.each(LANGUAGES)('understands each word that it lists in %s, also as a browser writes it', (language) => {
    const words = listWords(language)
    expect(new Set(words).size).toBe(FOLLOW_COMMANDS.length)
    const said = words.map((word) => `${word.toLocaleUpperCase(language)}.`)
    expect(said.map((phrase) => readFollowCommand(phrase, language))).toEqual(FOLLOW_COMMANDS)
  })

  it.each([
    ['go to the next step please', 'next'],
    ['go back', 'back'],
    ['once more', 'repeat'],
    ['slow down', 'slower'],
    ['pause the video', 'stop'],
  ])('understands "%s"', (phrase, command) => {
    expect(readFollowCommand(phrase, 'en-GB')).toBe(command)
  })

  it.each([
    ['en-US', 'put the next one back on the stop'],
    ['de', 'stell das weiter nach hinten'],
    ['en-US', 'faster'],
    ['en-US', ''],
  ])('takes nothing else for a command: %s, "%s"', (language, phrase) => {
    expect(readFollowCommand(phrase, language)).toBeNull()
  })
})

it('listens in English where it has no words for the language of the video', () => {
  expect(commandLanguage('fi')).toBe('en-US')
  expect(commandLanguage(null)).toBe('en-US')
  expect(commandLanguage('de-AT')).toBe('de-AT')
  expect(commandLanguage('de')).toBe('de-DE')
})
