import { PersonTraining } from '#contract/records/person-training.ts'
import { PROOF_ROWS_MAX, type ProofAnswer, type ProofRequest, type ProofRow } from '#contract/records/proof.ts'
import type { RecordBody } from '#contract/records/training-record.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { type NameOf, openNames } from './name-people.ts'
import { readHead, readRecordText } from './record-store.ts'
import { openTitles, type TitleOf } from './title-trainings.ts'
import { wordsOf } from './write-record-table.ts'

interface KnownRow {
  known: string
  name: string
  number: string | null
}

/** Reads what a person was trained on, or who was trained on something, with signatures, to be printed. */
export async function readProof(
  { d1, nowMs }: Pick<Context, 'd1' | 'nowMs'>,
  orgId: string,
  { person, training }: ProofRequest,
): Promise<ProofAnswer> {
  const [column, id] = person === undefined ? ['module_id', training] : ['person_id', person]
  const rows = await listRows<KnownRow>(
    d1,
    `SELECT t.known, p.name, p.number FROM person_trainings AS t JOIN people AS p ON p.org_id = t.org_id AND p.id = t.person_id
     WHERE t.org_id = ?1 AND t.${column} = ?2 LIMIT ${PROOF_ROWS_MAX}`,
    orgId,
    id,
  )
  const read = rows.flatMap(({ known, name, number }) => {
    const facts = PersonTraining.parse(JSON.parse(known))
    const version = newestOf(facts)
    return version === null ? [] : [{ facts, version, name, number }]
  })
  const bodies = await readBodies(
    d1,
    orgId,
    read.map(({ facts }) => facts),
  )
  const supervisors = [...bodies.values()].flatMap((body) => ('supervisor' in body ? [body.supervisor.id] : []))
  const trainings = read.map(({ facts, version }) => ({ id: facts.moduleId, number: version.number }))
  const [nameOf, titleOf, head] = await Promise.all([
    openNames(d1, orgId, supervisors),
    openTitles(d1, orgId, trainings),
    readHead(d1, orgId),
  ])
  const shown = await Promise.all(read.map((each) => presentRow(each, { bodies, nameOf, titleOf })))
  const keyOf = ({ person: { name }, training: of }: ProofRow) => (person === undefined ? name : (of.title ?? ''))
  return {
    success: true,
    rows: shown.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b))),
    seq: head.seq,
    time: toIso(nowMs()),
  }
}

interface ReadRow {
  facts: PersonTraining
  version: Version
  name: string
  number: string | null
}

type Version = NonNullable<PersonTraining['done']>['version']

/** The newest version that something is recorded of; null where nothing was done. */
function newestOf({ done, reached, confirmed, signedOff }: PersonTraining): Version | null {
  const versions = [done, reached, confirmed, signedOff].flatMap((met) => (met === null ? [] : [met.version]))
  return versions.toSorted((a, b) => b.number - a.number)[0] ?? null
}

/** The records of confirmations and signatures, by number; without those that were removed after their time. */
async function readBodies(
  d1: D1Database,
  orgId: string,
  facts: readonly PersonTraining[],
): Promise<Map<number, RecordBody>> {
  const seqs = facts.flatMap(({ confirmed, signedOff }) => [confirmed?.seq ?? [], signedOff?.seq ?? []].flat())
  const rows = await listRows<{ seq: number; text: string }>(
    d1,
    `SELECT r.seq, r.text FROM json_each(?2) AS asked
     JOIN training_records AS r ON r.org_id = ?1 AND r.seq = asked.value`,
    orgId,
    JSON.stringify(seqs),
  )
  return new Map(rows.map(({ seq, text }) => [seq, readRecordText(text).body]))
}

interface Read {
  bodies: ReadonlyMap<number, RecordBody>
  nameOf: NameOf
  titleOf: TitleOf
}

async function presentRow(
  { facts, version, name, number }: ReadRow,
  { bodies, nameOf, titleOf }: Read,
): Promise<ProofRow> {
  const { confirmed, signedOff, moduleId: id } = facts
  const signed = bodies.get(signedOff?.seq ?? 0)
  const supervisor = signed !== undefined && 'supervisor' in signed ? await nameOf(signed.supervisor) : null
  const words = (seq: number) => {
    const body = bodies.get(seq)
    return body === undefined ? '' : wordsOf(body)
  }
  return {
    person: { id: facts.personId, name, number },
    training: { id, title: titleOf({ id, number: version.number }), ...version },
    doneAt: facts.done?.time ?? null,
    reachedAt: facts.reached?.time ?? null,
    confirmed: confirmed && { time: confirmed.time, name, words: words(confirmed.seq) },
    signedOff: signedOff && { time: signedOff.time, name: supervisor?.name ?? '', words: words(signedOff.seq) },
  }
}
