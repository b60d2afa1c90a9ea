import { describe, expect, it } from 'vitest'
import type { AnswerRow } from '#worker/domain/answer/answer-store.ts'
import { findAnswer } from './trainer-answers.ts'

function answerTo(question: string, more: Partial<AnswerRow> = {}): AnswerRow {
  const rest = { wordings: [question], stepsHash: '', inPrint: false, answeredAt: 0, ...more }
  return { id: 'a', moduleId: 'm', question, text: '120.', stepId: null, momentMs: null, ...rest }
}

const isFound = (answered: string, asked: string, more: Partial<AnswerRow> = {}, stepId: string | null = 's9') =>
  findAnswer([answerTo(answered, more)], { question: asked, stepId }) !== null

describe('the answer of a trainer', () => {
  it.each([
    ['Where is the wheel wrench?', 'Where do I find the wheel wrench'],
    ['Where is the wheel wrench?', "where's the WHEEL wrench??"],
    ['How do I tighten the wheel nuts?', 'How to tighten a wheel nut'],
    ['How much torque for the wheel nuts?', 'How much torque do the wheel nuts…'],
    ['How much does the insurance cost in winter?', 'In winter, how much does the insurance cost?'],
    ['Wie fest ziehe ich die vorderen Radmuttern an?', 'wie fest ziehe ich die vorderen Radmuttern an'],
  ])('is given where %s is asked as %s', (answered, asked) => {
    expect(isFound(answered, asked)).toBe(true)
  })

  it.each([
    ['How do I turn the mains on?', 'How do I turn the mains off?'],
    ['How do I turn the mains on?', 'How do I turn the mains?'],
    ['How tight are the front wheel nuts?', 'How tight are the rear wheel nuts?'],
    ['Do I lift the car up here?', 'Do I let the car down here?'],
    ['Does the cable go over the frame?', 'Does the cable go under the frame?'],
    ['Do I pull the fuse out?', 'Do I push the fuse in?'],
    ['Can I lift the car with a jack?', "Can't I lift the car with a jack?"],
    ['Should I loosen the wheel nuts?', 'Should I not loosen the wheel nuts?'],
    ['Can I grease the wheel bolts?', 'Must I grease the wheel bolts?'],
    ['How much torque can the nut take?', 'How much torque should the nut take?'],
    ['Is the red wire hot?', 'Is the red wire cold?'],
    ['Where is the wheel wrench?', 'What is the wheel wrench?'],
    ['Do I loosen the nuts before lifting the car?', 'Do I lift the car before loosening the nuts?'],
    ['Is red positive and black negative?', 'Is red negative and black positive?'],
    ['Do I switch the pump on with the valve off?', 'Do I switch the pump off with the valve on?'],
    ['Schalte ich den Strom jetzt ein?', 'Schalte ich den Strom jetzt aus?'],
    ['Kommt die Mutter vor der Scheibe?', 'Kommt die Scheibe vor der Mutter?'],
  ])('to %s is none to %s, also where one card had both', (answered, asked) => {
    expect(isFound(answered, asked)).toBe(false)
    expect(isFound(asked, answered)).toBe(false)
    expect(isFound(answered, asked, { wordings: [answered, asked] })).toBe(false)
  })

  it.each(['How much?', 'How much torque?', 'How tight do I turn this wheel nut?', 'Wie viel Drehmoment?', '扭矩多少'])(
    'to %s is for the step of it alone, since it means another thing elsewhere',
    (question) => {
      expect(isFound(question, question, { stepId: 's1' }, 's1')).toBe(true)
      expect(isFound(question, question, { stepId: 's1' }, 's2')).toBe(false)
      expect(isFound(question, question, { stepId: null }, 's2')).toBe(false)
      expect(findAnswer([answerTo(question)], { question })).toBeNull()
    },
  )

  it('is given to another wording of its card that only has fewer words', () => {
    const [long, short] = [
      'How much does the car insurance cost in winter?',
      'How much is the car insurance in winter?',
    ]
    expect(isFound(long, short, { wordings: [long, short] })).toBe(true)
    expect(isFound(long, short)).toBe(false)
  })
})
