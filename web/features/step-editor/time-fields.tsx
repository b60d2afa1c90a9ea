import { Crosshair, Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import type { Playhead } from './playhead.ts'
import { type DraftForm, nudgeTime } from './step-drafts.ts'

/** Of a form with two times. */
interface TimesForm extends Pick<DraftForm, 'id'> {
  draft: Pick<DraftForm['draft'], 'start' | 'end'>
  problems: Pick<DraftForm['problems'], 'start' | 'end'>
  onChange: (change: { start?: string; end?: string }) => void
}

interface TimeFieldsProps {
  form: TimesForm
  playhead: Playhead
  /** Actions on both times. */
  children?: ReactNode
}

export function TimeFields({ form, playhead, children }: TimeFieldsProps) {
  return (
    <div className="grid grid-cols-1 gap-x-6 gap-y-4 rounded-control bg-sunken p-3.5 @xl:grid-cols-2">
      <TimeField {...{ form, playhead }} name="start" />
      <TimeField {...{ form, playhead }} name="end" />
      {children}
    </div>
  )
}

const TIME_LABELS = {
  start: {
    label: m.start(),
    earlier: m.move_start_one_second_earlier(),
    later: m.move_start_one_second_later(),
    takeCurrent: m.use_current_time_as_start(),
  },
  end: {
    label: m.end(),
    earlier: m.move_end_one_second_earlier(),
    later: m.move_end_one_second_later(),
    takeCurrent: m.use_current_time_as_end(),
  },
} as const

interface TimeFieldProps extends Pick<TimeFieldsProps, 'form' | 'playhead'> {
  name: keyof typeof TIME_LABELS
}

/** A time as `mm:ss`: typed, moved by a second, or taken from the video. */
function TimeField({ form, playhead, name }: TimeFieldProps) {
  const labels = TIME_LABELS[name]
  const value = form.draft[name]
  const change = (time: string) => form.onChange({ [name]: time })
  const nudge = (byS: -1 | 1) => change(nudgeTime(value, byS) ?? value)
  function takeCurrent() {
    const timeS = playhead.readTimeS()
    if (timeS !== null) change(formatTime(timeS))
  }
  return (
    <FormField id={`${form.id}-${name}`} label={labels.label} problem={form.problems[name]}>
      {(links) => (
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
          <div className="flex items-center gap-1">
            <Nudge label={labels.earlier} icon={Minus} onPress={() => nudge(-1)} />
            <Input
              {...links}
              value={value}
              onChange={(event) => change(event.target.value)}
              placeholder={m.mm_ss()}
              autoComplete="off"
              spellCheck={false}
              className="w-24! text-center tabular-nums"
            />
            <Nudge label={labels.later} icon={Plus} onPress={() => nudge(1)} />
          </div>
          <Button
            variant="ghost"
            size="small"
            disabled={playhead.readTimeS() === null}
            aria-label={labels.takeCurrent}
            onClick={takeCurrent}
            className="-ms-2 px-2! text-brand-ink!"
          >
            <Crosshair aria-hidden="true" className="size-4" />
            {m.use_current_time()}
          </Button>
        </div>
      )}
    </FormField>
  )
}

function Nudge({ label, icon: Icon, onPress }: { label: string; icon: typeof Plus; onPress: () => void }) {
  return (
    <Button variant="secondary" size="icon" aria-label={label} title={label} onClick={onPress} className="size-9!">
      <Icon aria-hidden="true" className="size-4" />
    </Button>
  )
}
