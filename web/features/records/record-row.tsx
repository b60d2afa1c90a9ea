import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { ShownRecord } from '#contract/records/record-list.ts'
import { FIXED_KINDS, type RecordKind } from '#contract/records/training-record.ts'
import * as m from '#messages'
import { formatMoment } from '#web/lib/format/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge, type BadgeTone } from '#web/ui/card.tsx'
import { fillMarks } from '#web/ui/fill-marks.tsx'
import { CorrectDialog } from './correct-dialog.tsx'
import { NAMED } from './named.tsx'
import { KIND_LABELS, KNOWN_LABELS, markName, nameOf, titleOf } from './record-labels.ts'
import { RecordPhotos } from './record-photos.tsx'

const TONES: Partial<Record<RecordKind, BadgeTone>> = {
  confirmed: 'brand',
  signed_off: 'brand',
  reached: 'brand',
  refused: 'warn',
  retraining: 'warn',
  corrected: 'danger',
  erased: 'danger',
}

/** One record: what, about whom, which training, when and by whom. Names and trainings lead to all about them. */
export function RecordRow({ record }: { record: ShownRecord }) {
  const { seq, kind, time, people, peopleCount, trainings, trainingCount, words, photos, correctedBy } = record
  const [isCorrecting, setIsCorrecting] = useState(false)
  const isCorrectable = correctedBy === null && !FIXED_KINDS.includes(kind)
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 py-3 sm:flex-nowrap">
      <span className="w-14 shrink-0 pt-0.5 text-sm text-ink-faint tabular-nums">#{seq}</span>
      <div className="min-w-0 flex-1 basis-60 wrap-anywhere">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone={TONES[kind] ?? 'neutral'} className={correctedBy === null ? '' : 'line-through'}>
            {KIND_LABELS[kind]}
          </Badge>
          <Joined count={peopleCount}>
            {people.map((person) => (
              <Filter key={person.id} to={`?person=${encodeURIComponent(person.id)}`}>
                <bdi>{nameOf(person)}</bdi>
              </Filter>
            ))}
          </Joined>
        </p>
        <p className="mt-1 text-sm text-ink-soft empty:hidden">
          <Joined count={trainingCount}>
            {trainings.map((training) => (
              <Filter key={training.id} to={`?training=${encodeURIComponent(training.id)}`}>
                {fillMarks(titleOf(training), NAMED)}
              </Filter>
            ))}
          </Joined>
        </p>
        {words !== '' && (
          <p className="mt-1 border-s-2 border-line ps-3 text-sm text-ink-soft">
            <bdi>{words}</bdi>
          </p>
        )}
        <RecordPhotos seq={seq} photos={photos} />
        <p className="mt-1 text-xs text-ink-faint">
          {listFacts(record).map((fact, index) => (
            <Fragment key={fact}>
              {index > 0 && ' · '}
              <span>{fillMarks(fact, NAMED)}</span>
            </Fragment>
          ))}
        </p>
      </div>
      <div className="flex w-full flex-wrap items-center justify-between gap-x-3 sm:w-auto sm:flex-col sm:items-end">
        <time dateTime={time} className="pt-0.5 text-sm whitespace-nowrap text-ink-soft tabular-nums">
          {formatMoment(time)}
        </time>
        {isCorrectable && (
          <Button variant="ghost" size="small" className="-mx-3" onClick={() => setIsCorrecting(true)}>
            {m.record_correct()}
            <span className="sr-only">: #{seq}</span>
          </Button>
        )}
      </div>
      <CorrectDialog seq={seq} isOpen={isCorrecting} onOpenChange={setIsCorrecting} />
    </li>
  )
}

function Filter({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="font-medium text-ink underline-offset-2 hover:underline">
      {children}
    </Link>
  )
}

/** Some of many, with how many more there are. */
function Joined({ count, children }: { count: number; children: ReactNode[] }) {
  const rest = count - children.length
  if (count === 0) return null
  return (
    <span className="min-w-0">
      {children.map((child, index) => (
        <Fragment key={index}>
          {index > 0 && ' · '}
          {child}
        </Fragment>
      ))}
      {rest > 0 && <span className="text-ink-faint tabular-nums"> +{rest}</span>}
    </span>
  )
}

function listFacts({ knownBy, by, offlineAt, effort, corrects, correctedBy, hash }: ShownRecord): string[] {
  return [
    ...(correctedBy === null ? [] : [m.record_corrected_by({ seq: correctedBy })]),
    ...(corrects === null ? [] : [m.record_corrects({ seq: corrects })]),
    // The name of the supervisor says it.
    ...(knownBy === null || (knownBy === 'supervisor' && by !== null) ? [] : [KNOWN_LABELS[knownBy]]),
    ...(by === null ? [] : [m.record_by({ name: markName(nameOf(by)) })]),
    ...(effort === null ? [] : [m.record_effort(effort)]),
    ...(offlineAt === null ? [] : [m.record_offline({ time: formatMoment(offlineAt) })]),
    hash.slice(0, 12),
  ]
}
