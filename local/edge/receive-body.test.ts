import { describe, expect, it } from 'vitest'
import { answerReceived } from './receive-body.ts'

const PIECE = new Uint8Array(64 * 1024)
const PIECES = 160

/** A body of ten megabytes, larger than any that the product reads, and how many pieces of it were taken. */
function openBody() {
  let taken = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (taken === PIECES) return controller.close()
      taken += 1
      controller.enqueue(PIECE)
    },
  })
  return { body, countTaken: () => taken }
}

function post(body: BodyInit): Request {
  return new Request('http://localhost/api/steps/1?of=2', { method: 'POST', headers: { 'x-own': 'kept' }, body })
}

describe('answerReceived', () => {
  it('hands on the same request, with its whole body', async () => {
    const answered = await answerReceived(post('x'.repeat(100_000)), async (request) => {
      expect(request).toMatchObject({ method: 'POST', url: 'http://localhost/api/steps/1?of=2' })
      expect(request.headers.get('x-own')).toBe('kept')
      return new Response(await request.text())
    })
    expect(await answered.text()).toBe('x'.repeat(100_000))
  })

  it.each<[string, (request: Request) => Promise<void>]>([
    ['without a look at its body', async () => undefined],
    [
      'after the first piece of its body',
      async (request) => {
        for await (const _ of request.body ?? []) break
      },
    ],
  ])('answers a request that is refused %s only once all of it has come', async (_, read) => {
    const { body, countTaken } = openBody()
    const answered = await answerReceived(post(body), async (request) => {
      await read(request)
      return new Response(null, { status: 413 })
    })
    expect(answered.status).toBe(413)
    expect(countTaken()).toBe(PIECES)
  })

  it('answers a request without a body', async () => {
    const answered = await answerReceived(new Request('http://localhost/'), () => new Response('there'))
    expect(await answered.text()).toBe('there')
  })
})
