import clsx from 'clsx'
import { Play } from 'lucide-react'
import type { StepCommand } from '#contract/step.ts'
import * as m from '#messages'
import { formatTime } from '#web/lib/format/format-time.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'

export interface StepCommandsProps {
  commands: readonly StepCommand[]
  onPlay: (seconds: number) => void
  className?: string
}

/** What is typed in a step, to be copied, with its moment. It lies above the button that a step is. */
export function StepCommands({ commands, onPlay, className }: StepCommandsProps) {
  if (commands.length === 0) return null
  return (
    <ul
      aria-label={m.commands()}
      className={clsx('relative z-1 grid grid-cols-1 gap-2', className ?? 'mt-2.5 text-sm')}
    >
      {commands.map(({ text, startMs }, index) => {
        const time = formatTime(startMs / 1_000)
        return (
          <li key={`${index} ${text}`} className="rounded-control border border-line bg-sunken">
            {/* Commands are written from left to right in every language. */}
            <pre
              dir="ltr"
              translate="no"
              className="max-h-48 overflow-y-auto px-3 pt-2 font-mono whitespace-pre-wrap text-ink wrap-anywhere"
            >
              <code>{text}</code>
            </pre>
            <div className="flex flex-wrap items-center gap-1 px-1 pb-1">
              <CopyButton variant="ghost" size="small" text={text} about={text} />
              <button
                type="button"
                aria-label={m.play_from_time_title({ time, title: text })}
                onClick={() => onPlay(startMs / 1_000)}
                className="inline-flex min-h-6 items-center gap-1 rounded-chip bg-brand-soft px-1.5 text-xs font-medium text-brand-ink tabular-nums hover:bg-brand hover:text-on-brand"
              >
                <Play aria-hidden="true" className="size-3 shrink-0" fill="currentColor" />
                {time}
              </button>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
