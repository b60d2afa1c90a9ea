import { z } from 'zod'
import { DoneRule, KnownBy, type TrainingRecord } from './training-record.ts'

const Time = z.iso.datetime()
const VersionName = z.strictObject({ hash: z.string(), number: z.number().int() })

/** One assignment that asks a person for a training. */
const Request = z.strictObject({
  assignment: z.string(),
  rule: DoneRule,
  assignedAt: Time,
  dueAt: Time.nullable(),
  everyMonths: z.number().int().nullable(),
})

/** A part of the rule that was met. `seq` is the number of its record. */
const Met = z.strictObject({ seq: z.number().int(), time: Time, version: VersionName })

/**
 * What is known of one person and one training. It is made of the records alone, in their order, and can be made again
 * from them.
 */
export const PersonTraining = z.strictObject({
  personId: z.string(),
  moduleId: z.string(),
  /** The open assignments; none where it is not assigned any more. */
  requests: z.array(Request),
  startedAt: Time.nullable(),
  /** The last time that each part of the rule was met, for all that was asked for then. */
  reached: Met.nullable(),
  confirmed: Met.nullable(),
  signedOff: Met.nullable(),
  /** When the rule was met last, with the version of then; null while it never was. */
  done: Met.nullable(),
  /** How it was known who did it. */
  knownBy: KnownBy.nullable(),
  /** Steps that a supervisor wants shown again. */
  refusedSteps: z.array(z.string()),
  /**
   * What a newer version asks of a person who has done an earlier one: these steps, or with null all of it. Left out
   * where it asks for nothing.
   */
  retraining: z.strictObject({ version: VersionName, steps: z.array(z.string()).nullable() }).optional(),
})
export type PersonTraining = z.infer<typeof PersonTraining>

/** The person and training before the first record. */
export function newPersonTraining(personId: string, moduleId: string): PersonTraining {
  return {
    personId,
    moduleId,
    requests: [],
    startedAt: null,
    reached: null,
    confirmed: null,
    signedOff: null,
    done: null,
    knownBy: null,
    refusedSteps: [],
  }
}

/** Names the people and trainings that a record is about. A correction is about those of the record that it names. */
export function subjectsOf({ body }: TrainingRecord): { personId: string; moduleId: string }[] {
  switch (body.kind) {
    case 'assigned':
    case 'unassigned':
      return body.people.flatMap(({ id }) => body.trainings.map((moduleId) => ({ personId: id, moduleId })))
    case 'retraining':
      return body.people.map(({ id }) => ({ personId: id, moduleId: body.training.id }))
    case 'corrected':
    case 'erased':
    case 'kept':
      return []
    default:
      return [{ personId: body.person.id, moduleId: body.training.id }]
  }
}

/** Adds a record to what is known of a person and a training that it is about. */
export function applyRecord(known: PersonTraining, record: TrainingRecord): PersonTraining {
  const { body, time } = record
  switch (body.kind) {
    case 'assigned': {
      const { assignment, rule, dueAt, everyMonths } = body
      const others = known.requests.filter((request) => request.assignment !== assignment)
      return { ...known, requests: [...others, { assignment, rule, assignedAt: time, dueAt, everyMonths }] }
    }
    case 'unassigned':
      return { ...known, requests: known.requests.filter(({ assignment }) => assignment !== body.assignment) }
    case 'started':
      return { ...known, startedAt: known.startedAt ?? time }
    case 'retraining': {
      const { number, version: hash } = body.training
      const steps = body.retraining === 'all' ? null : body.steps
      // Steps of an earlier version that were not shown yet stay asked for.
      const before = known.retraining?.steps
      const asked = steps === null || before === null ? null : [...new Set([...(before ?? []), ...steps])]
      const isNothing = body.retraining === 'none'
      return isNothing ? known : { ...known, retraining: { version: { hash, number }, steps: asked } }
    }
    case 'refused':
      return { ...known, signedOff: null, knownBy: body.knownBy, refusedSteps: body.steps.map(({ id }) => id) }
    case 'reached':
    case 'confirmed':
    case 'signed_off': {
      const { number, version: hash } = body.training
      const met = { seq: record.seq, time, version: { hash, number } }
      const part = ({ reached: 'reached', confirmed: 'confirmed', signed_off: 'signedOff' } as const)[body.kind]
      const refusedSteps = body.kind === 'signed_off' ? [] : known.refusedSteps
      return settle({ ...known, [part]: met, refusedSteps, knownBy: body.knownBy }, met)
    }
    default:
      return known
  }
}

/**
 * Makes what is known of a person and a training from the records about them, in order; corrected ones do not count.
 * @param base what earlier records said, which are removed or will be
 */
export function foldRecords(
  { personId, moduleId }: { personId: string; moduleId: string },
  records: readonly TrainingRecord[],
  base: PersonTraining = newPersonTraining(personId, moduleId),
): PersonTraining {
  return listValid(records).reduce(applyRecord, base)
}

/** Lists the records that no later one of them corrects. */
export function listValid(records: readonly TrainingRecord[]): TrainingRecord[] {
  const corrected = new Set<number>()
  // From the end: a correction that was itself corrected takes nothing back.
  for (const { seq, body } of records.toReversed()) {
    if (body.kind === 'corrected' && !corrected.has(seq)) corrected.add(body.of.seq)
  }
  return records.filter(({ seq }) => !corrected.has(seq))
}

type MetPart = NonNullable<PersonTraining['done']>

/** What all open assignments ask for together; nothing where none is open. */
export function ruleOf({ requests }: Pick<PersonTraining, 'requests'>): DoneRule {
  const asks = (part: keyof DoneRule) => requests.some(({ rule }) => rule[part])
  return { reached: asks('reached'), confirmed: asks('confirmed'), signedOff: asks('signedOff') }
}

/** Whether the last part that was met makes the whole rule met for its version. */
function settle(known: PersonTraining, met: MetPart): PersonTraining {
  const rule = ruleOf(known)
  const parts = [rule.reached && 'reached', rule.confirmed && 'confirmed', rule.signedOff && 'signedOff'] as const
  const asked = parts.filter((part) => part !== false)
  const isMet = asked.every((part) => known[part]?.version.hash === met.version.hash)
  if (asked.length === 0 || !isMet || known.refusedSteps.length > 0) return known
  const { retraining, ...rest } = known
  const isRetrained = retraining === undefined || retraining.version.number <= met.version.number
  return isRetrained ? { ...rest, done: met } : { ...known, done: met }
}
