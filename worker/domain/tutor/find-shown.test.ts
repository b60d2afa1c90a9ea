import { describe, expect, it } from 'vitest'
import type { ScreenBlock, ScreenKind } from '#contract/screen.ts'
import { makeScreen } from './answer-screen.ts'
import { openIndex } from './open-index.ts'
import { planAnswer } from './plan-answer.ts'
import { sayAll } from './testing/narration.ts'

/** What a screencast says, six seconds a sentence. */
const SAID = [
  'Today we connect the mail program to our own mailbox.',
  'The port has to be changed as well, as you see here.',
  'We also choose how the connection is protected.',
  'Then we install the program with the package manager.',
  'Now everybody waits until all of that is there.',
  'To change how you sign in, type the exact words.',
]

function block(text: string, x: number, y: number, startS: number, kind: ScreenKind = 'label'): ScreenBlock {
  const box = { x, y, width: 0.15, height: 0.03 }
  return { text, startMs: startS * 1_000, endMs: 60_000, box, kind, confidence: 0.9 }
}

const BLOCKS = [
  block('Port:', 0.1, 0.1, 6),
  block('993', 0.4, 0.1, 8),
  block('Connection security: SSL/TLS', 0.1, 0.2, 12),
  block('apt install mutt', 0.4, 0.5, 18, 'command'),
  block('Setting up mutt (2.2.9)', 0.1, 0.54, 19, 'other'),
  block('Exit status:', 0.1, 0.7, 20),
  block('2 if serious trouble', 0.1, 0.74, 20, 'other'),
]

const index = openIndex({ segments: sayAll(SAID), steps: [], screen: makeScreen(BLOCKS) })
const silent = openIndex({ segments: sayAll(SAID), steps: [] })
const firstOf = (question: string) => planAnswer(index, { question }).whole.text.split('\n\n').slice(0, 2)

describe('findShown', () => {
  it('quotes a value with its label', () => {
    expect(firstOf('Which port do I need?')[0]).toBe('“Port: 993” (on screen at 0:08)')
  })

  it('quotes the screen first where it has as much of the question as what is said', () => {
    expect(firstOf('What do I choose for connection security?')[0]).toContain('“Connection security: SSL/TLS”')
  })

  it('quotes the output of the command that is named, below it', () => {
    expect(firstOf('What is the output of apt install mutt?')).toEqual([
      '“apt install mutt” (on screen at 0:18)',
      '“Setting up mutt (2.2.9)” (on screen at 0:19)',
    ])
  })

  it('knows a version by how it is written', () => {
    expect(firstOf('Which version of mutt was set up?').join('')).toContain('(2.2.9)')
  })

  it('quotes a line with its heading, but none for another number', () => {
    expect(firstOf('What does exit status 2 mean?').join(' ')).toContain('2 if serious trouble')
    expect(planAnswer(index, { question: 'What does exit status 3 mean?' }).whole.isCovered).toBe(false)
  })
})

describe('a question for something exact that is neither said nor shown', () => {
  it('is refused, where the video has text on its screen', () => {
    const question = 'What exactly do I type to change my password?'
    expect(planAnswer(silent, { question }).whole.isCovered).toBe(true)
    expect(planAnswer(index, { question }).whole.isCovered).toBe(false)
  })

  it('gets digits for digits', () => {
    const question = 'Which version of the mail program do we connect?'
    expect(planAnswer(silent, { question }).whole.isCovered).toBe(true)
    expect(planAnswer(index, { question }).whole.isCovered).toBe(false)
  })
})
