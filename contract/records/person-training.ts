import { z } from 'zod'
import { DAY_MS } from '../time/day.ts'
import { peopleOf, trainingsOf } from './named-in-record.ts'
import { DoneRule, KnownBy, type RecordBody, type RecordKind, type TrainingRecord } from './training-record.ts'

const Time = z.iso.datetime()
/** How long before its date a training is due; from then on a completion that expires can be renewed. */
export const DUE_DAYS = 14
const VersionName = z.object({ hash: z.string(), number: z.number().int() })

/** One assignment that asks a person for a training. */
const Request = z.object({
  assignment: z.string(),
  rule: DoneRule,
  assignedAt: Time,
  dueAt: Time.nullable(),
  everyMonths: z.number().int().nullable(),
  since: Time.optional(),
})

/** A part of the rule that was met. `seq` is the number of its record. */
const Met = z.object({ seq: z.number().int(), time: Time, version: VersionName })
type Met = z.infer<typeof Met>
type Request = z.infer<typeof Request>

/**
 * What is known of one person and one training. It is made of the records alone, in their order, and can be made again
 * from them. What a later release knows besides is left out, so that this one still works after a rollback.
 */
export const PersonTraining = z.object({
  personId: z.string(),
  moduleId: z.string(),
  /** The open assignments; none where it is not assigned any more. */
  requests: z.array(Request),
  startedAt: Time.nullable(),
  /** The last time that each part of the rule was met, for all that was asked for then. */
  reached: Met.nullable(),
  confirmed: Met.nullable(),
  signedOff: Met.nullable(),
  /** When the rule was met last, with the version of then, and what it asked for; null while it never was. */
  done: Met.extend({ rule: DoneRule }).nullable(),
  /** How it was known who did it. Nothing reads it, but rows without it could not be read after a rollback. */
  knownBy: KnownBy.nullable(),
  /** Steps that a supervisor wants shown again. */
  refusedSteps: z.array(z.string()),
  /** Since when it has to be shown again, until it is done; null where nothing was refused since. */
  refusedAt: Time.nullable(),
  /** What a newer version asks of a person who has done an earlier one: these steps, or with null all of it. */
  retraining: z.object({ version: VersionName, steps: z.array(z.string()).nullable(), askedAt: Time }).nullable(),
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
    refusedAt: null,
    retraining: null,
  }
}

/** Names the people and trainings that a record is about. A correction is about those of the record that it names. */
export function subjectsOf({ body }: TrainingRecord): { personId: string; moduleId: string }[] {
  const trainings = trainingsOf(body)
  return peopleOf(body).flatMap(({ id }) => trainings.map((training) => ({ personId: id, moduleId: training.id })))
}

/** Adds a record to what is known of a person and a training that it is about. */
export function applyRecord(known: PersonTraining, record: TrainingRecord): PersonTraining {
  const { body, time } = record
  switch (body.kind) {
    case 'assigned': {
      const { assignment, rule, dueAt, everyMonths, since } = body
      const others = known.requests.filter((request) => request.assignment !== assignment)
      const request = { assignment, rule, assignedAt: time, dueAt, everyMonths, ...(since !== undefined && { since }) }
      return settle(beginAnew({ ...known, requests: [...others, request] }), time)
    }
    case 'unassigned': {
      const requests = known.requests.filter(({ assignment }) => assignment !== body.assignment)
      return settle({ ...known, requests }, time)
    }
    case 'started':
      return { ...known, startedAt: known.startedAt ?? time }
    case 'retraining':
      return { ...known, retraining: askAgain(known, body, time) }
    case 'refused': {
      if (isOutdated(known.signedOff, body)) return known
      const refusedSteps = body.steps.map(({ id }) => id)
      return { ...known, signedOff: null, knownBy: body.knownBy, refusedSteps, refusedAt: known.refusedAt ?? time }
    }
    case 'reached':
    case 'confirmed':
    case 'signed_off':
      return settle(meetPart(known, body, record), time)
    default:
      return known
  }
}

/** Opened long before all that is still to be done was assigned, it is not begun. */
function beginAnew(known: PersonTraining): PersonTraining {
  const fromMs = openFrom(known)
  const isBefore = known.startedAt !== null && fromMs !== null && Date.parse(known.startedAt) < fromMs
  return isBefore ? { ...known, startedAt: null } : known
}

type BodyOf<Kind extends RecordKind> = Extract<RecordBody, { kind: Kind }>

/** A record of a version names all that is asked for from then on, what was asked for before and is still there included. */
function askAgain(
  known: PersonTraining,
  { training, retraining, steps }: BodyOf<'retraining'>,
  time: string,
): PersonTraining['retraining'] {
  // Somebody may have done the new version before it was recorded who is to do it.
  if (retraining === 'none' || (known.done?.version.number ?? 0) >= training.number) return known.retraining
  if (retraining === 'changed' && steps.length === 0) return null
  const version = { hash: training.version, number: training.number }
  return { version, steps: retraining === 'all' ? null : steps, askedAt: time }
}

const PART_OF = { reached: 'reached', confirmed: 'confirmed', signed_off: 'signedOff' } as const

/** What arrives late from an earlier version takes the place of nothing. */
function isOutdated(met: Met | null, { training }: BodyOf<'refused' | keyof typeof PART_OF>): boolean {
  return met !== null && met.version.number > training.number
}

function meetPart(known: PersonTraining, body: BodyOf<keyof typeof PART_OF>, record: TrainingRecord): PersonTraining {
  const part = PART_OF[body.kind]
  if (isOutdated(known[part], body)) return known
  const version = { hash: body.training.version, number: body.training.number }
  const refusedSteps = part === 'signedOff' ? [] : known.refusedSteps
  return { ...known, [part]: { seq: record.seq, time: record.time, version }, refusedSteps, knownBy: body.knownBy }
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

/** What all open assignments ask for together; nothing where none is open. */
export function ruleOf({ requests }: Pick<PersonTraining, 'requests'>): DoneRule {
  const asks = (part: keyof DoneRule) => requests.some(({ rule }) => rule[part])
  return { reached: asks('reached'), confirmed: asks('confirmed'), signedOff: asks('signedOff') }
}

const PARTS = ['reached', 'confirmed', 'signedOff'] as const
type Part = (typeof PARTS)[number]

/** From when on what is done counts for an assignment. */
const sinceMs = ({ since }: Request) => (since === undefined ? Number.NEGATIVE_INFINITY : Date.parse(since))

/** Whether what was done counts for an assignment: it asks for no more, and was not made later. */
export function isDoneFor({ done }: Pick<PersonTraining, 'done'>, request: Request): boolean {
  return done !== null && isCovered(request.rule, done.rule) && Date.parse(done.time) >= sinceMs(request)
}

/** Whether what was done once counts for all that is asked for, whatever has come after it. */
export function isDone(known: PersonTraining): boolean {
  return known.done !== null && known.requests.every((request) => isDoneFor(known, request))
}

/** From when on something counts of what is open; null where all of it was done once. */
export function openFrom(known: PersonTraining): number | null {
  const open = known.requests.filter((request) => !isDoneFor(known, request))
  return open.length === 0 ? null : Math.min(...open.map(sinceMs))
}

/** Whether a part of the rule that was met counts for each of some assignments that asks for it. */
export function isPartOf(known: PersonTraining, part: Part, requests: readonly Request[] = known.requests): boolean {
  const met = known[part]
  const asking = requests.filter(({ rule }) => rule[part])
  return met !== null && asking.every((request) => Date.parse(met.time) >= sinceMs(request))
}

/** Whether one rule asks for nothing that another does not ask for. */
export function isCovered(rule: DoneRule, by: DoneRule): boolean {
  return PARTS.every((part) => !rule[part] || by[part])
}

/**
 * When what was done has to be done again, by the assignment that asks for it soonest; null for never. What asks for more
 * than was done has nothing that could expire.
 */
export function expiryOf({ done, requests }: Pick<PersonTraining, 'done' | 'requests'>): number | null {
  const months = requests.flatMap((request) => (isDoneFor({ done }, request) ? (request.everyMonths ?? []) : []))
  return done === null || months.length === 0 ? null : addMonths(Date.parse(done.time), Math.min(...months))
}

/** From when on it can be done again before it expires; null where it never expires. */
export function renewableFrom(known: Pick<PersonTraining, 'done' | 'requests'>): number | null {
  const expiresMs = expiryOf(known)
  return expiresMs === null ? null : expiresMs - DUE_DAYS * DAY_MS
}

/** The same day and time of a later month, in UTC, or the last day of a month that is too short. */
export function addMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(day, lastDay))
}

/** Whether all parts of the rule are met for one version, and when the last of them was. */
function settle(known: PersonTraining, time: string): PersonTraining {
  const rule = ruleOf(known)
  const parts = PARTS.filter((part) => rule[part])
  const met = parts.flatMap((part) => (counts(known, part, Date.parse(time)) ? (known[part] ?? []) : []))
  const last = met.toSorted((one, other) => one.seq - other.seq).at(-1)
  const isOneVersion = met.every(({ version }) => version.hash === last?.version.hash)
  if (!last || met.length < parts.length || !isOneVersion || known.refusedSteps.length > 0) return known
  const { retraining } = known
  const isRetrained = retraining !== null && retraining.version.number <= last.version.number
  return { ...known, done: { ...last, rule }, refusedAt: null, retraining: isRetrained ? null : retraining }
}

/**
 * Whether a part counts for a completion after the last one. Doing it again means all of it again, but for what is shown
 * again after a refusal or was assigned since; and once it has expired, nothing counts from before it was due.
 */
function counts(known: PersonTraining, part: Part, timeMs: number): boolean {
  const { [part]: met, done, refusedAt } = known
  if (met === null || !isPartOf(known, part)) return false
  if (done === null) return true
  const [fromMs, expiresMs] = [renewableFrom(known), expiryOf(known)]
  if (fromMs !== null && expiresMs !== null && timeMs > expiresMs && Date.parse(met.time) < fromMs) return false
  const isSameAgain = done.version.hash === met.version.hash && isDone(known) && refusedAt === null
  return !isSameAgain || met.seq > done.seq
}
