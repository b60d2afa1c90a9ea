import { CircleAlert, CircleCheck, CircleSlash, FileVideo, type LucideIcon } from 'lucide-react'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/progress.tsx'
import type { UploadItem, UploadStatus } from './upload-item.ts'

const ICONS: Record<UploadStatus, { icon: LucideIcon; tone: string }> = {
  idle: { icon: FileVideo, tone: 'text-ink-faint' },
  uploading: { icon: FileVideo, tone: 'text-brand' },
  processing: { icon: FileVideo, tone: 'text-brand' },
  done: { icon: CircleCheck, tone: 'text-brand' },
  error: { icon: CircleAlert, tone: 'text-danger' },
  canceled: { icon: CircleSlash, tone: 'text-ink-faint' },
}

/** What the row says about a file's state. */
export function statusText({ status, progress, message }: UploadItem): string {
  if (status === 'uploading') return `Uploading ${progress}%`
  if (status === 'processing') return 'Processing'
  if (status === 'done') return 'Done'
  if (status === 'idle') return 'Not started'
  return message ?? status
}

interface UploadRowProps {
  item: UploadItem
  onCancel: () => void
  onRetry: () => void
}

export function UploadRow({ item, onCancel, onRetry }: UploadRowProps) {
  const { icon: Icon, tone } = ICONS[item.status]
  const isMoving = item.status === 'uploading' || item.status === 'processing'
  const canRetry = item.status === 'canceled' || (item.status === 'error' && item.progress > 0)
  const retry = canRetry ? { label: 'Try again', run: onRetry } : null
  const action = item.status === 'uploading' ? { label: 'Cancel', run: onCancel } : retry
  return (
    <Card className="p-4 sm:px-5">
      <div className="flex items-center gap-4">
        <Icon aria-hidden="true" className={`size-6 shrink-0 ${tone}`} strokeWidth={1.75} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-sm font-medium">{item.file.name}</p>
          <p className="text-sm text-ink-soft tabular-nums">
            {formatBytes(item.file.size)} ·{' '}
            <span className={item.status === 'error' ? 'text-danger-ink' : undefined}>{statusText(item)}</span>
          </p>
        </div>
        {action && (
          // One button whatever it says, so that the keyboard's focus outlives a cancel.
          <Button variant="secondary" onClick={action.run}>
            {action.label}
          </Button>
        )}
      </div>
      {isMoving && <Progress value={item.progress} label={`Upload of ${item.file.name}`} className="mt-3" />}
      {item.detail && <p className="mt-2 pl-10 text-sm text-ink-soft">{item.detail}</p>}
    </Card>
  )
}
