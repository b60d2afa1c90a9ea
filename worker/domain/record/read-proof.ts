import { deciderOf, namedIn, peopleOf, photosIn } from '#contract/records/named-in-record.ts'
import { PersonTraining } from '#contract/records/person-training.ts'
import { PROOF_ROWS_MAX, type ProofAnswer, type ProofRequest, type ProofRow } from '#contract/records/proof.ts'
import type { RecordBody, RecordedPerson } from '#contract/records/training-record.ts'
import { type NameOf, wordsOf } from '#records/record-table.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { openNames } from './name-people.ts'
import { FIRST_KEPT, readHead, readRecordText } from './record-store.ts'
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
  const of = read.map(({ facts }) => facts)
  const [bodies, earlier] = await Promise.all([readBodies(d1, orgId, of), readEarlierVisits(d1, orgId, of)])
  const named = [...bodies.values()].flatMap((body) => namedIn(body).map(({ id }) => id))
  const trainings = read.map(({ facts, version }) => ({ id: facts.moduleId, number: version.number }))
  const [nameOf, titleOf, head] = await Promise.all([
    openNames(d1, orgId, named),
    openTitles(d1, orgId, trainings),
    readHead(d1, orgId),
  ])
  const shown = await Promise.all(read.map((each) => presentRow(each, { bodies, earlier, nameOf, titleOf })))
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
     CROSS JOIN training_records AS r ON r.org_id = ?1 AND r.seq = asked.value`,
    orgId,
    JSON.stringify(seqs),
  )
  return new Map(rows.map(({ seq, text }) => [seq, readRecordText(text).body]))
}

/** Photos of a visit, and the number of the record that names them. */
type VisitPhotos = NonNullable<ProofRow['signedOff']>['earlier'][number]

/**
 * Photos of what was shown, of the same version, at visits between a signature and the one before it. Of `?2` each is a
 * signature with its person, training, number and version. CROSS JOIN looks their records up; SQLite would rather go
 * through all of the organization.
 */
const EARLIER = `WITH corrected AS MATERIALIZED (
    SELECT coalesce(text ->> '$.body.of.seq', 0) AS seq FROM training_records
    WHERE org_id = ?1 AND kind = 'corrected' AND json_valid(text))
  SELECT signed.value ->> 2 AS signedSeq, r.seq, s.person_id AS personId, (
      SELECT json_group_array(DISTINCT shown.value ->> 'photo') FROM json_each(r.text, '$.body.shown') AS shown
      WHERE shown.value ->> 'photo' IS NOT NULL) AS hashes
  FROM json_each(?2) AS signed
  CROSS JOIN record_subjects AS s ON s.org_id = ?1 AND s.person_id = signed.value ->> 0
    AND s.module_id = signed.value ->> 1 AND s.seq < signed.value ->> 2 AND s.seq >= ${FIRST_KEPT}
  CROSS JOIN training_records AS r ON r.org_id = s.org_id AND r.seq = s.seq AND r.kind = 'refused'
  WHERE json_valid(r.text) AND hashes <> '[]' AND r.text ->> '$.body.training.version' = signed.value ->> 3
    AND r.seq NOT IN (SELECT seq FROM corrected)
    AND NOT EXISTS (
      SELECT 1 FROM record_subjects AS b
      WHERE b.org_id = ?1 AND b.person_id = s.person_id AND b.module_id = s.module_id
        AND b.seq > s.seq AND b.seq < signed.value ->> 2 AND b.seq NOT IN (SELECT seq FROM corrected)
        AND (SELECT kind FROM training_records WHERE org_id = ?1 AND seq = b.seq) = 'signed_off')
  ORDER BY r.seq`

/** Reads the photos of earlier visits, by the number of the signature. */
async function readEarlierVisits(
  d1: D1Database,
  orgId: string,
  facts: readonly PersonTraining[],
): Promise<Map<number, VisitPhotos[]>> {
  const signed = facts.flatMap(({ personId, moduleId, signedOff: met }) =>
    met === null ? [] : [[personId, moduleId, met.seq, met.version.hash]],
  )
  const rows = await listRows<{ signedSeq: number; seq: number; personId: string; hashes: string }>(
    d1,
    EARLIER,
    orgId,
    JSON.stringify(signed),
  )
  const toVisit = ({ seq, personId, hashes }: (typeof rows)[number]) => {
    return { seq, photos: (JSON.parse(hashes) as string[]).map((hash) => ({ personId, hash })) }
  }
  const bySignature = Map.groupBy(rows, ({ signedSeq }) => signedSeq)
  return new Map([...bySignature].map(([signedSeq, visits]) => [signedSeq, visits.map(toVisit)]))
}

function partsOf({ done, reached, confirmed, signedOff }: PersonTraining) {
  return [done, reached, confirmed, signedOff].filter((met) => met !== null)
}

interface Read {
  bodies: ReadonlyMap<number, RecordBody>
  earlier: ReadonlyMap<number, VisitPhotos[]>
  nameOf: NameOf
  titleOf: TitleOf
}

async function presentRow(
  { facts, version, name, number }: ReadRow,
  { bodies, earlier, nameOf, titleOf }: Read,
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
    signedOff: signature &&
      signedOff && {
        ...signature,
        ...photosOf(bodies, signedOff.seq),
        earlier: earlier.get(signedOff.seq) ?? [],
      },
  }
}

function photosOf(bodies: Read['bodies'], seq: number): VisitPhotos {
  const body = bodies.get(seq)
  return { seq, photos: body === undefined ? [] : photosIn(body) }
}

function factOf({ time, version }: NonNullable<PersonTraining['reached']>) {
  return { time, version: version.number }
}
