import clsx from 'clsx'
import type { Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import type { ConflictChoice, StepConflict } from './save-queue.ts'
import { isSameStep } from './step-drafts.ts'

interface ConflictDialogProps {
  conflict: StepConflict | null
  /** Closing it decides nothing. */
  onChoose: (choice: ConflictChoice) => void
}

/** Two people have changed the same steps: both versions side by side, where they differ. */
export function ConflictDialog({ conflict, onChoose }: ConflictDialogProps) {
  const rows = conflict === null ? [] : findDifferences(conflict)
  return (
    <Dialog
      isOpen={conflict !== null}
      onOpenChange={(isOpen) => !isOpen && onChoose('later')}
      title={m.someone_else_saved_these_steps()}
      description={m.nothing_of_yours_has_been()}
      width="wide"
    >
      {rows.length === 0 ? (
        <p className="text-sm text-ink-soft">{m.both_versions_say_the_same()}</p>
      ) : (
        <div className="grid gap-4 sm:grid-cols-2">
          <Version name={m.your_version()} rows={rows.map(({ mine }) => mine)} border="border-brand" />
          <Version name={m.current_version()} rows={rows.map(({ theirs }) => theirs)} border="border-line" />
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant="secondary" onClick={() => onChoose('theirs')}>
          {m.take_theirs()}
        </Button>
        <Button onClick={() => onChoose('mine')}>{m.keep_mine()}</Button>
      </div>
    </Dialog>
  )
}

function Version({ name, rows, border }: { name: string; rows: (VersionRow | null)[]; border: string }) {
  return (
    <section aria-label={name} className={clsx('min-w-0 rounded-card border p-3.5', border)}>
      <h3 className="text-sm font-semibold">{name}</h3>
      <ul className="mt-2.5 grid grid-cols-1 gap-3">
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of both versions stand beside each other by place.
          <li key={index} className="text-sm">
            {row === null ? <p className="text-ink-faint italic">{m.not_there()}</p> : <StepText {...row} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

function StepText({ step, number }: VersionRow) {
  return (
    <>
      <p className="font-medium">
        <span className="text-ink-faint tabular-nums">{number}. </span>
        {step.title === '' ? m.without_a_title() : step.title}
      </p>
      <p className="text-xs text-ink-faint tabular-nums">
        {formatTime(step.start)} – {formatTime(step.end)}
        {step.isManual && ` · ${m.missed_in_video()}`}
      </p>
      {step.chapter !== null && (
        <p className="text-xs text-ink-faint">{m.chapter_chapter({ chapter: step.chapter })}</p>
      )}
      {step.description !== '' && <p className="mt-0.5 text-ink-soft">{step.description}</p>}
      {step.callouts.map(({ kind, text }) => (
        <p key={`${kind} ${text}`} className="mt-0.5 text-xs text-ink-faint">
          <span className="capitalize">{kind}</span>: {text}
        </p>
      ))}
      {step.commands.map(({ text }, index) => (
        <p key={`${index} ${text}`} dir="ltr" className="mt-0.5 font-mono text-xs text-ink-faint wrap-anywhere">
          {text}
        </p>
      ))}
      {step.aliases.length > 0 && <p className="mt-0.5 text-xs text-ink-faint">{step.aliases.join(', ')}</p>}
      {step.notes !== '' && <p className="mt-0.5 text-xs text-ink-faint">{m.notes_notes({ notes: step.notes })}</p>}
    </>
  )
}

interface VersionRow {
  step: Step
  /** 1 for the first of its list. */
  number: number
}

/** Steps that are not the same in both versions; null where one of them has no such step. */
export function findDifferences({
  mine,
  theirs,
}: StepConflict): { mine: VersionRow | null; theirs: VersionRow | null }[] {
  const [mineById, theirsById] = [numberById(mine), numberById(theirs)]
  const ids = [...new Set([...mineById.keys(), ...theirsById.keys()])]
  const orders = [mine, theirs].map((steps) => steps.filter(({ id }) => mineById.has(id) && theirsById.has(id)))
  const isOrdered = orders[0]?.every((step, index) => step.id === orders[1]?.[index]?.id) ?? true
  return ids
    .map((id) => ({ mine: mineById.get(id) ?? null, theirs: theirsById.get(id) ?? null }))
    .filter((row) => {
      if (row.mine === null || row.theirs === null || !isSameStep(row.mine.step, row.theirs.step)) return true
      if (row.mine.step.chapter !== row.theirs.step.chapter) return true
      // Where only the order differs, every step that has another number does.
      return !isOrdered && row.mine.number !== row.theirs.number
    })
}

function numberById(steps: readonly Step[]): Map<string, VersionRow> {
  return new Map(steps.map((step, index) => [step.id, { step, number: index + 1 }]))
}
