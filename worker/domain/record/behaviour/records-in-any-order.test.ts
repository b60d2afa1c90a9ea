// Behaviour: whatever is done in whatever order, no record is lost, doubled or changed, each is about the person and the
// version that it was made of, and what is known is what all records say, those that were removed after their time included.
import { env } from 'cloudflare:workers'
import fc from 'fast-check'
import { nanoid } from 'nanoid'
import { expect, it } from 'vitest'
import { addMonths, foldRecords, type PersonTraining, subjectsOf } from '#contract/records/person-training.ts'
import { FIXED_KINDS, NO_RECORD, type RecordBody, type TrainingRecord } from '#contract/records/training-record.ts'
import { timelineOf } from '#contract/records/training-state.ts'
import { about, body } from '#contract/testing/records.ts'
import { DAY_MS } from '#contract/time/day.ts'
import { checkChain } from '#records/check-chain.ts'
import { writeRecordLine } from '#records/export-files.ts'
import type { Finding } from '#records/findings.ts'
import { listRows } from '#worker/db/db.ts'
import { joinPeople } from '#worker/domain/person/write-people.ts'
import { openBoundedContext } from '#worker/entry/open-context.ts'
import { appendRecords } from '../append-records.ts'
import { listCheckpoints, takeCheckpoint } from '../checkpoint.ts'
import { correctRecord } from '../correct-record.ts'
import { erasePerson } from '../erase-person.ts'
import { changeKeeping, readKeeping } from '../record-keeping.ts'
import { type Head, keyOf, readHead, readRecordText, type Subject } from '../record-store.ts'
import { listDueRemovals, removeRecords } from '../remove-records.ts'
import { seedPeople } from '../testing/seed-people.ts'
import { BOSS } from '../testing/seed-records.ts'

const PEOPLE = ['ann', 'bob', 'cem'] as const
const SUBJECTS = PEOPLE.flatMap((personId) => ['forklift', 'press'].map((moduleId) => ({ personId, moduleId })))

const person = fc.constantFrom(...PEOPLE)
const version = fc.integer({ min: 1, max: 3 })
const steps = fc.subarray(['s1', 's2', 's3'], { minLength: 1 })
const assignment = fc.constantFrom('a1', 'a2')
const rule = fc.record({ confirmed: fc.boolean(), signedOff: fc.boolean() })
const BODY: fc.Arbitrary<RecordBody> = fc
  .tuple(
    fc.oneof(
      fc.record({ assignment, rule, everyMonths: fc.constantFrom(null, 1) }).map(body.assigned),
      assignment.map(body.unassigned),
      version.map(body.started),
      version.map(body.reached),
      version.map(body.confirmed),
      version.map(body.signedOff),
      fc.tuple(steps, version).map(([of, number]) => body.refused(of, number)),
      fc.tuple(version, fc.option(steps)).map(([number, of]) => body.retraining(number, of)),
    ),
    fc.constantFrom(...SUBJECTS),
  )
  .map(([of, subject]) => about(of, subject))

type Act =
  | { kind: 'record'; bodies: RecordBody[] }
  | { kind: 'correct'; back: number }
  | { kind: 'erase'; personId: string }
  | { kind: 'keep'; months: number | null; hold: string | null }
  | { kind: 'retain' }
  | { kind: 'join'; id: string; into: string }

const kind = <Kind extends Act['kind']>(of: Kind) => fc.constant(of)
const ACT: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: kind('record'), bodies: fc.array(BODY, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('correct'), back: fc.nat(6) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('erase'), personId: person }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('keep'),
      months: fc.constantFrom(12, 12, null),
      hold: fc.constantFrom(null, null, 'Claim 17'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('retain') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('join'), id: person, into: person }) },
)
const ACTS = fc.array(fc.tuple(ACT, fc.constantFrom(1, 40, 250)), { minLength: 8, maxLength: 18 })

/** What is known of a person and a training, as it is stored. */
interface Fact {
  known: PersonTraining
  timeline: unknown
  doneHash: string | null
}

/** An organization, and what was done in it from the beginning. */
class World {
  readonly orgId = `org_${nanoid(8)}`
  readonly log: (TrainingRecord & { hash: string })[] = []
  readonly gone = new Set<string>()
  readonly joined = new Map<string, string>()
  months: number | null = null
  hold: string | null = null
  nowMs = Date.UTC(2026, 0, 31, 12)

  get context() {
    return { ...openBoundedContext(env), nowMs: () => this.nowMs }
  }

  /** Does it, and compares what was added to the list with what it means. */
  async do(of: Act): Promise<void> {
    const bodies = await this.#act(of)
    const added = await this.#readList(this.log.length)
    expect(added.map(({ body: said }) => said)).toEqual(bodies)
    this.log.push(...added)
  }

  async #act(of: Act): Promise<unknown[]> {
    switch (of.kind) {
      case 'record':
        await appendRecords(this.context, this.orgId, of)
        return of.bodies
      case 'correct':
        return this.#correct(this.log.length - of.back)
      case 'erase':
        return this.#erase(of.personId)
      case 'keep': {
        const { kind: _, ...keeping } = of
        Object.assign(this, keeping)
        await changeKeeping(this.context, this.orgId, { ...keeping, showsEffort: false, by: BOSS })
        return [{ kind: 'kept', ...keeping, showsEffort: false, by: BOSS }]
      }
      case 'retain':
        await this.#retain()
        return []
      case 'join':
        await this.#join(of)
        return []
    }
  }

  async #correct(seq: number): Promise<unknown[]> {
    const correction = { seq, reason: 'It was somebody else.', by: BOSS }
    const record = this.log[seq - 1]
    const isThere = record !== undefined && seq >= (await this.#readFrom()).seq
    const isCorrected = this.log.some(({ body: said }) => said.kind === 'corrected' && said.of.seq === seq)
    const done = correctRecord(this.context, this.orgId, correction)
    if (isThere && !isCorrected && !FIXED_KINDS.includes(record.body.kind)) {
      await done
      return [{ kind: 'corrected', of: { seq, hash: record.hash }, reason: correction.reason, by: BOSS }]
    }
    await expect(done).rejects.toMatchObject({ code: isThere ? 'invalid_request' : 'not_found' })
    return []
  }

  async #erase(personId: string): Promise<unknown[]> {
    const done = erasePerson(this.context, this.orgId, { personId, by: BOSS })
    const ids = [personId, ...PEOPLE.filter((id) => this.joined.get(id) === personId)].filter(
      (id) => !this.gone.has(id),
    )
    if (this.hold !== null || this.gone.has(personId)) {
      await expect(done).rejects.toMatchObject({ code: this.hold === null ? 'not_found' : 'on_hold' })
      return []
    }
    await done
    for (const id of ids) this.gone.add(id)
    return ids.toSorted().map((id) => ({ kind: 'erased', personId: id, by: BOSS }))
  }

  /** Takes the checkpoint of the day and removes what has served its time, as the sweep does. */
  async #retain(): Promise<void> {
    const { context, orgId, months, hold } = this
    if (this.log.length > 0) await takeCheckpoint(context, orgId)
    const before = await this.#readFrom()
    if (months === null || hold !== null) {
      const due = await listDueRemovals(context.d1, this.nowMs)
      expect(due.map((each) => each.orgId)).not.toContain(orgId)
      return
    }
    const keptMs = addMonths(this.nowMs, -months)
    const keptDay = new Date(keptMs).toISOString().slice(0, 10)
    await removeRecords(context, { orgId, months, fromSeq: before.seq, keptDay })
    const given = this.log.slice(before.seq - 1, (await this.#readFrom()).seq - 1)
    expect(given.every(({ time }) => time.slice(0, 10) < keptDay)).toBe(true)
  }

  async #join({ id, into }: { id: string; into: string }): Promise<void> {
    const isOut = (each: string) => this.gone.has(each) || this.joined.has(each)
    if (id === into || isOut(id) || isOut(into)) return
    await joinPeople(this.context, this.orgId, { id, into })
    for (const [each, to] of [...this.joined, [id, into] as const])
      if (to === id || each === id) this.joined.set(each, into)
  }

  /** The first record that is kept, with the hash of the one before. */
  async #readFrom(): Promise<Head> {
    const { fromSeq: seq } = await readKeeping(this.context.db, this.orgId)
    return { seq, hash: seq === 1 ? NO_RECORD : (this.log[seq - 2]?.hash ?? 'of no record') }
  }

  async #readList(afterSeq: number): Promise<(TrainingRecord & { hash: string })[]> {
    const rows = await listRows<{ text: string; hash: string }>(
      env.DB,
      'SELECT text, hash FROM training_records WHERE org_id = ? AND seq > ? ORDER BY seq',
      this.orgId,
      afterSeq,
    )
    return rows.map(({ text, hash }) => ({ ...readRecordText(text), hash }))
  }

  /** Of each record in the list, the people and trainings that it is about. */
  subjectsOf(record: TrainingRecord): Subject[] {
    const corrected = record.body.kind === 'corrected' ? this.log[record.body.of.seq - 1] : record
    return corrected === undefined ? [] : subjectsOf(corrected)
  }

  async check(): Promise<void> {
    const from = await this.#readFrom()
    const kept = this.log.slice(from.seq - 1)
    expect(await this.#readList(0)).toEqual(kept)
    await this.#checkChain(from)
    const places = await listRows<Subject & { seq: number }>(
      env.DB,
      'SELECT person_id AS personId, module_id AS moduleId, seq FROM record_subjects WHERE org_id = ? ORDER BY seq',
      this.orgId,
    )
    expect(places).toEqual(kept.flatMap((of) => this.subjectsOf(of).map((subject) => ({ ...subject, seq: of.seq }))))
    expect(await this.#readFacts()).toEqual(this.#rebuildFacts())
  }

  async #checkChain(from: Head): Promise<void> {
    const rows = await listRows<{ text: string; hash: string }>(
      env.DB,
      'SELECT text, hash FROM training_records WHERE org_id = ? ORDER BY seq',
      this.orgId,
    )
    const findings: Finding[] = []
    const about = {
      format: 'adapt-export-1' as const,
      organization: this.orgId,
      exportedAt: new Date(this.nowMs).toISOString(),
      from: { seq: from.seq, previous: from.hash },
      end: await readHead(env.DB, this.orgId),
      checkpoints: await listCheckpoints(this.context.bucket, this.orgId),
    }
    async function* listLines() {
      for (const row of rows) yield writeRecordLine(row)
    }
    await checkChain(listLines(), { about, kept: null }, (finding) => findings.push(finding))
    expect(findings).toEqual([])
  }

  async #readFacts(): Promise<Fact[]> {
    const rows = await listRows<Record<'known' | 'timeline', string> & Pick<Fact, 'doneHash'>>(
      env.DB,
      `SELECT known, timeline, done_hash AS doneHash FROM person_trainings WHERE org_id = ? ORDER BY person_id, module_id`,
      this.orgId,
    )
    return rows.map(({ known, timeline, ...row }) => {
      return { known: JSON.parse(known) as PersonTraining, timeline: JSON.parse(timeline) as unknown, ...row }
    })
  }

  /** The same from all records that there ever were, of those who were not erased. */
  #rebuildFacts(): Fact[] {
    return SUBJECTS.flatMap((subject) => {
      const mine = this.log.filter((of) => this.subjectsOf(of).some((each) => keyOf(each) === keyOf(subject)))
      if (mine.length === 0 || this.gone.has(subject.personId)) return []
      const known = foldRecords(subject, mine)
      return [{ known, timeline: timelineOf(known), doneHash: known.done?.version.hash ?? null }]
    })
  }
}

/** Reaches all that is counted below; random acts sometimes leave one out. */
const ALL_REACHED: [Act, number][] = [
  [{ kind: 'keep', months: 12, hold: null }, 1],
  [{ kind: 'record', bodies: [about(body.started(1), { personId: 'ann', moduleId: 'forklift' })] }, 1],
  // Removal ends at a checkpoint that is itself older than a year.
  [{ kind: 'retain' }, 250],
  [{ kind: 'retain' }, 250],
  [{ kind: 'retain' }, 1],
  [{ kind: 'record', bodies: [about(body.started(1), { personId: 'bob', moduleId: 'press' })] }, 1],
  [{ kind: 'correct', back: 0 }, 1],
  [{ kind: 'join', id: 'bob', into: 'ann' }, 1],
  [{ kind: 'erase', personId: 'cem' }, 1],
  [{ kind: 'keep', months: 12, hold: 'Claim 17' }, 1],
]

it('loses, doubles and mixes up nothing', async () => {
  const reached = { removed: 0, erased: 0, joined: 0, corrected: 0, held: 0 }
  await fc.assert(
    fc.asyncProperty(ACTS, async (acts) => {
      const world = new World()
      await seedPeople(
        world.orgId,
        PEOPLE.map((id) => ({ id, name: id })),
      )
      for (const [of, days] of acts) {
        await world.do(of)
        await world.check()
        world.nowMs += days * DAY_MS
      }
      reached.removed += (await readKeeping(world.context.db, world.orgId)).fromSeq - 1
      reached.erased += world.gone.size
      reached.joined += world.joined.size
      reached.corrected += world.log.filter(({ body: said }) => said.kind === 'corrected').length
      reached.held += world.log.filter(({ body: said }) => said.kind === 'kept' && said.hold !== null).length
    }),
    { numRuns: 30, examples: [[ALL_REACHED]] },
  )
  // None of what is to be tried was left out.
  expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
})
