import { describe, expect, it } from 'vitest'
import type { SaidSegment } from '#worker/ports/language-model.ts'
import { readSentences } from './sentences.ts'

function say(...texts: string[]): SaidSegment[] {
  return texts.map((text, index) => ({ id: `s${index}`, startMs: index * 4_000, endMs: index * 4_000 + 3_500, text }))
}

describe('readSentences', () => {
  it('joins a sentence that runs over several segments', () => {
    const sentences = readSentences(say('Open the file', 'menu. Then', 'save it.'))
    expect(sentences.map((sentence) => sentence.text)).toEqual(['Open the file menu.', 'Then save it.'])
  })

  it('lets a sentence that begins late in a segment open the next one', () => {
    expect(readSentences(say('Open the file menu now. Then', 'save it.'))[1]?.segmentIndex).toBe(1)
    expect(readSentences(say('Open. Then you save the whole file', 'again.'))[1]?.segmentIndex).toBe(0)
  })

  it('treats each segment as a sentence where there is no punctuation', () => {
    const sentences = readSentences(say('open the file menu', 'then save it'))
    expect(sentences.map((sentence) => sentence.gapMs)).toEqual([0, 500])
  })

  it('does not end a sentence at an abbreviation', () => {
    expect(readSentences(say('Use a shell, e.g. bash. Then type ls.'))).toHaveLength(2)
  })
})
