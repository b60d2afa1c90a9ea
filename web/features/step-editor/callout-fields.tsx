import { Check, Plus, Trash2, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import { CALLOUT_KINDS, type Callout, type ProposedCallout } from '#contract/step.ts'
import * as m from '#messages'
import { Button } from '#web/ui/button.tsx'
import { Input, Select } from '#web/ui/form-controls.tsx'

const NAMES: Record<Callout['kind'], string> = { warning: m.warning(), tool: m.tool(), part: m.part(), tip: m.tip() }

interface CalloutFieldsProps {
  callouts: readonly Callout[]
  proposed: readonly ProposedCallout[]
  onChange: (change: { callouts?: Callout[]; proposedCallouts?: ProposedCallout[] }) => void
}

/** Callouts that learners see before a step, and proposed callouts from the narration. */
export function CalloutFields({ callouts, proposed, onChange }: CalloutFieldsProps) {
  const headingId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const isFull = callouts.length >= STEP_HARD_LIMITS.maxCallouts
  const change = (position: number, changed: Partial<Callout>) =>
    onChange({
      callouts: callouts.map((callout, index) => (index === position ? { ...callout, ...changed } : callout)),
    })
  function add() {
    onChange({ callouts: [...callouts, { kind: 'warning', text: '' }] })
    // The new row is there with the next frame.
    requestAnimationFrame(() => [...(group.current?.querySelectorAll('input') ?? [])].at(-1)?.focus())
  }
  function remove(position: number) {
    onChange({ callouts: callouts.filter((_, index) => index !== position) })
    group.current?.focus()
  }
  function decide(position: number, isTaken: boolean) {
    const { kind, text } = proposed[position] as ProposedCallout
    const proposedCallouts = proposed.filter((_, index) => index !== position)
    onChange(isTaken ? { callouts: [...callouts, { kind, text }], proposedCallouts } : { proposedCallouts })
    group.current?.focus()
  }
  return (
    <fieldset ref={group} tabIndex={-1} aria-labelledby={headingId} className="grid grid-cols-1 gap-2.5 outline-none">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span id={headingId} className="text-sm font-medium">
          {m.callouts()}
        </span>
        <span className="text-xs text-ink-faint">{m.learners_see_them_before_the()}</span>
      </div>
      {callouts.map((callout, index) => (
        <CalloutRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a callout has nothing but its place; its fields are controlled.
          key={index}
          callout={callout}
          number={index + 1}
          onChange={(changed) => change(index, changed)}
          onRemove={() => remove(index)}
        />
      ))}
      <div>
        <Button variant="secondary" size="small" disabled={isFull} onClick={add}>
          <Plus aria-hidden="true" className="size-4" />
          {m.add_callout()}
        </Button>
      </div>
      {proposed.length > 0 && <Proposed {...{ proposed, isFull }} onDecide={decide} />}
    </fieldset>
  )
}

interface CalloutRowProps {
  callout: Callout
  number: number
  onChange: (change: Partial<Callout>) => void
  onRemove: () => void
}

function CalloutRow({ callout, number, onChange, onRemove }: CalloutRowProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Select
        aria-label={m.kind_of_callout_number({ number })}
        value={callout.kind}
        onChange={({ target }) => onChange({ kind: target.value as Callout['kind'] })}
        className="w-auto! flex-1 @xl:flex-none"
      >
        {CALLOUT_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {NAMES[kind]}
          </option>
        ))}
      </Select>
      <Input
        aria-label={m.text_of_callout_number({ number })}
        value={callout.text}
        maxLength={STEP_HARD_LIMITS.calloutMaxChars}
        onChange={({ target }) => onChange({ text: target.value })}
        className="order-last min-w-0 basis-full @xl:order-none @xl:flex-1 @xl:basis-0"
      />
      <Button variant="ghost" size="icon" aria-label={m.delete_callout_number({ number })} onClick={onRemove}>
        <Trash2 aria-hidden="true" className="size-4" />
      </Button>
    </div>
  )
}

interface ProposedProps {
  proposed: readonly ProposedCallout[]
  isFull: boolean
  onDecide: (index: number, isTaken: boolean) => void
}

function Proposed({ proposed, isFull, onDecide }: ProposedProps) {
  return (
    <ul aria-label={m.proposed_callouts()} className="grid grid-cols-1 gap-2">
      {proposed.map(({ kind, text, quote }, index) => (
        <li key={`${kind} ${text}`} className="rounded-control border border-line p-3 text-sm">
          <p>
            <b>{NAMES[kind]}:</b> {text}
          </p>
          {quote !== text && <blockquote className="mt-1 text-ink-soft">“{quote}”</blockquote>}
          <div className="mt-2 flex gap-2">
            <Button
              variant="secondary"
              size="small"
              disabled={isFull}
              aria-label={m.use_callout_text({ text })}
              onClick={() => onDecide(index, true)}
            >
              <Check aria-hidden="true" className="size-4" />
              {m.use()}
            </Button>
            <Button
              variant="ghost"
              size="small"
              aria-label={m.leave_out_callout_text({ text })}
              onClick={() => onDecide(index, false)}
            >
              <X aria-hidden="true" className="size-4" />
              {m.leave_out()}
            </Button>
          </div>
        </li>
      ))}
    </ul>
  )
}
