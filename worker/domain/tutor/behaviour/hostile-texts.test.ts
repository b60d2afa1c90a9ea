// Behaviour: hostile texts in questions and transcripts take no longer than others.
import { expect, it } from 'vitest'
import { isTimeMarker } from '#contract/tutor.ts'
import { readSentences } from '#worker/adapters/language/speak.ts'
import { isOnlyMarks } from '#worker/adapters/whisper/invented-text.ts'
import { cleanSpeech } from '#worker/domain/rewrite/extractive-text-rewriter.ts'
import { describeStep } from '#worker/domain/step/extractive/describe-step.ts'
import { readSentences as splitSentences } from '#worker/domain/step/extractive/sentences.ts'
import { polishTitle } from '#worker/domain/step/extractive/title-ideas.ts'
import { cleanAnswer, removeMarkup } from '../check-answer.ts'
import { answerQuickPrompt, planAnswer } from '../plan-answer.ts'
import { indexOf, NARRATION, STEPS } from '../testing/narration.ts'

const MEGABYTE = 1_000_000
/** A search that restarts at each position takes minutes or longer for each of these. */
const ATTACKS: Record<string, string> = {
  comments: '<!--',
  'opened tags': '<a ',
  'nested tags': '<a<',
  'closed tags': '</a ',
  'opened links': '[',
  'opened addresses of links': '[](',
  images: '![',
  references: '\n[a]',
  blanks: ' ',
  lines: '\n',
  'marks of emphasis': ' *_',
  'full stops': '.',
  addresses: 'a.',
  data: 'data:a',
  'notes of music': '♪',
  brackets: '[1',
  digits: '1,',
}
const texts = Object.entries(ATTACKS).map(([name, piece]): [string, string] => {
  return [name, piece.repeat(MEGABYTE / piece.length)]
})

it.each(texts)('a megabyte of %s is answered', { tags: 'attack-23', timeout: 20_000 }, (_name, text) => {
  const question = 'Where is the wrench for the wheel nuts?'
  for (const said of [text, `${text}x`, `The wrench ${text} nuts.`]) {
    const answer = planAnswer(indexOf([said, ...NARRATION]), { question }).whole
    expect(answer.text.length).toBeLessThan(10_000)
    expect(cleanAnswer(said).length).toBeLessThanOrEqual(4_000)
    expect(removeMarkup(said)).not.toMatch(/<[a-z/!?]/i)
    isTimeMarker(said)
    isOnlyMarks(said)
    polishTitle(said)
    describeStep(splitSentences([{ id: 's', startMs: 0, endMs: 1_000, text: said }]))
    const steps = STEPS.map((step) => ({ ...step, title: said }))
    expect(answerQuickPrompt(steps, { question: 'Walk me through it' })?.text.length).toBeLessThan(100_000)
  }
})

it.each(texts)(
  'a model that says %s and no end is read',
  { tags: 'attack-25', timeout: 20_000 },
  async (_name, text) => {
    async function* tokens() {
      yield text
      yield 'x'
    }
    for await (const reply of readSentences(tokens())) expect(reply).toBeDefined()
  },
)

it.each(texts)(
  '%s in a text to be rewritten are cleaned',
  (_name, text) => {
    expect(cleanSpeech(`a ${text.slice(0, 5_000)} a x`)).toBeDefined()
  },
  20_000,
)

it('markup inside of markup, however deep, is gone', { tags: 'attack-24' }, () => {
  const depth = 5_000
  const text = `${'<'.repeat(depth)}${'a>'.repeat(depth)}${'['.repeat(depth)}x${'](y)'.repeat(depth)}`
  expect(removeMarkup(text)).not.toMatch(/<[a-z/!?]|\]\(/i)
})
