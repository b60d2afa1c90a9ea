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
import * as m from '#messages'
import { useIsOnline } from '#web/lib/browser-state.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { formatLeft } from './format-left.ts'
import type { UploadItem, UploadStatus } from './upload-run.ts'

const ICONS: Record<UploadStatus, { icon: LucideIcon; tone: string }> = {
  idle: { icon: FileVideo, tone: 'text-ink-faint' },
  uploading: { icon: FileVideo, tone: 'text-brand' },
  processing: { icon: FileVideo, tone: 'text-brand' },
  done: { icon: CircleCheck, tone: 'text-brand' },
  error: { icon: CircleAlert, tone: 'text-danger' },
  canceled: { icon: CircleSlash, tone: 'text-ink-faint' },
}

const RETRY_LABELS = {
  none: null,
  again: m.try_again(),
  continue: m.continue_action(),
  anyway: m.upload_anyway(),
} as const

/** What a row says of its upload. */
export function statusText({ status, progress, convertedPercent, message, isPaused }: UploadItem): string {
  if (convertedPercent !== null) return m.converting_percent({ percent: convertedPercent })
  const percent = progress
  if (status === 'uploading') return isPaused ? m.paused_at_percent({ percent }) : m.uploading_percent({ percent })
  if (status === 'processing') return m.processing_state()
  if (status === 'done') return m.done_state()
  if (status === 'idle') return message ?? m.not_started()
  return message ?? status
}

interface UploadRowProps {
  item: UploadItem
  /** Another upload is on its way. */
  isBlocked: boolean
  onCancel: () => void
  onPause: (isPaused: boolean) => void
  onRetry: () => void
  onConvert: () => void
}

export function UploadRow({ item, isBlocked, onCancel, onPause, onRetry, onConvert }: UploadRowProps) {
  const isMoving = item.status === 'uploading' || item.status === 'processing'
  const PauseIcon = item.isPaused ? Play : Pause
  const retryLabel = isBlocked ? null : RETRY_LABELS[item.retry]
  const retry = retryLabel ? { label: retryLabel, run: onRetry } : null
  const action = item.status === 'uploading' ? { label: m.cancel(), run: onCancel } : retry
  return (
    <Card className="@container p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-56 items-start gap-4">
          <ItemIcon item={item} />
          <div className="min-w-0 flex-1">
            <p className="truncate text-sm font-medium">{item.name}</p>
            <p className="text-sm text-ink-soft tabular-nums">
              {formatBytes(item.sizeBytes)} ·{' '}
              <span className={item.status === 'error' ? 'text-danger-ink' : undefined}>{statusText(item)}</span>
            </p>
            {item.detail && <p className="mt-1 text-sm text-ink-soft">{item.detail}</p>}
          </div>
        </div>
        <div className="flex flex-wrap gap-2 empty:hidden @max-md:basis-full">
          {item.canPause && (
            <Button key="pause" variant="secondary" onClick={() => onPause(!item.isPaused)} className="@max-md:flex-1">
              <PauseIcon aria-hidden="true" className="size-4" />
              {item.isPaused ? m.resume_action() : m.pause_action()}
            </Button>
          )}
          {item.canConvert && !isBlocked && (
            <Button key="convert" onClick={onConvert} className="@max-md:flex-1">
              {m.convert_and_upload()}
            </Button>
          )}
          {action && (
            // One button whatever it says, so that the keyboard's focus outlives a cancel.
            <Button key="action" variant="secondary" onClick={action.run} className="@max-md:flex-1">
              {action.label}
            </Button>
          )}
        </div>
      </div>
      {isMoving && (
        <Progress
          value={item.convertedPercent ?? item.progress}
          label={
            item.convertedPercent === null ? m.upload_of({ name: item.name }) : m.conversion_of({ name: item.name })
          }
          className="mt-4"
        />
      )}
      {isMoving && <TransferFacts item={item} />}
      <Outlook item={item} />
    </Card>
  )
}

function ItemIcon({ item }: { item: UploadItem }) {
  const isDoubtful = item.retry === 'anyway'
  const { icon: Icon, tone } = isDoubtful ? { icon: CircleHelp, tone: 'text-warn-ink' } : ICONS[item.status]
  return <Icon aria-hidden="true" className={`mt-0.5 size-6 shrink-0 ${tone}`} strokeWidth={1.75} />
}

/** When the tab may go, and where the module is; only what is true right now. */
function Outlook({ item: { status, moduleId, name } }: { item: UploadItem }) {
  if (status !== 'uploading' && status !== 'processing' && status !== 'done') return null
  return (
    <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm text-ink-soft">
      <span>{status === 'done' ? m.can_close_tab_now() : m.keep_tab_open_until_uploaded()}</span>
      {moduleId !== null && (
        <Link
          to={`/training/${encodeURIComponent(moduleId)}`}
          aria-label={m.open_module_of({ name })}
          className="rounded-chip font-medium text-brand-ink underline-offset-4 hover:underline"
        >
          {m.open_the_module()}
        </Link>
      )}
    </p>
  )
}

function TransferFacts({ item }: { item: UploadItem }) {
  const isOnline = useIsOnline()
  const { transfer, status, sizeBytes, convertedPercent, isPaused, isAudioSent } = item
  if (status === 'processing') return <Line>{m.file_is_being_checked()}</Line>
  if (convertedPercent !== null) {
    return (
      <>
        {transfer?.leftMs != null && <Line>{formatLeft(transfer.leftMs)}</Line>}
        <Line>{isAudioSent ? m.converted_first_audio_arrived() : m.converted_first()}</Line>
      </>
    )
  }
  if (!isOnline) return <Line>{m.upload_goes_on_when_online()}</Line>
  if (!transfer) return <Line>{m.getting_ready()}</Line>
  const { sentBytes, bytesPerSecond, leftMs } = transfer
  const facts = [m.sent_of_size({ sent: formatBytes(sentBytes), size: formatBytes(sizeBytes) })]
  if (!isPaused && bytesPerSecond !== null) facts.push(m.size_per_second({ size: formatBytes(bytesPerSecond) }))
  if (!isPaused && leftMs !== null) facts.push(formatLeft(leftMs))
  return (
    <>
      <Line>{facts.join(' · ')}</Line>
      {isAudioSent && <Line>{m.audio_has_arrived()}</Line>}
    </>
  )
}

function Line({ children }: { children: string }) {
  return <p className="mt-2 text-sm text-ink-soft tabular-nums">{children}</p>
}
