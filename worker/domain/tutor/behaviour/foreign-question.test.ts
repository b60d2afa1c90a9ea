// Behaviour: what a model is shown of a long recording.
import { describe, expect, it } from 'vitest'
import { openIndex } from '../open-index.ts'
import { planAnswer } from '../plan-answer.ts'
import { NARRATION, sayAll } from '../testing/narration.ts'

/** Some 25,000 characters: more than a question in its own language is shown of. */
const LONG = Array.from({ length: 360 }, (_, at) => `${NARRATION[at % NARRATION.length]} That was part ${at}.`)
const index = openIndex({ language: 'en', segments: sayAll(LONG), steps: [] })
const countShown = (question: string, of = index) => planAnswer(of, { question }).shown?.length ?? 0

describe('planAnswer, for a model', () => {
  it('shows the best passages of a long recording to a question in its language', () => {
    expect(countShown('Where is the wrench for the wheel nuts?')).toBeLessThan(LONG.length)
  })

  it('shows all of it to a question in another one, whose words rank nothing', () => {
    expect(countShown('Wo liegt der Schlüssel für die Muttern, und wie fest ziehe ich sie an?')).toBe(LONG.length)
  })

  it('shows no more than a model can read', () => {
    const longer = openIndex({ language: 'en', segments: sayAll([...LONG, ...LONG, ...LONG, ...LONG]), steps: [] })
    expect(countShown('Wo liegt der Schlüssel für die Muttern?', longer)).toBeLessThan(4 * LONG.length)
  })
})
