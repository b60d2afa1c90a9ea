import { Fragment, type ReactNode } from 'react'
import type { ProofAnswer, ProofRow } from '#contract/records/proof.ts'
import * as m from '#messages'
import { formatMoment } from '#web/lib/format/format-date.ts'
import { formatCount } from '#web/lib/format/format-number.ts'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { NAMED } from './named.tsx'
import { KIND_LABELS, markName } from './record-labels.ts'
import { RecordPhotos } from './record-photos.tsx'

interface ProofSheetProps {
  /** What the sheet is about. */
  kind: 'person' | 'training'
  title: string
  /** Name of the organization whose records these are; empty while it is not known. */
  organization: string
  proof: ProofAnswer
}

/** A sheet of paper that shows who did what when, in which version, and who has put their name to it. */
export function ProofSheet({ kind, title, organization, proof: { rows, isCut, seq, time } }: ProofSheetProps) {
  const [first] = rows
  if (first === undefined) return null
  const { training } = first
  // Each name under which something was done: who reads it is not to take one for another.
  const subjects =
    kind === 'person'
      ? [...new Set(rows.map((row) => sayPerson(row.person)))]
      : [training.title ?? m.record_deleted_training()]
  return (
    <article className="wrap-anywhere">
      {organization !== '' && (
        <p className="mb-1 text-sm font-medium text-ink-soft">
          <bdi>{organization}</bdi>
        </p>
      )}
      <h2 className="text-2xl font-semibold">{title}</h2>
      <p className="mt-1 text-xl">
        {subjects.map((subject, index) => (
          <Fragment key={subject}>
            {index > 0 && ' · '}
            <bdi>{subject}</bdi>
          </Fragment>
        ))}
      </p>
      <p className="mt-1 mb-5 text-sm text-ink-soft">{m.proof_as_of({ time: formatMoment(time), seq })}</p>
      {isCut && <p className="mb-5 text-sm font-medium text-warn-ink">{m.proof_is_cut({ count: rows.length })}</p>}
      <ul className="border-t border-line-strong">
        {rows.map((row) => (
          <li
            key={`${row.person.id} ${row.training.id}`}
            className="grid break-inside-avoid gap-x-6 gap-y-1 border-b border-line py-3 sm:grid-cols-2 print:grid-cols-2"
          >
            <Subject row={row} kind={kind} />
            <div>
              <Facts row={row} kind={kind} />
              {kind === 'person' && visitsOf(row.signedOff).map((visit) => <RecordPhotos key={visit.seq} {...visit} />)}
            </div>
          </li>
        ))}
      </ul>
    </article>
  )
}

/** What a row is about: on the sheet of a person the training, on that of a training the person. */
function Subject({ row: { person, training }, kind }: { row: ProofRow; kind: ProofSheetProps['kind'] }) {
  const name = kind === 'person' ? (training.title ?? m.record_deleted_training()) : nameOf(person)
  return (
    <div>
      <h3 className="font-medium">
        <bdi>{name}</bdi>
        {kind === 'training' && person.number !== null && <span className="text-ink-soft"> ({person.number})</span>}
      </h3>
      <p className="text-sm text-ink-soft">{`${m.version()} ${training.number}`}</p>
      <p className="text-xs text-ink-faint">
        {m.proof_hash()}: <bdi className="font-mono">{training.hash.slice(0, 16)}</bdi>
      </p>
    </div>
  )
}

interface FactsProps {
  row: ProofRow
  kind: ProofSheetProps['kind']
}

function Facts({ row: { training, doneAt, reached, confirmed, signedOff }, kind }: FactsProps) {
  const say = (fact: ProofRow['reached'], text: ReactNode) => (
    <>
      {fact !== null && fact.version !== training.number && `${m.record_version({ number: fact.version })}, `}
      {text}
    </>
  )
  const signature = signedOff && (
    <>
      {sayWho(signedOff)}
      {kind === 'training' && sayPhotos(signedOff)}
    </>
  )
  const facts = [
    { label: m.proof_done(), text: doneAt && formatMoment(doneAt) },
    { label: KIND_LABELS.reached, text: reached && say(reached, formatMoment(reached.time)) },
    { label: KIND_LABELS.confirmed, text: confirmed && say(confirmed, sayWho(confirmed)) },
    { label: KIND_LABELS.signed_off, text: signedOff && say(signedOff, signature) },
  ]
  return (
    <dl className="grid gap-1 text-sm">
      {facts.map(
        ({ label, text }) =>
          text !== null && (
            <div key={label}>
              <dt className="inline font-medium">{label}: </dt>
              <dd className="inline text-ink-soft">{text}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

/** The visits of a supervisor for a signature, in their order. */
function visitsOf(signedOff: ProofRow['signedOff']) {
  return signedOff === null ? [] : [...signedOff.earlier, signedOff]
}

/** A list of many people is no album: it says where there are photos, and the certificates show them. */
function sayPhotos(signedOff: ProofRow['signedOff']): string {
  const count = visitsOf(signedOff).reduce((sum, { photos }) => sum + photos.length, 0)
  return count === 0 ? '' : ` · ${m.photos_count({ count, shown: formatCount(count) })}`
}

function nameOf({ name }: ProofRow['person']): string {
  return name === '' ? m.record_erased_person() : name
}

function sayPerson(person: ProofRow['person']): string {
  return person.number === null ? nameOf(person) : `${nameOf(person)} (${person.number})`
}

/** A signature: name, time and what it means. */
function sayWho({ name, time, words }: NonNullable<ProofRow['confirmed']>): ReactNode {
  if (name === null) return formatMoment(time)
  const shown = markName(name === '' ? m.record_erased_person() : name)
  if (words === '') return fillMarks(`${shown}, ${formatMoment(time)}`, NAMED)
  return fillMarks(m.proof_signature({ name: shown, time: formatMoment(time), meaning: markName(words) }), NAMED)
}
