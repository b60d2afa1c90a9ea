import { deciderOf, namedIn, peopleOf, photosIn } from '#contract/records/named-in-record.ts'
import { PersonTraining } from '#contract/records/person-training.ts'
import { PROOF_ROWS_MAX, type ProofAnswer, type ProofRequest, type ProofRow } from '#contract/records/proof.ts'
import type { RecordBody, RecordedPerson } from '#contract/records/training-record.ts'
import { type NameOf, wordsOf } from '#records/record-table.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { openNames } from './name-people.ts'
import { readHead, readRecordText } from './record-store.ts'
import { openTitles, type TitleOf } from './title-trainings.ts'

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
     WHERE t.org_id = ?1 AND t.${column} = ?2
       AND coalesce(known ->> '$.done', known ->> '$.reached', known ->> '$.confirmed', known ->> '$.signedOff') IS NOT NULL
     ORDER BY p.name, p.id, t.module_id LIMIT ${PROOF_ROWS_MAX + 1}`,
    orgId,
    id,
  )
  const read = rows.slice(0, PROOF_ROWS_MAX).flatMap(({ known, name, number }) => {
    const facts = PersonTraining.parse(JSON.parse(known))
    const version = facts.done?.version ?? newestOf(facts)
    return version === null ? [] : [{ facts, version, name, number }]
  })
  const bodies = await readBodies(
    d1,
    orgId,
    read.map(({ facts }) => facts),
  )
  const named = [...bodies.values()].flatMap((body) => namedIn(body).map(({ id }) => id))
  const trainings = read.map(({ facts, version }) => ({ id: facts.moduleId, number: version.number }))
  const [nameOf, titleOf, head] = await Promise.all([
    openNames(d1, orgId, named),
    openTitles(d1, orgId, trainings),
    readHead(d1, orgId),
  ])
  const shown = await Promise.all(read.map((each) => presentRow(each, { bodies, nameOf, titleOf })))
  const keyOf = ({ person: { name }, training: of }: ProofRow) => (person === undefined ? name : (of.title ?? ''))
  return {
    success: true,
    rows: shown.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b))),
    isCut: rows.length > PROOF_ROWS_MAX,
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

/** The newest version that something is recorded of; null where nothing is. */
function newestOf({ reached, confirmed, signedOff }: PersonTraining): Version | null {
  const versions = [reached, confirmed, signedOff].flatMap((met) => (met === null ? [] : [met.version]))
  return versions.toSorted((a, b) => b.number - a.number)[0] ?? null
}

const PHOTOGRAPHED = `(
  SELECT json_group_array(json_object('id', s.value ->> 'id', 'note', '', 'photo', s.value ->> 'photo'))
  FROM json_each(r.text, '$.body.steps') AS s WHERE s.value ->> 'photo' IS NOT NULL)`

/**
 * The records of what was done, by number, without what they say of steps but their photos; those that were removed are
 * missing.
 */
async function readBodies(
  d1: D1Database,
  orgId: string,
  facts: readonly PersonTraining[],
): Promise<Map<number, RecordBody>> {
  const seqs = facts.flatMap((known) => partsOf(known).map(({ seq }) => seq))
  const rows = await listRows<{ seq: number; text: string }>(
    d1,
    `SELECT r.seq, CASE r.kind
       WHEN 'reached' THEN json_set(r.text, '$.body.seconds', json('[]'))
       WHEN 'signed_off' THEN json_set(r.text, '$.body.steps', json(${PHOTOGRAPHED}))
       ELSE r.text END AS text FROM json_each(?2) AS asked
     JOIN training_records AS r ON r.org_id = ?1 AND r.seq = asked.value`,
    orgId,
    JSON.stringify(seqs),
  )
  return new Map(rows.map(({ seq, text }) => [seq, readRecordText(text).body]))
}

function partsOf({ done, reached, confirmed, signedOff }: PersonTraining) {
  return [done, reached, confirmed, signedOff].filter((met) => met !== null)
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
  const { reached, confirmed, signedOff, moduleId: id } = facts
  const lastSeq = Math.max(...partsOf(facts).map(({ seq }) => seq))
  const last = bodies.get(facts.done?.seq ?? lastSeq)
  const [doer] = last === undefined ? [] : peopleOf(last)
  const named = doer === undefined ? { name, number } : await nameOf(doer)
  async function sign(met: PersonTraining['confirmed'], signerOf: (body: RecordBody) => RecordedPerson | null) {
    if (met === null) return null
    const body = bodies.get(met.seq)
    const signer = body === undefined ? null : signerOf(body)
    const signed = signer === null ? null : ((await nameOf(signer))?.name ?? '')
    return { ...factOf(met), name: signed, words: body === undefined ? '' : wordsOf(body) }
  }
  const signature = await sign(signedOff, deciderOf)
  return {
    person: { id: facts.personId, name: named?.name ?? '', number: named?.number ?? null },
    training: { id, title: titleOf({ id, number: version.number }), ...version },
    doneAt: facts.done?.time ?? null,
    reached: reached && factOf(reached),
    confirmed: await sign(confirmed, (body) => peopleOf(body)[0] ?? null),
    signedOff: signature && signedOff && { ...signature, ...photosOf(bodies, signedOff.seq) },
  }
}

function photosOf(bodies: Read['bodies'], seq: number) {
  const body = bodies.get(seq)
  return { seq, photos: body === undefined ? [] : photosIn(body) }
}

function factOf({ time, version }: NonNullable<PersonTraining['reached']>) {
  return { time, version: version.number }
}
