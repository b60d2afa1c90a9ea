import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '#worker/core/errors.ts'
import { isContentWord, splitWords, stemContentWords } from '#worker/domain/step/extractive/sentences.ts'
import { linesWhere } from '#worker/log/testing/lines.ts'
import type { RewriteTask, TextRewriter } from '#worker/ports/language-model.ts'
import { extractiveTextRewriter } from './extractive-text-rewriter.ts'
import { rewriteText } from './rewrite-text.ts'

const SAID = 'um so you you click on the the Save button but do not close the window'
const CLEANED = 'You click on the Save button but do not close the window.'
const patient = () => new AbortController().signal

function rewriterOf(answer: string | Error | Promise<string>) {
  const tasks: RewriteTask[] = []
  const rewriter: TextRewriter = {
    name: 'fake',
    async rewrite(task) {
      tasks.push(task)
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  return { rewriter, tasks }
}

const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
afterEach(() => warn.mockClear())

const rewriteFaults = () => linesWhere(warn, ({ event }) => event.startsWith('rewrite'))

describe('rewriteText', () => {
  it.each([
    ['as it is', 'Click on the Save button, but do not close the window.'],
    ['in quotes', '"Click on the Save button, but do not close the window."'],
    ['in a fence', '```\nClick on the Save button, but do not close the window.\n```'],
    ['after thoughts', '<think>Shorter.</think>\nClick on the Save button, but do not close the window.'],
  ])('gives what the model wrote, %s', async (_form, answer) => {
    const { rewriter } = rewriterOf(answer)
    expect(await rewriteText(rewriter, { text: SAID }, patient())).toBe(
      'Click on the Save button, but do not close the window.',
    )
  })

  it.each([
    ['a denial in other words', "You click on the Save button but don't close the window."],
    ['words in another form', 'You are clicking on the Save buttons but not closing the window.'],
  ])('takes %s for the same', async (_what, answer) => {
    expect(await rewriteText(rewriterOf(answer).rewriter, { text: SAID }, patient())).toBe(answer)
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n '],
    ['a thing that was not said', 'You click on the blue Save button but do not close the window.'],
    ['a number that was not said', 'You click on the Save button 2 times but do not close the window.'],
    ['a remark of its own', `Sure! Here is the rewritten text: ${CLEANED}`],
    ['the opposite', 'You click on the Save button but do close the window.'],
    ['far more than was asked', `${CLEANED} `.repeat(4)],
    ['another language', 'Klicken Sie auf Speichern und schließen Sie das Fenster nicht.'],
  ])('leaves words out instead of taking %s', async (_what, answer) => {
    expect(await rewriteText(rewriterOf(answer).rewriter, { text: SAID }, patient())).toBe(CLEANED)
    expect(rewriteFaults()).toHaveLength(1)
    expect(JSON.stringify(rewriteFaults())).not.toContain('blue')
  })

  it.each([new AppError('ai_quota', 'no'), new AppError('ai_busy', 'no'), new Error('broken')])(
    'leaves words out when the model fails',
    async (error) => {
      expect(await rewriteText(rewriterOf(error).rewriter, { text: SAID }, patient())).toBe(CLEANED)
    },
  )

  it('leaves words out when the deadline passes first, also with a model that ignores it', async () => {
    const { rewriter } = rewriterOf(new Promise(() => undefined))
    expect(await rewriteText(rewriter, { text: SAID }, AbortSignal.timeout(20))).toBe(CLEANED)
  })

  it('passes the instruction of a person to the model, and the usual one without it', async () => {
    const { rewriter, tasks } = rewriterOf('Click on the Save button.')
    await rewriteText(rewriter, { text: SAID, instruction: 'Make it short' }, patient())
    await rewriteText(rewriter, { text: SAID, instruction: '' }, patient())
    expect(tasks.map((task) => task.instruction)).toEqual([
      'Make it short',
      'Remove filler and fix grammar without adding information.',
    ])
  })

  it('needs no model', async () => {
    expect(await rewriteText(extractiveTextRewriter, { text: SAID }, patient())).toBe(CLEANED)
    expect(rewriteFaults()).toEqual([])
  })

  it('adds no content word, whatever a model answers', async () => {
    const word = fc.constantFrom('click', 'Save', 'printer', 'paper', 'not', 'the', 'um', 'opens', '7', 'never', 'off')
    const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
    await fc.assert(
      fc.asyncProperty(text, text, async (said, answer) => {
        const given = await rewriteText(rewriterOf(answer).rewriter, { text: said }, patient())
        const known = new Set(stemContentWords(splitWords(said)))
        const words = splitWords(given)
        expect(stemContentWords(words).filter((stem) => !known.has(stem))).toEqual([])
        const numbers = words.filter((each) => /\d/.test(each) && !isContentWord(each))
        expect(numbers.filter((number) => !splitWords(said).includes(number))).toEqual([])
      }),
    )
  })
})
