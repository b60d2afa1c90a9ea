import { deciderOf, peopleOf, photosIn, trainingsOf } from '#contract/records/named-in-record.ts'
import {
  RECORDS_PER_PAGE,
  type RecordFilter,
  type RecordsAnswer,
  type ShownRecord,
} from '#contract/records/record-list.ts'
import type { RecordBody, RecordedPerson } from '#contract/records/training-record.ts'
import { effortOf, type NameOf, wordsOf } from '#records/record-table.ts'
import type { Context } from '#worker/core/context.ts'
import { listRows } from '#worker/db/db.ts'
import { toIso } from '#worker/domain/to-iso.ts'
import { openNames } from './name-people.ts'
import { readKeeping } from './record-keeping.ts'
import { FIRST_KEPT, type HashedRow, readHead, readShown } from './record-store.ts'
import { openTitles, type TitleOf } from './title-trainings.ts'

/** People and trainings of one record that a list shows. */
const SHOWN_MAX = 3

/** Lists the records of an organization, the newest first, with how it keeps them. */
export async function listRecords(
  { db, d1 }: Pick<Context, 'db' | 'd1'>,
  orgId: string,
  filter: RecordFilter,
): Promise<RecordsAnswer> {
  const [rows, head, kept] = await Promise.all([
    listFiltered(d1, orgId, filter),
    readHead(d1, orgId),
    readKeeping(db, orgId),
  ])
  const shown = rows.slice(0, RECORDS_PER_PAGE)
  const outlines = shown.map(({ text }) => outline(readShown(text)?.body ?? null))
  const people = outlines.flatMap((each) => [...each.people, ...(each.by === null ? [] : [each.by])])
  const [nameOf, titleOf] = await Promise.all([
    openNames(
      d1,
      orgId,
      people.map(({ id }) => id),
    ),
    openTitles(
      d1,
      orgId,
      outlines.flatMap(({ trainings }) => trainings),
    ),
  ])
  const corrections = await findCorrections(
    d1,
    orgId,
    shown.map(({ seq }) => seq),
  )
  const shownWith = { nameOf, titleOf, corrections, showsEffort: kept.keeping.showsEffort }
  const records = await Promise.all(shown.map((row) => presentRecord(row, shownWith)))
  const next = rows.length > RECORDS_PER_PAGE ? (records.at(-1)?.seq ?? null) : null
  return { success: true, records, next, head, ...kept }
}

interface ListedRow extends HashedRow {
  createdAt: number
}

function listFiltered(d1: D1Database, orgId: string, filter: RecordFilter): Promise<ListedRow[]> {
  const { person = null, training = null, kind = null, before = null } = filter
  const isAbout =
    person === null && training === null
      ? ''
      : `AND seq IN (SELECT seq FROM record_subjects WHERE org_id = ?1
           ${person === null ? '' : 'AND person_id = ?2'} ${training === null ? '' : 'AND module_id = ?3'})`
  return listRows(
    d1,
    `SELECT seq, hash, kind, text, created_at AS createdAt FROM training_records
     WHERE org_id = ?1 AND seq >= ${FIRST_KEPT} AND (?5 IS NULL OR seq < ?5) AND (?4 IS NULL OR kind = ?4)
       ${isAbout}
     ORDER BY seq DESC LIMIT ${RECORDS_PER_PAGE + 1}`,
    orgId,
    person,
    training,
    kind,
    before,
  )
}

/** Whom and what a record is about, as far as a list shows it. */
interface Outline {
  people: RecordedPerson[]
  peopleCount: number
  trainings: { id: string; number: number | null }[]
  trainingCount: number
  by: RecordedPerson | null
  words: string
}

/** @param body null for a row that cannot be read, which is about nobody */
function outline(body: RecordBody | null): Outline {
  if (body === null) return { people: [], peopleCount: 0, trainings: [], trainingCount: 0, by: null, words: '' }
  const people = body.kind === 'erased' ? [{ id: body.personId, commitment: '' }] : peopleOf(body)
  const trainings = trainingsOf(body)
  return {
    people: people.slice(0, SHOWN_MAX),
    peopleCount: people.length,
    trainings: trainings.slice(0, SHOWN_MAX),
    trainingCount: trainings.length,
    by: deciderOf(body),
    words: wordsOf(body),
  }
}

/** Finds which records are corrected by which. */
async function findCorrections(d1: D1Database, orgId: string, seqs: readonly number[]): Promise<Map<number, number>> {
  const rows = await listRows<{ seq: number; of: number }>(
    d1,
    `SELECT seq, text ->> '$.body.of.seq' AS "of" FROM training_records
     WHERE org_id = ?1 AND kind = 'corrected' AND json_valid(text) AND "of" IN (SELECT value FROM json_each(?2))`,
    orgId,
    JSON.stringify(seqs),
  )
  return new Map(rows.map(({ seq, of }) => [of, seq]))
}

interface Shown {
  nameOf: NameOf
  titleOf: TitleOf
  corrections: ReadonlyMap<number, number>
  showsEffort: boolean
}

async function presentRecord(
  { seq, hash, kind, text, createdAt }: ListedRow,
  { nameOf, titleOf, corrections, showsEffort }: Shown,
): Promise<ShownRecord> {
  const record = readShown(text)
  const body = record?.body ?? null
  const { people, by, trainings, ...rest } = outline(record?.body ?? null)
  const present = async (person: RecordedPerson) => ({ id: person.id, name: (await nameOf(person))?.name ?? null })
  return {
    seq,
    hash,
    time: record?.time ?? toIso(createdAt),
    kind,
    ...rest,
    people: await Promise.all(people.map(present)),
    trainings: trainings.map((training) => ({ ...training, title: titleOf(training) })),
    by: by && (await present(by)),
    knownBy: body !== null && 'knownBy' in body ? body.knownBy : null,
    photos: body === null ? [] : photosIn(body),
    offlineAt: body !== null && 'wasOffline' in body && body.wasOffline ? body.deviceTime : null,
    effort: showsEffort && body?.kind === 'reached' ? effortOf(body) : null,
    corrects: body?.kind === 'corrected' ? body.of.seq : null,
    correctedBy: corrections.get(seq) ?? null,
  }
}
