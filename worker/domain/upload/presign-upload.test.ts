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
    ['📹_کار_با_دستگاه.mp4', '📹 کار با دستگاه'],
  ])('makes %s readable', (filename, title) => {
    expect(titleFromFilename(filename)).toBe(title)
  })

  it('cuts no emoji in two', () => {
    const worker = '👩🏽‍🏭'
    expect(titleFromFilename(`a${worker.repeat(40)}.mp4`)).toBe(`A${worker.repeat(28)}`)
  })

  it('keeps titles within their limit', () => {
    expect(titleFromFilename(`${'a'.repeat(255)}.mp4`)).toHaveLength(200)
    // 255 bytes, as much as a file system takes.
    expect(titleFromFilename(`${'é'.repeat(125)}.mp4`)).toHaveLength(125)
  })
})
