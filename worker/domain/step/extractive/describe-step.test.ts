import { describe, expect, it } from 'vitest'
import { describeStep } from './name-step.ts'
import { readSentences } from './sentences.ts'

function describeText(text: string): string {
  return describeStep(readSentences([{ id: 's0', startMs: 0, endMs: 20_000, text }]))
}

describe('describeStep', () => {
  it('quotes two informative sentences without fillers and questions', () => {
    const said = 'Okay. So, um, open the file menu at the top. Why? And then choose Save as from it. Done.'
    expect(describeText(said)).toBe('Open the file menu at the top. Choose Save as from it.')
  })

  it('closes unpunctuated speech with one full stop', () => {
    expect(describeText('so open the file menu and choose save')).toBe('Open the file menu and choose save.')
  })

  it('shortens one endless sentence at a word', () => {
    const text = describeText(`Then ${'carry on and on with it '.repeat(30)}.`)
    expect(text.length).toBeLessThan(300)
    expect(text).toMatch(/\w\.$/)
  })
})
