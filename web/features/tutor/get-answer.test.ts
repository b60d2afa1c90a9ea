import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { BrokenStream, RefusedAnswer, readAnswerStream } from './get-answer.ts'
import { FakeLine, makeMeta } from './testing/fake-tutor.ts'

afterEach(() => vi.useRealTimers())

function streamOf(chunks: readonly Uint8Array[]): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new Uint8Array(chunk))
      controller.close()
    },
  })
}

function read(body: ReadableStream<Uint8Array<ArrayBuffer>>, onText: (text: string) => void = () => {}) {
  return readAnswerStream(body, { onText, signal: new AbortController().signal })
}

/** Cuts at these places, wherever in a line or in a character they are. */
function cutAt(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = [...new Set([0, ...places.map((place) => place % (bytes.length + 1)), bytes.length])].sort(
    (left, right) => left - right,
  )
  return cuts.slice(1).map((to, at) => bytes.slice(cuts[at], to))
}

describe('readAnswerStream', () => {
  test('joins the pieces, wherever the network has split the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary', minLength: 1 }), { maxLength: 8 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        fc.constantFrom('\n', '\r\n'),
        async (pieces, places, newline) => {
          const answer = pieces.join('')
          const values = [...pieces, makeMeta({ answer })]
          const lines = [...values.map((value) => JSON.stringify(value)), '[DONE]'].map((data) => `data: ${data}`)
          const bytes = new TextEncoder().encode(`: hello\n${lines.join(newline + newline)}${newline}${newline}`)
          const texts: string[] = []
          const whole = await read(streamOf(cutAt(bytes, places)), (text) => texts.push(text))
          expect(whole).toEqual(makeMeta({ answer }))
          expect(texts).toEqual(pieces.map((_, at) => pieces.slice(0, at + 1).join('')))
        },
      ),
      { numRuns: 60 },
    )
  })

  test('throws the refusal of the server, also after a part of the answer', async () => {
    const line = new FakeLine()
    const reading = read(line.body)
    line.say('First, ')
    line.refuse()
    await expect(reading).rejects.toThrow(RefusedAnswer)
  })

  test.each([
    ['is cut', (line: FakeLine) => line.cut()],
    ['ends without an end', (line: FakeLine) => line.send('data: [DONE]\n\n')],
  ])('is broken when the line %s', async (_, end) => {
    const line = new FakeLine()
    const reading = read(line.body)
    line.say('First, ')
    end(line)
    await expect(reading).rejects.toThrow(BrokenStream)
  })

  test('keeps a complete answer when the connection is cut after it', async () => {
    const line = new FakeLine()
    const reading = read(line.body)
    line.send(`data: ${JSON.stringify(makeMeta())}\n\n`)
    await vi.waitFor(() => expect(line.body.locked).toBe(true))
    await new Promise((done) => setTimeout(done, 20))
    line.cut()
    expect(await reading).toEqual(makeMeta())
  })

  test('ignores unknown events', async () => {
    const line = new FakeLine()
    const texts: string[] = []
    const reading = read(line.body, (text) => texts.push(text))
    line.send('event: news\ndata: {"something":"newer"}\n\ndata: not json\n\n')
    line.say('Yes.')
    line.finish()
    await reading
    expect(texts).toEqual(['Yes.'])
  })

  test('gives up a stream that is silent for 15 s, unless heartbeats arrive', async () => {
    vi.useFakeTimers()
    const line = new FakeLine()
    let end = ''
    read(line.body).catch((error: Error) => {
      end = error.name
    })
    for (let time = 0; time < 4; time += 1) {
      await vi.advanceTimersByTimeAsync(10_000)
      line.send(': still here\n\n')
    }
    await vi.advanceTimersByTimeAsync(14_000)
    expect(end).toBe('')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(end).toBe('BrokenStream')
  })
})
