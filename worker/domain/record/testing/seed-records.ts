import type { RecordBody } from '#contract/records/training-record.ts'

export const ANNA = { id: 'anna', commitment: 'a'.repeat(64) }
export const BOSS = { id: 'boss', commitment: 'b'.repeat(64) }
export const TRAINING = { id: 'forklift', version: 'f'.repeat(64), number: 1 }

/** An assignment of a training that asks for a confirmation. */
export const ASSIGNED: Extract<RecordBody, { kind: 'assigned' }> = {
  kind: 'assigned',
  assignment: 'a1',
  trainings: [TRAINING.id],
  people: [ANNA],
  rule: { reached: false, confirmed: true, signedOff: false },
  dueAt: null,
  everyMonths: null,
  by: BOSS,
}

export const CONFIRMED: Extract<RecordBody, { kind: 'confirmed' }> = {
  kind: 'confirmed',
  person: ANNA,
  knownBy: 'personal_link',
  training: TRAINING,
  deviceTime: null,
  wasOffline: false,
  words: 'I have understood it.',
  language: 'en',
}
