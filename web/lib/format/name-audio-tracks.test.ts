import { expect, it } from 'vitest'
import { nameAudioTracks } from './name-audio-tracks.ts'

it('names tracks by language and name, or by number', () => {
  const tracks = [
    { language: 'en', name: 'Director' },
    { language: 'pt-BR', name: null },
    { language: null, name: 'Microphone' },
    { language: null, name: null },
  ]
  expect(nameAudioTracks(tracks)).toEqual(['English – Director', 'Brazilian Portuguese', 'Microphone', 'Track 4'])
})

it('tells tracks apart that are called the same', () => {
  const english = { language: 'en', name: null }
  expect(nameAudioTracks([english, english])).toEqual(['Track 1: English', 'Track 2: English'])
})
