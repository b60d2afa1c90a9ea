import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'

const ASKED = { route: 'POST /api/upload/:moduleId/part-urls', method: 'POST' }
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function answerOf(text: string, status = 200) {
  return { status, headers: new Headers({ 'content-type': 'text/plain' }), text, tookMs: 1 }
}

describe('the judge of the fuzzer', () => {
  it('takes no letters of a random id for a word of the database', () => {
    const id = `${'a'.repeat(60)}-D1_ERROR${'Z'.repeat(60)}7`
    expect(judge(ASKED, answerOf(`{"url":"http://x/y?partNumber=1&uploadId=${id}&X-Amz-Expires=900"}`))).toEqual([])
    const letters = fc.array(fc.constantFrom(...LETTERS.split(''), '-D1_', '-SQLITE_'), {
      minLength: 20,
      maxLength: 200,
    })
    fc.assert(
      fc.property(letters, (all) => {
        expect(judge(ASKED, answerOf(`{"url":"http://x/y?uploadId=aA1${all.join('')}"}`))).toEqual([])
      }),
    )
  })

  it.each([
    'D1_ERROR: no such table: steps',
    '{"detail":"D1_TYPE_ERROR: Type undefined is not supported"}',
    'failed: SQLITE_CONSTRAINT_FOREIGNKEY',
    'FOREIGN KEY constraint failed',
    'TypeError: x is not a function',
    'at save (worker:12:3)',
  ])('finds what is inside in %s', (text) => {
    expect(judge(ASKED, answerOf(text))).toEqual([expect.stringMatching(/^exposes internals/)])
  })

  it('calls a connection that ended without an answer a fault', () => {
    expect(judge(ASKED, answerOf('ECONNRESET', 0))).toEqual(['gave no answer: ECONNRESET'])
  })
})
