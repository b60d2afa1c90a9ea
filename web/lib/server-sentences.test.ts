import { describe, expect, it, vi } from 'vitest'
import { FailureCode, RUN_MESSAGES } from '#contract/module.ts'
import { PROBLEMS } from '#contract/problem.ts'
import { sayProblem } from './say-problem.ts'
import { failureReason, runMessage } from './server-sentences.ts'

vi.mock('#messages', () => vi.importActual('#web/messages/compiled/messages/de.js'))

describe('a page in German', () => {
  it.each(Object.values(RUN_MESSAGES))('has words of its own for “%s”', (message) => {
    expect(runMessage(message)).not.toBe(message)
  })

  it('keeps the numbers of what is listened to, and what it does not know', () => {
    expect(runMessage('Listening to the narration (3 of 7 chunks)')).toBe('Gesprochenes wird angehört (3 von 7)')
    expect(runMessage('Reading the lips')).toBe('Reading the lips')
  })

  it.each(FailureCode.options)('has words of its own for the failure %s', (failureCode) => {
    expect(failureReason({ lastError: 'It failed.', failureCode })).not.toBe('It failed.')
  })

  it.each(Object.keys(PROBLEMS))('has words of its own for the problem %s', (code) => {
    expect(sayProblem({ code, detail: 'It failed.' })).not.toBe('It failed.')
  })

  it('takes the words of the server where it names no failure', () => {
    expect(failureReason({ lastError: 'It failed.', failureCode: null })).toBe('It failed.')
  })
})
