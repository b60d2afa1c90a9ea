import { describe, expect, it } from 'vitest'
import { describeStep } from './describe-step.ts'
import { readSentences } from './sentences.ts'

function describeText(text: string): string {
  return describeStep(readSentences([{ id: 's0', startMs: 0, endMs: 20_000, text }]))
}

describe('describeStep', () => {
  it('quotes two informative sentences without fillers and questions', () => {
    const said = 'Okay. So, um, open the file menu at the top. Why? And then choose Save as from it. Done.'
    expect(describeText(said)).toBe('Open the file menu at the top. Choose Save as from it.')
  })

  it('quotes the instructions of a step that has some, and what must be', () => {
    const said =
      'In reality, few people know all of it. Next, you put in the new roll. Isn’t it heavy? The loose end must point to the front. ' +
      'This has always been so with printers. Pull the paper forward until it comes out. Leave two inches of it outside.'
    expect(describeText(said)).toBe(
      'Put in the new roll. The loose end must point to the front. Pull the paper forward until it comes out.',
    )
  })

  it('quotes what is said after the only instruction', () => {
    const said =
      'There are many ways to do it. Select the whole text first. It becomes blue then. All of this is reversible.'
    expect(describeText(said)).toBe('Select the whole text first. All of this is reversible.')
  })

  it('says an announced step as an instruction', () => {
    expect(describeText('Finally, switch on the printer again. Wait for the green light on it.')).toBe(
      'Switch on the printer again. Wait for the green light on it.',
    )
    expect(describeText('next you add the tomatoes and a glass of water')).toBe(
      'Add the tomatoes and a glass of water.',
    )
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
