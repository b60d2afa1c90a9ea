// Behaviour: a dialogue of three turns: what a question refers to.
import { describe, expect, it } from 'vitest'
import type { EarlierTurn } from '#contract/tutor.ts'
import { planAnswer, presentMeta } from '../plan-answer.ts'
import { answerPrompt } from '../prompts/answer-question.v4.ts'
import { indexOf } from '../testing/narration.ts'

const NOT = 'This video does not cover that.'
const WRENCH = 'Where is the wrench for the wheel nuts?'
const PARK = 'Where do I park the car?'
const LIFT = 'How far has the car to be lifted?'

/** Three turns each: what is asked, and what the answer has without a model. */
const DIALOGUES: readonly (readonly [string, string | RegExp])[][] = [
  [
    [WRENCH, /^“The wrench/],
    ['And then?', /^“(?!The wrench)/],
    ['explain that again', /^“(?!The wrench)/],
  ],
  [
    [PARK, /level ground/],
    ['what next?', /^“(?!.*level ground)/],
    ['Thanks!', 'You’re welcome.'],
  ],
  [
    ['Should I take the nuts off yet?', /Do not take them off/],
    ['Why?', /because the wheel would fall/],
    ['And what happens then?', /^“/],
  ],
  [
    ['How do you brew espresso?', NOT],
    ['why?', NOT],
    [WRENCH, /^“The wrench/],
  ],
  [
    [LIFT, /5 centimetres/],
    ['Thank you', 'You’re welcome.'],
    ['and then?', /^“(?!.*5 centimetres)/],
  ],
  [
    ['How many kilometres an hour may I drive?', /80 kilometres/],
    ['Can you repeat that?', /80 kilometres/],
    ['How much does it cost?', NOT],
  ],
  [
    ['Who checks the pressure?', /Maria Fuentes/],
    ['How do I cook spaghetti?', NOT],
    ['Say that again', /Maria Fuentes/],
  ],
  [
    ['How fast may I drive until a garage has repaired it?', /80 kilometres/],
    ['and then?', 'That is the end of this video.'],
    ['Cool, thanks', 'You’re welcome.'],
  ],
  [
    ['What’s the next step?', /“Lift the car”/],
    ['and then?', /“Mount the spare wheel”/],
    ['again please', /“Mount the spare wheel”/],
  ],
  [
    ['How much pressure does the spare wheel need?', /4 bar/],
    ['How?', /4 bar/],
    ['Which one?', /4 bar/],
  ],
  [
    ['What next?', /“Lift the car”/],
    [PARK, /level ground/],
    ['What is this video about espresso?', NOT],
  ],
]

/** Asks one question after the other, as a learner who watches at 0:20. */
function converse(dialogue: readonly (readonly [string, string | RegExp])[]) {
  const index = indexOf()
  const turns: EarlierTurn[] = []
  return dialogue.map(([question]) => {
    const earlier = turns.slice(-2)
    const plan = planAnswer(index, { question, timeMs: 20_000, earlier })
    const prompt = plan.shown && answerPrompt(index, plan.shown, { question, earlier })[1]?.content
    turns.push({ question, answer: plan.whole.text, meta: presentMeta('turn', plan.whole) })
    return { text: plan.whole.text, prompt, earlier }
  })
}

describe('a dialogue of three turns', () => {
  it.each(DIALOGUES.map((dialogue) => [dialogue.map(([question]) => question).join(' '), dialogue] as const))(
    'is understood without a model: %s',
    (_questions, dialogue) => {
      converse(dialogue).forEach(({ text }, at) => {
        const [, expected] = dialogue[at] as readonly [string, string | RegExp]
        expect(text).toMatch(typeof expected === 'string' ? new RegExp(`^${expected}$`) : expected)
      })
    },
  )

  it.each(DIALOGUES.map((dialogue) => [dialogue.map(([question]) => question).join(' '), dialogue] as const))(
    'is given to a model, with the two turns before: %s',
    (_questions, dialogue) => {
      for (const { prompt, earlier } of converse(dialogue)) {
        for (const { question, answer } of prompt === null ? [] : earlier) {
          expect(prompt).toContain(`Learner: ${question}`)
          expect(prompt).toContain(`Tutor: ${answer.slice(0, 20)}`)
        }
      }
    },
  )
})
