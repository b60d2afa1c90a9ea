import { deciderOf, type NamedTraining, peopleOf, trainingsOf } from '#contract/records/named-in-record.ts'
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

/** Where the kind of the record, the title of the training and what else was recorded stand in a row. */
export const KIND_CELL = HEAD.indexOf('Kind')
export const TITLE_CELL = HEAD.indexOf('Training')
export const DETAILS_CELL = HEAD.indexOf('Details')

interface Read {
  hash: string
  /** Whether the organization shows seconds and attempts. */
  showsEffort: boolean
  nameOf: NameOf
  titleOf: (training: NamedTraining) => string | Promise<string>
}

/** Lists what a table says of a record: a row for each person and training that it is about. */
export async function listRecordRows(
  record: TrainingRecord,
  { hash, nameOf, titleOf, showsEffort }: Read,
): Promise<Cell[][]> {
  const { seq, time, body } = record
  const by = deciderOf(body)
  const byName = by === null ? '' : ((await nameOf(by))?.name ?? ERASED)
  const details = body.kind === 'reached' && !showsEffort ? '' : detailsOf(body)
  const rows: Cell[][] = []
  for (const person of orNone(peopleOf(body))) {
    const name = person === null ? null : await nameOf(person)
    const who = person === null ? ['', ''] : [name?.name ?? ERASED, name?.number ?? '']
    for (const training of orNone(trainingsOf(body))) {
      const what = training === null ? ['', ''] : [await titleOf(training), training.number ?? '']
      const act = 'knownBy' in body ? [body.knownBy, body.deviceTime ?? '', body.wasOffline ? 'yes' : ''] : ['', '', '']
      rows.push([seq, time, body.kind, ...who, ...what, ...act, byName, wordsOf(body), details, hash])
    }
  }
  return rows
}

const ERASED = '(erased)'

/** What is about nobody or nothing has a row, too. */
function orNone<Item>(items: readonly Item[]): readonly (Item | null)[] {
  return items.length === 0 ? [null] : items
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

/** What it took a person to reach every step. */
export function effortOf({ seconds, attempts }: Extract<RecordBody, { kind: 'reached' }>) {
  return { seconds: seconds.reduce((sum, each) => sum + each.seconds, 0), attempts }
}

function judgedOf(steps: Extract<RecordBody, { kind: 'signed_off' }>['steps']): string {
  return steps.map(({ id, note }) => (note === '' ? id : `${id}: ${note}`)).join('; ')
}

function detailsOf(body: RecordBody): string {
  switch (body.kind) {
    case 'assigned':
      return [body.dueAt && `due ${body.dueAt}`, body.everyMonths && `every ${body.everyMonths} months`]
        .filter(Boolean)
        .join(', ')
    case 'reached': {
      const { seconds, attempts } = effortOf(body)
      return `${seconds} seconds, ${attempts} attempts`
    }
    case 'signed_off':
      return judgedOf(body.steps)
    case 'refused':
      return [judgedOf(body.steps), ...(body.shown === undefined ? [] : [judgedOf(body.shown)])].join('; shown: ')
    case 'retraining':
      return [body.retraining, ...body.steps].join(' ')
    case 'corrected':
      return `record ${body.of.seq}`
    case 'kept':
      return `${body.months === null ? 'for ever' : `${body.months} months`}${body.showsEffort ? ', seconds and attempts are shown' : ''}`
    case 'erased':
      return body.personId
    default:
      return ''
  }
}
