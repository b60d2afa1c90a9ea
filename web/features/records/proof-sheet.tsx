import type { ProofAnswer, ProofRow } from '#contract/records/proof.ts'
import * as m from '#messages'
import { formatMoment, KIND_LABELS } from './record-labels.ts'

interface ProofSheetProps {
  /** What the sheet is about. */
  kind: 'person' | 'training'
  title: string
  proof: ProofAnswer
}

/** A sheet of paper that shows who did what when, in which version, and who has put their name to it. */
export function ProofSheet({ kind, title, proof: { rows, seq, time } }: ProofSheetProps) {
  const [first] = rows
  if (first === undefined) return null
  const { person, training } = first
  const subject = kind === 'person' ? person.name : (training.title ?? m.record_deleted_training())
  return (
    <article className="wrap-anywhere">
      <h2 className="text-2xl font-semibold">{title}</h2>
      <p dir="auto" className="mt-1 text-xl">
        {subject}
        {kind === 'person' && person.number !== null && <span className="text-ink-soft"> ({person.number})</span>}
      </p>
      <p className="mt-1 mb-5 text-sm text-ink-soft">{m.proof_as_of({ time: formatMoment(time), seq })}</p>
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
  const name = kind === 'person' ? (training.title ?? m.record_deleted_training()) : person.name
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

function Facts({ row: { doneAt, reachedAt, confirmed, signedOff } }: { row: ProofRow }) {
  const facts = [
    { label: m.proof_done(), text: doneAt && formatMoment(doneAt) },
    { label: KIND_LABELS.reached, text: reachedAt && formatMoment(reachedAt) },
    { label: KIND_LABELS.confirmed, text: confirmed && sayWho(confirmed) },
    { label: KIND_LABELS.signed_off, text: signedOff && sayWho(signedOff) },
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

/** A signature: name, time and what it means. */
function sayWho({ name, time, words }: NonNullable<ProofRow['confirmed']>): string {
  const shown = name === '' ? m.record_erased_person() : name
  if (words === '') return `${shown}, ${formatMoment(time)}`
  return m.proof_signature({ name: shown, time: formatMoment(time), meaning: words })
}
