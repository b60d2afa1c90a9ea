import { describe, expect, it } from 'vitest'
import { titleFromFilename } from './presign-upload.ts'

describe('titleFromFilename', () => {
  it.each([
    ['custom-speech-howto.mp4', 'Custom speech howto'],
    ['01_Change the_filter.final.mov', '01 Change the filter final'],
    ['C:\\videos\\demo.webm', 'Demo'],
    ['.mp4', 'Untitled video'],
    ['no extension', 'No extension'],
    ['日本語.mp4', '日本語'],
  ])('makes %s readable', (filename, title) => {
    expect(titleFromFilename(filename)).toBe(title)
  })

  it('keeps titles within their limit', () => {
    expect(titleFromFilename(`${'a'.repeat(255)}.mp4`)).toHaveLength(200)
  })
})
