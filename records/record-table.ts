import type { RecordBody, RecordedPerson, TrainingRecord } from '#contract/records/training-record.ts'
import type { PersonName } from './commit-person.ts'
import { type Cell, writeCsvLine } from './csv.ts'

/** Finds the name that a record means; null for a person whose name was erased. */
export type NameOf = (person: RecordedPerson) => Promise<PersonName | null>

/** Spreadsheets read the file as UTF-8 only with it. */
const BYTE_ORDER_MARK = '\uFEFF'
const HEAD = [
  'Record',
  'Time',
  'Kind',
  'Person',
  'Personal number',
  'Training',
  'Version',
  'Known by',
  'Device time',
  'Offline',
  'By',
  'Words',
  'Details',
  'Hash',
]

/** The first line of the table of records. */
export const HEAD_LINE = BYTE_ORDER_MARK + writeCsvLine(HEAD)

/** Where the title of the training stands in a row. */
export const TITLE_CELL = HEAD.indexOf('Training')

/** A training, or a version of it, in a record. */
export interface RowTraining {
  id: string
  /** Null where the record is about no version. */
  number: number | null
  /** Hash of the version; left out with its number. */
  version?: string
}

interface Read {
  hash: string
  nameOf: NameOf
  titleOf: (training: RowTraining) => string | Promise<string>
}

/** Lists what a table says of a record: a row for each person and training that it is about. */
export async function listRecordRows(record: TrainingRecord, { hash, nameOf, titleOf }: Read): Promise<Cell[][]> {
  const { seq, time, body } = record
  const people: (RecordedPerson | null)[] = 'people' in body ? body.people : 'person' in body ? [body.person] : [null]
  const by = 'supervisor' in body ? body.supervisor : 'by' in body ? body.by : null
  const byName = by === null ? '' : ((await nameOf(by))?.name ?? ERASED)
  const rows: Cell[][] = []
  for (const person of people) {
    const name = person === null ? null : await nameOf(person)
    const who = person === null ? ['', ''] : [name?.name ?? ERASED, name?.number ?? '']
    for (const training of trainingsOf(body)) {
      const what = training === null ? ['', ''] : [await titleOf(training), training.number ?? '']
      const act = 'knownBy' in body ? [body.knownBy, body.deviceTime ?? '', body.wasOffline ? 'yes' : ''] : ['', '', '']
      rows.push([seq, time, body.kind, ...who, ...what, ...act, byName, wordsOf(body), detailsOf(body), hash])
    }
  }
  return rows
}

const ERASED = '(erased)'

function trainingsOf(body: RecordBody): readonly (RowTraining | null)[] {
  if ('training' in body) return [body.training]
  return 'trainings' in body ? body.trainings.map((id) => ({ id, number: null })) : [null]
}

/** What somebody has put their name to, or given as a reason. */
export function wordsOf(body: RecordBody): string {
  switch (body.kind) {
    case 'confirmed':
      return body.words
    case 'signed_off':
    case 'refused':
      return body.meaning
    case 'corrected':
      return body.reason
    case 'kept':
      return body.hold ?? ''
    default:
      return ''
  }
}

function detailsOf(body: RecordBody): string {
  switch (body.kind) {
    case 'assigned':
      return [body.dueAt && `due ${body.dueAt}`, body.everyMonths && `every ${body.everyMonths} months`]
        .filter(Boolean)
        .join(', ')
    case 'reached':
      return `${body.seconds.reduce((sum, { seconds }) => sum + seconds, 0)} seconds, ${body.attempts} attempts`
    case 'signed_off':
    case 'refused':
      return body.steps.map(({ id, note }) => (note === '' ? id : `${id}: ${note}`)).join('; ')
    case 'retraining':
      return [body.retraining, ...body.steps].join(' ')
    case 'corrected':
      return `record ${body.of.seq}`
    case 'kept':
      return body.months === null ? 'for ever' : `${body.months} months`
    case 'erased':
      return body.personId
    default:
      return ''
  }
}
