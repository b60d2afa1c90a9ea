import { Crosshair, Minus, Plus } from 'lucide-react'
import { formatTime } from '#web/lib/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { FormField } from '#web/ui/form-field.tsx'
import { Input } from '#web/ui/input.tsx'
import type { Playhead } from './playhead.ts'
import { nudgeTime } from './step-draft.ts'

interface TimeFieldProps {
  id: string
  label: string
  value: string
  problem: string | undefined
  playhead: Playhead
  onChange: (value: string) => void
}

/** A time as `mm:ss`: typed, moved by a second, or taken from the video. */
export function TimeField({ id, label, value, problem, playhead, onChange }: TimeFieldProps) {
  const name = label.toLowerCase()
  function nudge(byS: -1 | 1) {
    onChange(nudgeTime(value, byS) ?? value)
  }
  function takeCurrent() {
    const timeS = playhead.readTimeS()
    if (timeS !== null) onChange(formatTime(timeS))
  }
  return (
    <FormField id={id} label={label} problem={problem}>
      {(links) => (
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
          <div className="flex items-center gap-1">
            <Nudge label={`Move ${name} one second earlier`} icon={Minus} onPress={() => nudge(-1)} />
            <Input
              {...links}
              value={value}
              onChange={(event) => onChange(event.target.value)}
              placeholder="mm:ss"
              autoComplete="off"
              spellCheck={false}
              className="w-24! text-center tabular-nums"
            />
            <Nudge label={`Move ${name} one second later`} icon={Plus} onPress={() => nudge(1)} />
          </div>
          <Button
            variant="ghost"
            size="small"
            disabled={playhead.readTimeS() === null}
            aria-label={`Use current time as ${name}`}
            onClick={takeCurrent}
            className="-ml-2 px-2! text-brand-ink!"
          >
            <Crosshair aria-hidden="true" className="size-4" />
            Use current time
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
