import { formatTime } from '#web/lib/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import type { OpenLine } from './open-line.ts'

interface KeptLineProps {
  line: OpenLine
  /** Null while nothing can be corrected. */
  onGoOn: (() => void) | null
  onGiveUp: () => void
}

/** What was being typed when a run began. */
export function KeptLine({ line, onGoOn, onGiveUp }: KeptLineProps) {
  return (
    <div className="border-b border-line bg-warn-soft px-4 py-3 text-sm">
      <p role="status" className="font-medium text-warn-ink">
        Your correction of the line at {formatTime(line.start)} is not saved yet.
        {onGoOn === null && ' You can go on when the video has been processed.'}
      </p>
      <p className="mt-1 wrap-anywhere">{line.draft}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        {onGoOn !== null && (
          <Button variant="secondary" size="small" onClick={onGoOn}>
            Go on correcting
          </Button>
        )}
        <Button variant={onGoOn === null ? 'secondary' : 'ghost'} size="small" onClick={onGiveUp}>
          Discard it
        </Button>
      </div>
    </div>
  )
}
