import { Plus, Trash2 } from 'lucide-react'
import { useId, useRef } from 'react'
import { STEP_HARD_LIMITS } from '#contract/limits.ts'
import { COMMAND_KINDS, type StepCommand } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Select, Textarea } from '#web/ui/form-controls.tsx'

const NAMES: Record<StepCommand['kind'], string> = { command: m.command(), code: m.code() }

interface CommandFieldsProps {
  commands: readonly StepCommand[]
  /** When a new one is shown: where the video stands, inside the step. */
  readTimeMs: () => number
  onChange: (commands: StepCommand[]) => void
}

/** What learners type in a step. */
export function CommandFields({ commands, readTimeMs, onChange }: CommandFieldsProps) {
  const headingId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const change = (position: number, changed: Partial<StepCommand>) =>
    onChange(commands.map((command, index) => (index === position ? { ...command, ...changed } : command)))
  function add() {
    onChange([...commands, { kind: 'command', text: '', startMs: readTimeMs() }])
    // The new row is there with the next frame.
    requestAnimationFrame(() => [...(group.current?.querySelectorAll('textarea') ?? [])].at(-1)?.focus())
  }
  function remove(position: number) {
    onChange(commands.filter((_, index) => index !== position))
    group.current?.focus()
  }
  return (
    <fieldset ref={group} tabIndex={-1} aria-labelledby={headingId} className="grid grid-cols-1 gap-2.5 outline-none">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span id={headingId} className="text-sm font-medium">
          {m.commands()}
        </span>
        <span className="text-xs text-ink-faint">{m.learners_copy_them()}</span>
      </div>
      {commands.map((command, index) => (
        <CommandRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a command has nothing but its place; its fields are controlled.
          key={index}
          command={command}
          number={index + 1}
          onChange={(changed) => change(index, changed)}
          onRemove={() => remove(index)}
        />
      ))}
      <div>
        <Button
          variant="secondary"
          size="small"
          disabled={commands.length >= STEP_HARD_LIMITS.maxCommands}
          onClick={add}
        >
          <Plus aria-hidden="true" className="size-4" />
          {m.add_command()}
        </Button>
      </div>
    </fieldset>
  )
}

interface CommandRowProps {
  command: StepCommand
  number: number
  onChange: (change: Partial<StepCommand>) => void
  onRemove: () => void
}

function CommandRow({ command, number, onChange, onRemove }: CommandRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Select
        aria-label={m.kind_of_command_number({ number })}
        value={command.kind}
        onChange={({ target }) => onChange({ kind: target.value as StepCommand['kind'] })}
        className="w-auto!"
      >
        {COMMAND_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {NAMES[kind]}
          </option>
        ))}
      </Select>
      <span className="flex-1 text-xs text-ink-faint tabular-nums">{formatTime(command.startMs / 1_000)}</span>
      <Button variant="ghost" size="icon" aria-label={m.delete_command_number({ number })} onClick={onRemove}>
        <Trash2 aria-hidden="true" className="size-4" />
      </Button>
      <Textarea
        dir="ltr"
        rows={1}
        spellCheck={false}
        aria-label={m.text_of_command_number({ number })}
        value={command.text}
        maxLength={STEP_HARD_LIMITS.commandMaxChars}
        onChange={({ target }) => onChange({ text: target.value })}
        className="field-sizing-content min-h-10 basis-full font-mono"
      />
    </div>
  )
}
