import type { RecordBody } from '#contract/records/training-record.ts'
import { listChangedSteps } from '#contract/training/compare-versions.ts'
import { VersionContent } from '#contract/version.ts'
import type { Context } from '#worker/core/context.ts'
import { appendRecords } from '#worker/domain/record/append-records.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { readObject } from '#worker/domain/version/version-objects.ts'
import { listLater, listTrained, noteAsked, type TrainedPerson, type UnaskedVersion } from './retraining-store.ts'

/** People of one batch of records. */
const PEOPLE_PER_BATCH = 250

/** What a version is made of and what is new in it. */
interface NewSteps {
  all: readonly string[]
  changed: readonly string[]
}

/**
 * Records who is to be trained again because of a version: whoever has done an earlier one, on what is new in it and on
 * what was asked of them before and is still there. Doing it again records nothing twice.
 * @returns how many people are asked
 */
export async function askAgain(
  context: Pick<Context, 'd1' | 'bucket' | 'nowMs'>,
  version: UnaskedVersion,
): Promise<number> {
  const { d1 } = context
  const steps = await readNewSteps(context, version)
  let [asked, after, isLast] = [0, '', false]
  while (!isLast) {
    let last: string = after
    // Read again where another record came first, so that nobody is asked by what they have done meanwhile.
    const bodies = async () => {
      const people = await listTrained(d1, version, { after, limit: PEOPLE_PER_BATCH })
      isLast = people.length < PEOPLE_PER_BATCH
      last = people.at(-1)?.id ?? after
      return toRecords(version, steps, people)
    }
    for (const { body } of await appendRecords(context, version.orgId, { bodies }))
      if (body.kind === 'retraining') asked += body.people.length
    after = last
  }
  await noteAsked(d1, version).run()
  return asked
}

/**
 * Says what the versions after an older one ask of a person who does that one late: when it was recorded who is asked, they
 * had done nothing.
 * @returns one record of all that is asked, or none
 */
export async function askLate(
  { d1, bucket, nowMs }: Pick<Context, 'd1' | 'bucket' | 'nowMs'>,
  version: Pick<UnaskedVersion, 'moduleId' | 'number'>,
  person: TrainedPerson,
): Promise<RetrainingBody[]> {
  // Who is asked for something is asked for what came later, too.
  if (person.known.retraining !== null) return []
  let { known } = person
  let last: RetrainingBody | undefined
  for (const later of await listLater(d1, version)) {
    if (later.retraining === 'none' && last === undefined) continue
    const [record] = toRecords(later, await readNewSteps({ bucket }, later), [{ ...person, known }])
    if (record === undefined) continue
    last = record
    const steps = record.retraining === 'all' ? null : record.steps
    known = {
      ...known,
      retraining: { version: { hash: later.hash, number: later.number }, steps, askedAt: toIso(nowMs()) },
    }
  }
  const asksNothing = last?.retraining === 'changed' && last.steps.length === 0
  return last === undefined || asksNothing ? [] : [last]
}

async function readNewSteps({ bucket }: Pick<Context, 'bucket'>, version: UnaskedVersion): Promise<NewSteps> {
  const read = (hash: string) => readObject(bucket, { moduleId: version.moduleId, hash }, VersionContent)
  const [before, after] = await Promise.all([read(version.before), read(version.hash)])
  const changed = version.retraining === 'changed' ? listChangedSteps(before, after) : []
  return { all: after.steps.map(({ id }) => id), changed }
}

type RetrainingBody = Extract<RecordBody, { kind: 'retraining' }>

/** One record for all who are asked for the same. */
function toRecords(
  { moduleId: id, hash, number, retraining }: UnaskedVersion,
  steps: NewSteps,
  people: readonly TrainedPerson[],
): RetrainingBody[] {
  const asks = new Map<string, RetrainingBody>()
  for (const { known, id: personId, commitment } of people) {
    const before = known.retraining && known.retraining.steps
    const isAll = retraining === 'all' || (before === null && known.retraining !== null)
    const asked = isAll ? null : steps.all.filter((step) => steps.changed.includes(step) || before?.includes(step))
    if (isSame(asked, { known, changed: steps.changed, retraining })) continue
    const key = JSON.stringify(asked)
    const record: RetrainingBody = asks.get(key) ?? {
      kind: 'retraining',
      training: { id, version: hash, number },
      retraining: asked === null ? 'all' : 'changed',
      steps: asked ?? [],
      people: [],
    }
    record.people.push({ id: personId, commitment })
    asks.set(key, record)
  }
  return [...asks.values()]
}

/** Whether the same is asked of a person as before, and nothing of it is new again. */
function isSame(
  asked: readonly string[] | null,
  {
    known,
    changed,
    retraining,
  }: Pick<NewSteps, 'changed'> & Pick<TrainedPerson, 'known'> & Pick<UnaskedVersion, 'retraining'>,
): boolean {
  if (retraining === 'all' || asked?.some((step) => changed.includes(step))) return false
  return asked?.length === (known.retraining === null ? 0 : known.retraining.steps?.length)
}
