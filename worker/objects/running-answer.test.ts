import { describe, expect, it, vi } from 'vitest'
import { ANSWER_BROKEN } from '#contract/tutor.ts'
import type { AnsweredTurn, AnswerListener } from '#worker/domain/tutor/answer-turn.ts'
import { RunningAnswer } from './running-answer.ts'

const ANSWERED: AnsweredTurn = {
  text: 'One. Two.',
  meta: { turnId: 'turn-0001', isCovered: true, citations: [], step: null },
  end: 'complete',
  ms: 7,
}
const META = `data: ${JSON.stringify({ ...ANSWERED.meta, ms: 7, answer: 'One. Two.' })}\n\ndata: [DONE]\n\n`

/** A runner that answers when the test says so. */
function openChunkReporter() {
  const given = Promise.withResolvers<AnsweredTurn>()
  const attached = Promise.withResolvers<AnswerListener>()
  const answer = (listener: AnswerListener) => {
    attached.resolve(listener)
    return given.promise
  }
  return { answer, listener: attached.promise, ...given }
}

const keep = vi.fn(async (_text: string) => undefined)
const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text()

describe('RunningAnswer', () => {
  it('gives every listener the same bytes, whenever it connects', async () => {
    const reporter = openChunkReporter()
    const answer = new RunningAnswer(reporter.answer, keep)
    const early = textOf(answer.listen())
    const listener = await reporter.listener
    await listener.publish('One.')
    const later = textOf(answer.listen())
    await listener.publish(' Two.')
    reporter.resolve(ANSWERED)
    expect(await answer.ended).toEqual(ANSWERED)
    for (const text of [early, later, textOf(answer.listen())]) {
      expect(await text).toBe(`data: "One."\n\ndata: " Two."\n\n${META}`)
    }
    expect(keep).not.toHaveBeenCalled()
  })

  it('passes heartbeats on, but keeps none', async () => {
    const reporter = openChunkReporter()
    const answer = new RunningAnswer(reporter.answer, keep)
    const early = textOf(answer.listen())
    await (await reporter.listener).publish('')
    reporter.resolve(ANSWERED)
    expect(await early).toBe(`data: ""\n\n${META}`)
    expect(await textOf(answer.listen())).toBe(META)
  })

  it('stores the text of a dead invocation, once, and marks it as broken', { tags: 'fault-28' }, async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const reporter = openChunkReporter()
    const answer = new RunningAnswer(reporter.answer, keep)
    const received = textOf(answer.listen())
    await (await reporter.listener).publish('One.')
    reporter.reject(new Error('The script will never generate a response'))
    expect(await answer.ended).toBeNull()
    expect(keep.mock.calls).toEqual([['One.']])
    expect(await received).toBe(`data: "One."\n\ndata: ${JSON.stringify(ANSWER_BROKEN)}\n\ndata: [DONE]\n\n`)
    warn.mockRestore()
  })

  it('answers the open untilHalted call when it has ended, so that the call leaves no memory behind', async () => {
    const reporter = openChunkReporter()
    const answer = new RunningAnswer(reporter.answer, keep)
    const halted = (await reporter.listener).untilHalted()
    reporter.resolve(ANSWERED)
    await answer.ended
    expect(await halted).toBeNull()
  })

  it('is halted as late when the deadline of a waiting caller passes', async () => {
    const reporter = openChunkReporter()
    const answer = new RunningAnswer(reporter.answer, keep)
    const waiting = answer.waitFor(10)
    expect(await (await reporter.listener).untilHalted()).toBe('late')
    reporter.resolve(ANSWERED)
    expect(await waiting).toEqual(ANSWERED)
  })
})
