import { z } from 'zod'
import { DAY_MS } from '../time/day.ts'
import {
  DUE_DAYS,
  expiryOf,
  isDone,
  isDoneFor,
  isPartOf,
  openFrom,
  type PersonTraining,
  renewableFrom,
  ruleOf,
} from './person-training.ts'

/** How a person stands with a training. Where several hold, the first one counts. */
export const TrainingState = z.enum([
  'not_assigned',
  'overdue',
  'refused',
  'expired',
  'due',
  'in_progress',
  'assigned',
  'done_older',
  'done',
])
export type TrainingState = z.infer<typeof TrainingState>

/** What a state depends on besides the records. */
export interface StateNow {
  nowMs: number
  /** Hash of the version that learners see; null while they see a draft. */
  publishedHash: string | null
}

/** Tells how a person stands with a training; null stands for no record of it. */
export function stateOf(known: PersonTraining | null, { nowMs, publishedHash }: StateNow): TrainingState {
  if (known === null || known.requests.length === 0) return 'not_assigned'
  const open = openOf(known, nowMs)
  const nextMs = nextDateOf(known, nowMs)
  const daysLeft = nextMs === null ? Number.POSITIVE_INFINITY : (nextMs - nowMs) / DAY_MS
  if (open !== null && daysLeft < 0) return 'overdue'
  if (known.refusedSteps.length > 0) return 'refused'
  if (isExpired(known, nowMs)) return 'expired'
  if (daysLeft <= DUE_DAYS) return 'due'
  if (open !== null) return hasBegun(known, open.sinceMs) ? 'in_progress' : 'assigned'
  return publishedHash === null || known.done?.version.hash === publishedHash ? 'done' : 'done_older'
}

/** A state and since when it holds, epoch milliseconds; the first one since ever. */
export type StateFrom = readonly [fromMs: number, state: TrainingState]

/**
 * Tells how the state of a person changes with time alone, so that states can be counted without reading records. It
 * takes the version that was done for the one that learners see.
 */
export function timelineOf(known: PersonTraining): StateFrom[] {
  const expiresMs = expiryOf(known)
  const dates = known.requests.flatMap(({ dueAt }) => (dueAt === null ? [] : [Date.parse(dueAt)]))
  const ends = expiresMs === null ? dates : [...dates, expiresMs]
  // A day ends with its last millisecond, and is late with the next one.
  const turns = ends.flatMap((endMs) => [endMs - DUE_DAYS * DAY_MS, endMs + 1]).toSorted((one, other) => one - other)
  const publishedHash = known.done?.version.hash ?? null
  const states = [0, ...turns].map((nowMs) => [nowMs, stateOf(known, { nowMs, publishedHash })] as const)
  return states.filter(([, state], index) => states[index - 1]?.[1] !== state)
}

/** The date that belongs to a state: when it ends, or has ended; null where none is set. Epoch milliseconds. */
export function dateIn(timeline: readonly StateFrom[], nowMs: number): number | null {
  const index = timeline.findLastIndex(([fromMs]) => fromMs <= nowMs)
  const dated = timeline.slice(Math.max(index, 0)).find(([, state]) => state in MS_TO_DATE)
  return dated === undefined ? null : dated[0] + (MS_TO_DATE[dated[1]] ?? 0)
}

/** From the moment at which a state begins to the date that it is about. */
const MS_TO_DATE: Partial<Record<TrainingState, number>> = { due: DUE_DAYS * DAY_MS, overdue: -1, expired: -1 }

/** The date by which something is to be done, or done again; null where there is none. Epoch milliseconds. */
export function nextDateOf(known: PersonTraining, nowMs: number): number | null {
  const open = openOf(known, nowMs)
  const dates = open === null ? [] : known.requests.flatMap((request) => findDate(known, request, open.sinceMs) ?? [])
  const expiresMs = !isExpired(known, nowMs) ? expiryOf(known) : null
  const all = expiresMs === null ? dates : [...dates, expiresMs]
  return all.length === 0 ? null : Math.min(...all)
}

/** Whether a person has met a part of the rule for a version, since it was assigned and as long as it need not be renewed. */
export function isMetFor(
  known: PersonTraining,
  part: 'reached' | 'confirmed' | 'signedOff',
  { hash, nowMs }: { hash: string; nowMs: number },
): boolean {
  const met = known[part]
  if (met === null || met.version.hash !== hash || !isPartOf(known, part)) return false
  const fromMs = renewableFrom(known)
  return fromMs === null || nowMs < fromMs || Date.parse(met.time) >= fromMs
}

/** Names those of the steps of a version that a person has to do: what is asked of them again, or else all of it. */
export function listAskedSteps(known: PersonTraining, steps: readonly string[], nowMs: number): string[] {
  const asked = askedStepsOf(known, nowMs) ?? []
  const again = steps.filter((id) => asked.includes(id))
  return again.length > 0 ? again : [...steps]
}

/** The steps that a person is asked for; null for all of them. */
export function askedStepsOf(known: PersonTraining, nowMs: number): string[] | null {
  const { retraining, refusedSteps } = known
  const fromMs = renewableFrom(known)
  const isRenewed = fromMs !== null && nowMs >= fromMs
  const isFirst = !isDone(known) && !isPartOf(known, 'reached') && (ruleOf(known).reached || refusedSteps.length === 0)
  if (isFirst || isRenewed || retraining?.steps === null) return null
  return [...new Set([...(retraining?.steps ?? []), ...refusedSteps])]
}

function isExpired(known: PersonTraining, nowMs: number): boolean {
  const expiresMs = expiryOf(known)
  return expiresMs !== null && nowMs > expiresMs
}

/** Since when something is to be done, or done again; null where nothing is. */
function openOf(known: PersonTraining, nowMs: number): { sinceMs: number } | null {
  const fromMs = openFrom(known)
  if (fromMs !== null) return { sinceMs: fromMs }
  const asked = [known.retraining?.askedAt, known.refusedAt].flatMap((time) => (time ? Date.parse(time) : []))
  const expiresMs = isExpired(known, nowMs) ? expiryOf(known) : null
  const all = expiresMs === null ? asked : [...asked, expiresMs]
  return all.length === 0 ? null : { sinceMs: Math.min(...all) }
}

/** The date of an assignment, where it is still open: what was done before it was asked for again is not late. */
function findDate(known: PersonTraining, request: PersonTraining['requests'][number], sinceMs: number): number | null {
  if (request.dueAt === null) return null
  const dueMs = Date.parse(request.dueAt)
  const isFirst = !isDone(known)
  const isOpen = isFirst ? !isDoneFor(known, request) && !isMet(known, request) : dueMs > sinceMs
  return isOpen ? dueMs : null
}

/** Whether one assignment of several has all that it asks for. */
function isMet(known: PersonTraining, request: PersonTraining['requests'][number]): boolean {
  const { rule } = request
  const parts = [rule.reached && 'reached', rule.confirmed && 'confirmed', rule.signedOff && 'signedOff'] as const
  const met = parts.flatMap((part) =>
    part === false ? [] : [isPartOf(known, part, [request]) ? known[part]?.version.hash : undefined],
  )
  return known.refusedSteps.length === 0 && !met.includes(undefined) && new Set(met).size === 1
}

function hasBegun({ startedAt, reached, confirmed, signedOff }: PersonTraining, sinceMs: number): boolean {
  const acts = [startedAt, reached?.time, confirmed?.time, signedOff?.time]
  return acts.some((time) => typeof time === 'string' && Date.parse(time) > sinceMs)
}
