import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleSlash,
  FileVideo,
  type LucideIcon,
  Pause,
  Play,
} from 'lucide-react'
import { Link } from 'react-router-dom'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import { TransferFacts } from './transfer-facts.tsx'
import type { UploadItem, UploadStatus } from './upload-item.ts'

const ICONS: Record<UploadStatus, { icon: LucideIcon; tone: string }> = {
  idle: { icon: FileVideo, tone: 'text-ink-faint' },
  uploading: { icon: FileVideo, tone: 'text-brand' },
  processing: { icon: FileVideo, tone: 'text-brand' },
  done: { icon: CircleCheck, tone: 'text-brand' },
  error: { icon: CircleAlert, tone: 'text-danger' },
  canceled: { icon: CircleSlash, tone: 'text-ink-faint' },
}

const RETRY_LABELS = { none: null, again: 'Try again', continue: 'Continue', anyway: 'Upload anyway' } as const

/** What the row says about a file's state. */
export function statusText({ status, progress, message, isPaused }: UploadItem): string {
  if (status === 'uploading') return isPaused ? `Paused at ${progress}%` : `Uploading ${progress}%`
  if (status === 'processing') return 'Processing'
  if (status === 'done') return 'Done'
  if (status === 'idle') return message ?? 'Not started'
  return message ?? status
}

interface UploadRowProps {
  item: UploadItem
  /** Another upload is on its way. */
  isBlocked: boolean
  onCancel: () => void
  onPause: (isPaused: boolean) => void
  onRetry: () => void
}

export function UploadRow({ item, isBlocked, onCancel, onPause, onRetry }: UploadRowProps) {
  const isMoving = item.status === 'uploading' || item.status === 'processing'
  const retryLabel = isBlocked ? null : RETRY_LABELS[item.retry]
  const retry = retryLabel ? { label: retryLabel, run: onRetry } : null
  const action = item.status === 'uploading' ? { label: 'Cancel', run: onCancel } : retry
  return (
    <Card className="@container p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-56 items-center gap-4">
          <ItemIcon item={item} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-sm font-medium">{item.name}</p>
            <p className="text-sm text-ink-soft tabular-nums">
              {formatBytes(item.sizeBytes)} ·{' '}
              <span className={item.status === 'error' ? 'text-danger-ink' : undefined}>{statusText(item)}</span>
            </p>
          </div>
        </div>
        <div className="flex gap-2 empty:hidden @max-md:basis-full">
          {item.canPause && <PauseButton isPaused={item.isPaused} onPause={onPause} />}
          {action && (
            // One button whatever it says, so that the keyboard's focus outlives a cancel.
            <Button key="action" variant="secondary" onClick={action.run} className="@max-md:flex-1">
              {action.label}
            </Button>
          )}
        </div>
      </div>
      {isMoving && <Progress value={item.progress} label={`Upload of ${item.name}`} className="mt-4" />}
      {isMoving && <TransferFacts item={item} />}
      {item.detail && <p className="mt-2 text-sm text-ink-soft sm:pl-10">{item.detail}</p>}
      <Outlook item={item} />
    </Card>
  )
}

function ItemIcon({ item }: { item: UploadItem }) {
  const isDoubtful = item.retry === 'anyway'
  const { icon: Icon, tone } = isDoubtful ? { icon: CircleHelp, tone: 'text-warn-ink' } : ICONS[item.status]
  return <Icon aria-hidden="true" className={`size-6 shrink-0 ${tone}`} strokeWidth={1.75} />
}

function PauseButton({ isPaused, onPause }: { isPaused: boolean; onPause: (isPaused: boolean) => void }) {
  const Icon = isPaused ? Play : Pause
  return (
    <Button key="pause" variant="secondary" onClick={() => onPause(!isPaused)} className="@max-md:flex-1">
      <Icon aria-hidden="true" className="size-4" />
      {isPaused ? 'Resume' : 'Pause'}
    </Button>
  )
}

/** When the tab may go, and where the module is; only what is true right now. */
function Outlook({ item: { status, moduleId, name } }: { item: UploadItem }) {
  if (status !== 'uploading' && status !== 'processing' && status !== 'done') return null
  return (
    <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm text-ink-soft">
      <span>{status === 'done' ? 'You can close this tab now.' : 'Keep this tab open until the upload is done.'}</span>
      {moduleId !== null && (
        <Link
          to={`/training/${encodeURIComponent(moduleId)}`}
          aria-label={`Open the module of ${name}`}
          className="rounded-chip font-medium text-brand-ink underline-offset-4 hover:underline"
        >
          Open the module
        </Link>
      )}
    </p>
  )
}
