import { join } from 'node:path'
import { runnerImport } from 'vite'
import { describe, expect, it } from 'vitest'
import { FailureCode, RUN_MESSAGES } from '#contract/module.ts'
import { PROBLEMS } from '#contract/problem.ts'
import type * as Problems from './say-problem.ts'
import type * as Sentences from './server-sentences.ts'

/** A file of this folder as a build in German has it. */
async function importGerman<Module>(file: string): Promise<Module> {
  const german = join(import.meta.dirname, '../messages/compiled/messages/de.js')
  const config = { configFile: false, resolve: { alias: { '#messages': german } } } as const
  return (await runnerImport<Module>(join(import.meta.dirname, file), config)).module
}

const { sayProblem } = await importGerman<typeof Problems>('say-problem.ts')
const { failureReason, runMessage } = await importGerman<typeof Sentences>('server-sentences.ts')

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
