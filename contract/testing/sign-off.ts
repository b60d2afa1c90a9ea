import type { SignOffAnswer } from '../records/sign-off.ts'
import { makeStep } from './examples.ts'

/** What a supervisor sees of a person who has to be shown two steps, and for whom nothing was signed yet. */
export const SIGN_OFF: SignOffAnswer = {
  success: true,
  person: { id: 'bob', name: 'Bob', number: null },
  title: 'Fire drill',
  version: { hash: 'a'.repeat(64), number: 1 },
  seq: 4,
  steps: [makeStep('s1', 0), makeStep('s2', 10)],
  asked: ['s1', 's2'],
  rule: { reached: true, confirmed: false, signedOff: true },
  known: { reached: null, confirmed: null, signedOff: null, refusedSteps: [] },
  notes: {},
  isMe: false,
}
