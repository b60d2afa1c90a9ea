import { describe, expect, it } from 'vitest'
import type { TranscribedWord } from '#worker/ports/speech-to-text.ts'
import { formSegments } from './form-segments.ts'
import { joinVoices } from './join-voices.ts'

/** Words of 300 ms each from a time on, one after the other. */
function say(text: string, fromMs: number, confidence: number | null = 0.9): TranscribedWord[] {
  return text.split(' ').map((word, at) => ({
    text: word,
    startMs: fromMs + at * 300,
    endMs: fromMs + at * 300 + 280,
    confidence,
  }))
}

const voiceOf = (words: TranscribedWord[], afterMs = 0, language: string | null = 'en') => ({
  words,
  afterMs,
  language,
})
const textOf = ({ words }: { words: TranscribedWord[] }) => words.map(({ text }) => text).join(' ')

describe('joinVoices', () => {
  it('leaves what is said in one track as it is', () => {
    const voice = voiceOf(say('Open the door.', 500))
    expect(joinVoices([voice])).toBe(voice)
  })

  it('orders what speakers say by time, from wherever their audio begins', () => {
    const joined = joinVoices([
      voiceOf([...say('Open the door.', 500), ...say('Then close it.', 4_000)]),
      voiceOf(say('Which door?', 0), 2_000),
    ])
    expect(textOf(joined)).toBe('Open the door. Which door? Then close it.')
    expect(joined.words[3]).toMatchObject({ text: 'Which', startMs: 2_000 })
  })

  it.each([
    ['the first', 0.9, 0.4, 500],
    ['the second', 0.4, 0.9, 700],
  ])('keeps what two microphones have heard once, as %s has understood it', (_, one, other, startMs) => {
    const joined = joinVoices([
      voiceOf(say('Remove the water tank', 500, one)),
      voiceOf(say('remove the what tank.', 700, other)),
    ])
    expect(joined.words).toHaveLength(4)
    expect(joined.words[0]).toMatchObject({ startMs })
    expect(joined.words.every(({ confidence }) => confidence === 0.9)).toBe(true)
  })

  it('keeps what a speaker says behind an echo', () => {
    const heard = say('remove the tank okay', 600, 0.5)
    const joined = joinVoices([voiceOf(say('Remove the tank', 500)), voiceOf(heard)])
    expect(textOf(joined)).toBe('Remove the tank okay')
  })

  it('keeps different words that are said at the same time', () => {
    const joined = joinVoices([voiceOf(say('Now press it.', 0)), voiceOf(say('Wait a moment.', 100))])
    expect(joined.words).toHaveLength(6)
  })

  it('keeps a sentence whole into which somebody falls, for sentences to be read', () => {
    const { words } = joinVoices([
      voiceOf(say('Empty the tank in the sink.', 0)),
      voiceOf([...say('Good.', 1_300), ...say('And then?', 2_200)]),
    ])
    expect(textOf({ words })).toBe('Empty the tank in the sink. Good. And then?')
    expect(words.map(({ startMs }) => startMs)).toEqual(words.map(({ startMs }) => startMs).toSorted((a, b) => a - b))
    expect(formSegments(words).map(({ text }) => text)).toEqual(['Empty the tank in the sink.', 'Good.', 'And then?'])
  })

  it('does not hold back for long what is said meanwhile', () => {
    const monologue = say(Array.from({ length: 30 }, () => 'and').join(' '), 0)
    const { words } = joinVoices([voiceOf(monologue), voiceOf(say('Stop!', 1_000))])
    expect(words.find(({ text }) => text === 'Stop!')?.startMs).toBe(1_000)
  })

  it('has the language of most words', () => {
    const [german, english] = [voiceOf(say('Gut.', 0), 0, 'de'), voiceOf(say('Open the door.', 900))]
    expect(joinVoices([german, english]).language).toBe('en')
    expect(joinVoices([voiceOf([], 0, null), german]).language).toBe('de')
  })

  it('has no words where nobody speaks', () => {
    expect(joinVoices([voiceOf([], 0, null), voiceOf([], 0, null)])).toEqual({ words: [], language: null })
  })
})
