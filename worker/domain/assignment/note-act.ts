import type { InterfaceLanguage } from '#contract/languages.ts'
import type { PersonTraining } from '#contract/records/person-training.ts'
import type { KnownBy, RecordBody } from '#contract/records/training-record.ts'
import { isMetFor, listAskedSteps } from '#contract/records/training-state.ts'
import { judgeStep } from '#contract/step-progress.ts'
import { intersect, lengthOf, subtract, type TimeRanges } from '#contract/time/time-ranges.ts'
import type { Context } from '#worker/core/context.ts'
import { AppError } from '#worker/core/errors.ts'
import { personLearnerId, roundOf, type SessionToken } from '#worker/domain/learning/learner-token.ts'
import { type AssignedTraining, PERSON_TOKEN_TTL_MS, type PersonId } from '#worker/domain/module/assigned-access.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { readKnown } from '#worker/domain/record/record-store.ts'
import { askLate } from '#worker/domain/retraining/ask-again.ts'
import { hasUnasked } from '#worker/domain/retraining/retraining-store.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { readTimeline } from '#worker/domain/version/timeline.ts'
import {
  findVersion,
  findVersionByHash,
  type StoredVersion,
  type VersionRow,
} from '#worker/domain/version/version-store.ts'
import { confirmationWords } from './confirmation-words.ts'

/** Who did it, what it was about, and what the device says. */
export interface Act extends Pick<AssignedTraining, 'module' | 'known' | 'commitment'> {
  person: PersonId
  knownBy: KnownBy
  wasOffline: boolean
  /** When it was done, by the clock of the device; epoch milliseconds, left out where it sent none. */
  deviceTimeMs?: number | undefined
}

/** The longest that a device stays that of a person without a network, and so that something waits there. */
const KEPT_MS = PERSON_TOKEN_TTL_MS.personal_link

/**
 * The clock of a device may say anything, and so may whoever has it in hand; nothing was done before the person was asked
 * for it, or what they confirm was published, nor longer ago than a device keeps it.
 */
function earliestOf({ known }: Act, { version, nowMs }: { version: VersionRow; nowMs: number }): number {
  const askedMs = Math.min(...known.requests.map(({ assignedAt }) => Date.parse(assignedAt)))
  return Math.max(askedMs, version.publishedAt, nowMs - KEPT_MS)
}

/** Places what a device says of a time between two that are known. */
export function placeTime(timeMs: number | undefined, fromMs: number, untilMs: number): number | undefined {
  return timeMs === undefined ? undefined : Math.min(Math.max(timeMs, fromMs), untilMs)
}

type ActContext = Pick<Context, 'db' | 'd1' | 'bucket' | 'nowMs'>

/** The version that the person sees; null while learners see the draft, of which there are no records. */
async function findShown(
  { db }: ActContext,
  { module }: Act,
  number: number | null = module.publishedVersion,
): Promise<StoredVersion | null> {
  return number === null ? null : findVersion(db, { moduleId: module.id, number })
}

function describeAct(
  { person, knownBy, module, commitment, wasOffline, deviceTimeMs }: Act,
  { hash, number }: VersionRow,
) {
  return {
    person: { id: person.personId, commitment },
    knownBy,
    training: { id: module.id, version: hash, number },
    deviceTime: toIso(deviceTimeMs ?? null),
    wasOffline,
  }
}

/** Appends a record about one person and training where what is known then does not say it yet. */
async function recordOnce(
  context: ActContext,
  { person, module }: Act,
  { body, isSaid, follow }: ToRecord,
): Promise<void> {
  await appendRecords(context, person.orgId, {
    bodies: async () => {
      const [known] = await readKnown(context.d1, person.orgId, [{ personId: person.personId, moduleId: module.id }])
      if (known === undefined || known.requests.length === 0 || isSaid(known)) return []
      return [body, ...((await follow?.(known)) ?? [])]
    },
  })
}

interface ToRecord {
  body: RecordBody
  isSaid: (known: PersonTraining) => boolean
  /** Lists the records that follow from it. */
  follow?: (known: PersonTraining) => Promise<RecordBody[]> | RecordBody[]
}

/**
 * Records that a person has opened what is assigned to them, the first time.
 * @param number of the version that they see; undefined for a draft
 */
export async function noteStarted(context: ActContext, act: Act, number: number | undefined): Promise<void> {
  if (act.known.startedAt !== null || number === undefined) return
  const version = await findShown(context, act, number)
  if (version === null) return
  const body = { kind: 'started', ...describeAct(act, version) } as const
  await recordOnce(context, act, { body, isSaid: ({ startedAt }) => startedAt !== null })
}

/**
 * Records that a person has reached every step that is asked for: all of them, or those that a newer version has changed. A
 * step is reached when nine tenths of its seconds were played. It counts for the version that the page has shown, and for
 * nothing that was asked for since.
 * @param seen whole seconds of the video that were played, and no faster than that is possible: a record is proof
 */
export async function noteReached(
  context: ActContext,
  act: Act,
  {
    session,
    seen,
    countOpenings,
  }: {
    session: Pick<SessionToken, 'learnerId' | 'version'>
    seen: TimeRanges
    countOpenings: () => Promise<number>
  },
): Promise<void> {
  if (session.version === undefined) return
  const version = await findShown(context, act, session.version)
  if (version === null) return
  const at = { version, nowMs: context.nowMs() }
  if (isMetSince(act.known, 'reached', at)) return
  const { name: timeline, steps, cuts } = await readTimeline(context, version)
  const shown = { number: version.number, timeline }
  const isAskedAnew = (known: PersonTraining) =>
    roundOf(session.learnerId) !== roundOf(personLearnerId(act.person, known, { nowMs: at.nowMs, shown }))
  if (isAskedAnew(act.known) || (await isYetToAsk(context.d1, act.known, version))) return
  const ids = steps.map(({ id }) => id)
  const asked = listAskedSteps(act.known, ids, at.nowMs)
  const asksFor = steps.filter(({ id }) => asked.includes(id))
  const isReached = (step: (typeof steps)[number]) => judgeStep(step, { once: seen, again: [] }, cuts).isFinished
  if (!asksFor.every(isReached)) return
  const seconds = asksFor.map((step) => ({ step: step.id, seconds: countSeconds(step, seen, cuts) }))
  const attempts = Math.max(1, await countOpenings())
  const body = { kind: 'reached', ...describeAct(act, version), seconds, attempts } as const
  const isSaid = (known: PersonTraining) => isAskedAnew(known) || isMetSince(known, 'reached', at)
  await recordOnce(context, act, { body, isSaid, follow: (known) => askLater(context, { ...act, known }, version) })
}

/** Lists what later versions ask of a person who has done this one. */
async function askLater(context: ActContext, act: Act, version: VersionRow): Promise<RecordBody[]> {
  const { module, person, commitment, known } = act
  return version.number === module.publishedVersion
    ? []
    : askLate(context, version, { id: person.personId, commitment, known })
}

/** Whether somebody has done a part for this version, or a later one, and need not do so again. */
function isMetSince(
  known: PersonTraining,
  part: 'reached' | 'confirmed',
  { version: { hash, number }, nowMs }: { version: VersionRow; nowMs: number },
): boolean {
  return isMetFor(known, part, { hash, nowMs }) || (known[part]?.version.number ?? 0) > number
}

/** Whether it is not recorded yet who is to be trained again because of this version, where that may be this person. */
async function isYetToAsk(d1: D1Database, known: PersonTraining, version: VersionRow): Promise<boolean> {
  const numberOf = (part: 'done' | 'reached' | 'retraining') => known[part]?.version.number ?? 0
  const trained = Math.max(numberOf('done'), numberOf('reached'))
  return trained > 0 && hasUnasked(d1, version, Math.max(trained, numberOf('retraining')))
}

function countSeconds({ start, end }: { start: number; end: number }, seen: TimeRanges, cuts: TimeRanges): number {
  const from = Math.floor(start)
  const span = subtract([[from, Math.max(from + 1, Math.round(end))]], cuts)
  return lengthOf(intersect(span, seen))
}

/**
 * Records that a person confirms a training, with the words that they were shown.
 * @param version hash of what they were shown
 * @throws {AppError} version_conflict where learners see another one by now, unless it was without a network;
 *   steps_not_ready where the rule asks for all steps first and they were not reached, or while there is no version
 */
export async function noteConfirmed(
  context: ActContext,
  act: Act,
  { language, version: shownHash }: { language: InterfaceLanguage; version: string },
): Promise<void> {
  const current = await findShown(context, act)
  if (current === null)
    throw new AppError('steps_not_ready', 'This training has no published version that could be confirmed.')
  const isCurrent = current.hash === shownHash || !act.wasOffline
  const shown = { moduleId: act.module.id, hash: shownHash }
  const version = isCurrent ? current : await findVersionByHash(context.db, shown)
  if (version?.hash !== shownHash)
    throw new AppError('version_conflict', 'Another version was published meanwhile. Look at it, then confirm.')
  const asksForSteps = act.known.requests.some(({ rule }) => rule.reached)
  const at = { version, nowMs: context.nowMs() }
  if (asksForSteps && !isMetFor(act.known, 'reached', { hash: shownHash, nowMs: at.nowMs }))
    throw new AppError('steps_not_ready', 'Watch every step first, then confirm.')
  const words = confirmationWords(language)
  const deviceTimeMs = placeTime(act.deviceTimeMs, earliestOf(act, at), at.nowMs)
  const body = { kind: 'confirmed', ...describeAct({ ...act, deviceTimeMs }, version), words, language } as const
  await recordOnce(context, act, {
    body,
    isSaid: (known) => isMetSince(known, 'confirmed', at),
    follow: (known) => askLater(context, { ...act, known }, version),
  })
}
