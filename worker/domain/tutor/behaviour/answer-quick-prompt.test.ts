// Behaviour: answers to the questions that the page proposes, from the steps alone.
import { describe, expect, it } from 'vitest'
import { answerQuickPrompt } from '../plan-answer.ts'
import { STEPS } from '../testing/narration.ts'

const next = (asked: { timeMs?: number; stepId?: string }) =>
  answerQuickPrompt(STEPS, { question: "What's the next step?", ...asked })

describe('answerQuickPrompt', () => {
  it('walks through the steps and says where the viewer is', () => {
    const answer = answerQuickPrompt(STEPS, { question: 'Walk me through it', timeMs: 40_000 })
    expect(answer?.text.split('\n')).toEqual([
      '1. Secure the car (0:06)',
      '2. Loosen the nuts (0:18)',
      '3. Lift the car (0:36) ← you are here',
      '4. Mount the spare wheel (0:54)',
      '',
      'You are at “Lift the car” (0:36). Put the jack under the frame.',
    ])
    expect(answer?.step?.id).toBe('c')
  })

  it.each([
    [
      'before the first step',
      { timeMs: 0 },
      'The next step is “Secure the car” (0:06). Park on level ground and use a wedge.',
    ],
    ['in a step', { timeMs: 20_000 }, 'The next step is “Lift the car” (0:36). Put the jack under the frame.'],
    [
      'in a step that is named',
      { stepId: 'a', timeMs: 60_000 },
      'The next step is “Loosen the nuts” (0:18). Half a turn with the wrench.',
    ],
    ['at the last', { timeMs: 80_000 }, 'You are at the last step: “Mount the spare wheel” (0:54). Tighten the nuts.'],
  ])('returns the next step %s', (_where, asked, text) => {
    expect(next(asked)?.text).toBe(text)
  })

  it('takes the prompts however they are typed, and leaves other questions to the transcript', () => {
    expect(answerQuickPrompt(STEPS, { question: ' WHAT’S the next step ' })).not.toBeNull()
    expect(answerQuickPrompt(STEPS, { question: 'What is the next step after the nuts?' })).toBeNull()
  })

  it.each([
    'Thanks!',
    'ok, thank you',
    'THX',
    'Great, thanks a lot.',
    'That helps, thank you very much!',
    'Cheers',
    'Ah, got it. Thanks again, that was helpful.',
  ])('answers “%s” as thanks', (question) => {
    expect(answerQuickPrompt([], { question })).toMatchObject({ text: 'You’re welcome.', isCovered: true, step: null })
  })

  it('leaves a question that begins with thanks to the transcript', () => {
    expect(answerQuickPrompt(STEPS, { question: 'Thanks, and how do I lift the car?' })).toBeNull()
  })

  it('says so where there are no steps', () => {
    expect(answerQuickPrompt([], { question: 'Walk me through it' })?.text).toBe('This video has no steps yet.')
  })
})
