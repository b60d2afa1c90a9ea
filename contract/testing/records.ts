import { NO_RECORD, type RecordBody, type TrainingRecord } from '../records/training-record.ts'

/** Makes the list of an organization of bodies with their times; what follows from texts (hashes) is left out. */
export function listRecords(bodies: readonly (readonly [time: string, body: RecordBody])[]): TrainingRecord[] {
  return bodies.map(([time, body], index) => {
    return { format: 'adapt-record-1', organization: 'org', seq: index + 1, previous: NO_RECORD, time, body }
  })
}

const DIGEST = '0'.repeat(64)
export const PERSON = { id: 'anna', commitment: DIGEST }
export const SUBJECT = { personId: PERSON.id, moduleId: 'forklift' }

/** The hash of a version, by its number. */
export function hashOf(number: number): string {
  return String(number).repeat(64).slice(0, 64)
}

const trainingOf = (number: number) => ({ id: SUBJECT.moduleId, version: hashOf(number), number })
const actOf = (number: number) => {
  return {
    person: PERSON,
    knownBy: 'personal_link',
    training: trainingOf(number),
    deviceTime: null,
    wasOffline: false,
  } as const
}
const SUPERVISOR = { supervisor: { id: 'boss', commitment: DIGEST }, meaning: 'It was shown to me.' }
const BY = { id: 'boss', commitment: DIGEST }
const REACHED_ONLY = { reached: true, confirmed: false, signedOff: false }

/** A body of {@link body} about another person or training. */
export function about<Body extends RecordBody>(
  of: Body,
  { personId, moduleId }: { personId: string; moduleId: string },
): Body {
  const person = { ...PERSON, id: personId }
  return {
    ...of,
    ...('person' in of && { person }),
    ...('people' in of && { people: [person] }),
    ...('training' in of && { training: { ...of.training, id: moduleId } }),
    ...('trainings' in of && { trainings: [moduleId] }),
  }
}

/** Bodies of records about one person and one training. */
export const body = {
  assigned: ({
    assignment = 'a1',
    rule = {},
    dueAt = null,
    everyMonths = null,
    since,
  }: Partial<{
    assignment: string
    rule: Partial<typeof REACHED_ONLY>
    dueAt: string | null
    everyMonths: number | null
    since: string
  }> = {}): RecordBody => ({
    kind: 'assigned',
    assignment,
    trainings: [SUBJECT.moduleId],
    people: [PERSON],
    rule: { ...REACHED_ONLY, ...rule },
    dueAt,
    everyMonths,
    ...(since !== undefined && { since }),
    by: BY,
  }),
  unassigned: (assignment = 'a1'): RecordBody => {
    return { kind: 'unassigned', assignment, trainings: [SUBJECT.moduleId], people: [PERSON], by: BY }
  },
  started: (number = 1): RecordBody => ({ kind: 'started', ...actOf(number) }),
  reached: (number = 1): RecordBody => ({ kind: 'reached', ...actOf(number), seconds: [], attempts: 1 }),
  confirmed: (number = 1): RecordBody => {
    return { kind: 'confirmed', ...actOf(number), words: 'I have understood it.', language: 'en' }
  },
  signedOff: (number = 1): RecordBody => ({ kind: 'signed_off', ...actOf(number), ...SUPERVISOR, steps: [] }),
  refused: (steps: readonly string[], number = 1): RecordBody => {
    const judged = steps.map((id) => ({ id, note: '' }))
    return { kind: 'refused', ...actOf(number), ...SUPERVISOR, steps: judged }
  },
  retraining: (number: number, steps: readonly string[] | null): RecordBody => ({
    kind: 'retraining',
    training: trainingOf(number),
    retraining: steps === null ? 'all' : 'changed',
    steps: [...(steps ?? [])],
    people: [PERSON],
  }),
  corrected: (seq: number): RecordBody => {
    return { kind: 'corrected', of: { seq, hash: DIGEST }, reason: 'It was somebody else.', by: BY }
  },
}
