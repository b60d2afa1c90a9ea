import { describe, expect, it } from 'vitest'
import { judgeAnswer } from './judge-answer.ts'

const shown = { answer: 'ls --all', ranges: [[100, 120]] as const }
const cite = (sentence: string, start: number) => ({
  isCovered: true,
  citations: [{ segmentIds: [], sentence, start }],
})

describe('judgeAnswer', () => {
  it('takes a quote of what is shown, at a moment that shows it, for right', () => {
    expect(judgeAnswer(cite('ls  --all', 100), shown)).toBe('right')
    expect(judgeAnswer(cite('Now type ls --all', 130), shown)).toBe('right')
  })

  it('takes another text and another moment for wrong', () => {
    expect(judgeAnswer(cite('ls -all', 100), shown)).toBe('wrong')
    expect(judgeAnswer(cite('LS --ALL', 100), shown)).toBe('wrong')
    expect(judgeAnswer(cite('ls --all', 89), shown)).toBe('wrong')
    expect(judgeAnswer(cite('ls --all', 131), shown)).toBe('wrong')
    expect(judgeAnswer({ isCovered: true, citations: [] }, shown)).toBe('wrong')
  })

  it('tells a refusal from an answer, and has no right answer where nothing is shown', () => {
    expect(judgeAnswer({ isCovered: false, citations: [] }, shown)).toBe('refused')
    expect(judgeAnswer({ isCovered: false, citations: [] }, null)).toBe('refused')
    expect(judgeAnswer(cite('ls --all', 100), null)).toBe('wrong')
  })
})
