import { expect, it } from 'vitest'
import { nameAudio } from './name-audio.ts'

// As ffmpeg's muxers for MP4, MOV and Matroska write them, read by `readMediaFacts`.
it.each([
  ['AC3', 'AC-3 (Dolby Digital)'],
  ['EAC3', 'E-AC-3 (Dolby Digital Plus)'],
  ['ALAC', 'ALAC'],
  ['A_ALAC', 'ALAC'],
  ['SAMR', 'AMR'],
  ['IMA4', 'ADPCM'],
  ['MS', 'ADPCM'],
  ['A_MS/ACM', 'WMA, ADPCM, Speex'],
  ['A_TRUEHD', 'TrueHD'],
  ['A_MPEG/L2', 'MP2'],
  ['DTS', 'DTS'],
  ['NEW1', 'NEW1'],
])('%s is shown as %s', (code, name) => {
  expect(nameAudio(code)).toBe(name)
})
