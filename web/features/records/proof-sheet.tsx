import type { ProofAnswer, ProofRow } from '#contract/records/proof.ts'
import * as m from '#messages'
import { formatMoment } from '#web/lib/format/format-date.ts'
import { KIND_LABELS } from './record-labels.ts'

interface ProofSheetProps {
  /** What the sheet is about. */
  kind: 'person' | 'training'
  title: string
  proof: ProofAnswer
}

/** A sheet of paper that shows who did what when, in which version, and who has put their name to it. */
export function ProofSheet({ kind, title, proof: { rows, isCut, seq, time } }: ProofSheetProps) {
  const [first] = rows
  if (first === undefined) return null
  const { training } = first
  // Each name under which something was done: who reads it is not to take one for another.
  const subjects = kind === 'person' ? rows.map((row) => row.person) : []
  const names = [...new Set(subjects.map(sayPerson))].join(' · ')
  const subject = kind === 'person' ? names : (training.title ?? m.record_deleted_training())
  return (
    <article className="wrap-anywhere">
      <h2 className="text-2xl font-semibold">{title}</h2>
      <p dir="auto" className="mt-1 text-xl">
        {subject}
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
            <Facts row={row} />
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
      <h3 dir="auto" className="font-medium">
        {name}
        {kind === 'training' && person.number !== null && <span className="text-ink-soft"> ({person.number})</span>}
      </h3>
      <p className="text-sm text-ink-soft">{m.record_version({ number: training.number })}</p>
      <p dir="ltr" className="font-mono text-xs text-ink-faint">
        {training.hash.slice(0, 16)}
      </p>
    </div>
  )
}

function Facts({ row: { training, doneAt, reached, confirmed, signedOff } }: { row: ProofRow }) {
  const say = (fact: ProofRow['reached'], text: string) =>
    fact === null || fact.version === training.number ? text : `${m.record_version({ number: fact.version })}, ${text}`
  const facts = [
    { label: m.proof_done(), text: doneAt && formatMoment(doneAt) },
    { label: KIND_LABELS.reached, text: reached && say(reached, formatMoment(reached.time)) },
    { label: KIND_LABELS.confirmed, text: confirmed && say(confirmed, sayWho(confirmed)) },
    { label: KIND_LABELS.signed_off, text: signedOff && say(signedOff, sayWho(signedOff)) },
  ]
  return (
    <dl className="grid gap-1 text-sm">
      {facts.map(
        ({ label, text }) =>
          text !== null && (
            <div key={label}>
              <dt className="inline font-medium">{label}: </dt>
              <dd dir="auto" className="inline text-ink-soft">
                {text}
              </dd>
            </div>
          ),
      )}
    </dl>
  )
}

function nameOf({ name }: ProofRow['person']): string {
  return name === '' ? m.record_erased_person() : name
}

function sayPerson(person: ProofRow['person']): string {
  return person.number === null ? nameOf(person) : `${nameOf(person)} (${person.number})`
}

/** A signature: name, time and what it means. */
function sayWho({ name, time, words }: NonNullable<ProofRow['confirmed']>): string {
  if (name === null) return formatMoment(time)
  const shown = name === '' ? m.record_erased_person() : name
  if (words === '') return `${shown}, ${formatMoment(time)}`
  return m.proof_signature({ name: shown, time: formatMoment(time), meaning: words })
}
