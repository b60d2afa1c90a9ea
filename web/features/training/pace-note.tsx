import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import type { Pace } from './processing-stage.ts'

/** Says what to expect of the wait, and when it is longer than usual. The upload says when the tab may be closed. */
export function PaceNote({ pace, onCheckAgain }: { pace: Pace; onCheckAgain: () => void }) {
  return (
    <div role="status">
      {pace === 'usual' && (
        <p className="text-center text-sm text-ink-soft">You can leave this page. We keep working on it.</p>
      )}
      {pace === 'slow' && (
        <SlowCard title="This is taking a little longer than usual">
          Longer videos and quiet recordings need more time. You can leave this page; nothing is lost.
        </SlowCard>
      )}
      {pace === 'overdue' && (
        <SlowCard title="Processing is taking longer than expected">
          It usually takes 30-60 seconds and can take up to 3 minutes. Long videos take longer. We keep trying, and this
          page shows the steps as soon as they are ready.
          <span className="mt-4 flex flex-wrap gap-3">
            <Button variant="secondary" size="small" onClick={onCheckAgain}>
              Check again
            </Button>
            <ButtonLink variant="secondary" size="small" to="/dashboard">
              Go to Dashboard
            </ButtonLink>
          </span>
        </SlowCard>
      )}
    </div>
  )
}

function SlowCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex gap-3.5 rounded-card bg-warn-soft p-4 text-sm text-warn-ink">
      <Clock aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div>
        <p className="font-semibold">{title}</p>
        <div className="mt-1">{children}</div>
      </div>
    </div>
  )
}
