import clsx from 'clsx'
import { Check, X } from 'lucide-react'
import type { Proposal, Step } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime, speakTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Badge } from '#web/ui/card.tsx'
import { ChangedText } from '#web/ui/changed-text.tsx'

const SIDE_TITLE = 'flex min-h-6 items-center gap-2 text-xs font-medium text-ink-faint'

interface ProposalCardProps {
  proposed: Proposal
  steps: readonly Step[]
  onAccept: () => void
  onReject: () => void
}

/** A proposed step beside those that give way to it, with what differs marked. */
export function ProposalCard({ proposed, steps, onAccept, onReject }: ProposalCardProps) {
  const own = steps.filter(({ id }) => proposed.replaces.includes(id))
  const only = own.length === 1 ? own[0] : undefined
  return (
    <li className="rounded-control border border-line p-3.5">
      <div className="grid gap-4 @xl:grid-cols-2">
        <div className="min-w-0">
          <p className={SIDE_TITLE}>{m.yours_now()}</p>
          {own.length === 0 && <p className="mt-1 text-sm text-ink-soft">{m.no_step_of_yours_is()}</p>}
          {own.map((step) => (
            <StepSide key={step.id} step={step} other={only === undefined ? step : proposed} side="before" />
          ))}
        </div>
        <div className="min-w-0">
          <p className={SIDE_TITLE}>
            {m.proposed()}
            {own.length === 0 && <Badge tone="brand">{m.new_action()}</Badge>}
          </p>
          <StepSide step={proposed} other={only ?? proposed} side="after" />
        </div>
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button variant="ghost" size="small" aria-label={m.reject_title({ title: proposed.title })} onClick={onReject}>
          <X aria-hidden="true" className="size-4" />
          {m.reject()}
        </Button>
        <Button
          variant="secondary"
          size="small"
          aria-label={m.accept_title({ title: proposed.title })}
          onClick={onAccept}
        >
          <Check aria-hidden="true" className="size-4" />
          {m.accept()}
        </Button>
      </div>
    </li>
  )
}

interface StepSideProps {
  step: Step
  /** What it is compared with; itself for no comparison. */
  other: Step
  side: 'before' | 'after'
}

function StepSide({ step, other, side }: StepSideProps) {
  const keepsNotes = side === 'after' && (other.notesEdited || other.notesQuotable)
  const { notes } = keepsNotes ? other : step
  const compare = (of: (step: Step) => string) =>
    side === 'before' ? { before: of(step), after: of(other), side } : { before: of(other), after: of(step), side }
  return (
    <div className="mt-1 [&+&]:mt-3">
      <p className="flex items-start gap-2 text-sm font-semibold">
        <StepTimes step={step} isMoved={!isSameSpan(step, other)} />
        <span className="min-w-0">
          <ChangedText {...compare((each) => each.title)} />
        </span>
      </p>
      {step.description !== '' && (
        <p className="mt-1 text-sm text-ink-soft">
          <ChangedText {...compare((each) => each.description)} />
        </p>
      )}
      {step.commands.length > 0 && (
        <p dir="ltr" className="mt-1 font-mono text-xs text-ink-soft wrap-anywhere">
          <ChangedText {...compare(listCommands)} />
        </p>
      )}
      {notes !== '' && <p className="mt-1 text-xs text-ink-faint wrap-anywhere">{m.notes_notes({ notes })}</p>}
    </div>
  )
}

function listCommands({ commands }: Step): string {
  return commands.map(({ text }) => text).join(' · ')
}

function StepTimes({ step, isMoved }: { step: Step; isMoved: boolean }) {
  return (
    <span
      className={clsx(
        'shrink-0 rounded-chip px-1.5 text-xs leading-5 tabular-nums',
        isMoved ? 'bg-warn-soft text-warn-ink' : 'bg-sunken text-ink-soft',
      )}
    >
      <span aria-hidden="true">
        {formatTime(step.start)}–{formatTime(step.end)}
      </span>
      <span className="sr-only">{m.from_start_to_end({ start: speakTime(step.start), end: speakTime(step.end) })}</span>
    </span>
  )
}

/** Whether two steps have the same times as people see them. */
function isSameSpan(one: Step, other: Step): boolean {
  return formatTime(one.start) === formatTime(other.start) && formatTime(one.end) === formatTime(other.end)
}
