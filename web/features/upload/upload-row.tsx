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
import { formatBytes } from '#web/lib/format/format-bytes.ts'
import { screenProgress } from '#web/lib/screen-progress.ts'
import { useStore } from '#web/lib/use-store.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { formatLeft } from './format-left.ts'
import {
  detailOf,
  isBusy,
  isUploading,
  type NextTry,
  nextTryOf,
  percentOf,
  type UploadItem,
  type UploadKind,
  type UploadState,
} from './upload-item.ts'

const ICONS: Record<UploadKind, { icon: LucideIcon; tone: string }> = {
  idle: { icon: FileVideo, tone: 'text-ink-faint' },
  checking: { icon: FileVideo, tone: 'text-brand' },
  doubtful: { icon: CircleHelp, tone: 'text-warn-ink' },
  sending: { icon: FileVideo, tone: 'text-brand' },
  converting: { icon: FileVideo, tone: 'text-brand' },
  confirming: { icon: FileVideo, tone: 'text-brand' },
  done: { icon: CircleCheck, tone: 'text-brand' },
  failed: { icon: CircleAlert, tone: 'text-danger' },
  canceled: { icon: CircleSlash, tone: 'text-ink-faint' },
}

const NEXT_LABELS: Record<NextTry, string | null> = {
  none: null,
  again: m.try_again(),
  continue: m.continue_action(),
  confirm: m.continue_action(),
  force: m.upload_anyway(),
}

/** What a row says of its upload. @param percent as it is shown; null where nothing is on its way */
export function describeState(state: UploadState, percent: number | null = percentOf(state)): string {
  if (state.kind === 'converting') return m.converting_percent({ percent: percent ?? 0 })
  if (state.kind === 'sending' && state.isPaused) return m.paused_at_percent({ percent: percent ?? 0 })
  if (isUploading(state)) return m.uploading_percent({ percent: percent ?? 0 })
  if (state.kind === 'confirming') return m.processing_state()
  if (state.kind === 'done') return m.done_state()
  if (state.kind === 'canceled') return m.canceled_state()
  return 'message' in state ? state.message : m.not_started()
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
  const { state } = item
  const percent = percentOf(state)
  const detail = detailOf(state)
  const retryLabel = isBlocked ? null : NEXT_LABELS[nextTryOf(state)]
  const retry = retryLabel ? { label: retryLabel, run: onRetry } : null
  const action = isUploading(state) ? { label: m.cancel(), run: onCancel } : retry
  const canConvert = !isBlocked && 'canConvert' in state && state.canConvert
  return (
    <Card className="@container p-4 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-56 items-start gap-4">
          <ItemIcon state={state} />
          <div className="min-w-0 flex-1">
            <p dir="auto" title={item.name} className="truncate text-sm font-medium">
              {item.name}
            </p>
            <p className="text-sm text-ink-soft tabular-nums">
              {formatBytes(item.sizeBytes)} ·{' '}
              <span className={state.kind === 'failed' ? 'text-danger-ink' : undefined}>{describeState(state)}</span>
            </p>
            {detail && <p className="mt-1 text-sm text-ink-soft">{detail}</p>}
          </div>
        </div>
        <div className="flex flex-wrap gap-2 empty:hidden @max-md:basis-full">
          {state.kind === 'sending' && state.canPause && <PauseButton isPaused={state.isPaused} onPause={onPause} />}
          {canConvert && (
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
      {percent !== null && (
        <Progress
          value={percent}
          label={state.kind === 'converting' ? m.conversion_of({ name: item.name }) : m.upload_of({ name: item.name })}
          className="mt-4"
        />
      )}
      <TransferFacts item={item} />
      <ScreenLine attempt={item.attempt} />
      <Outlook item={item} />
    </Card>
  )
}

function PauseButton({ isPaused, onPause }: { isPaused: boolean; onPause: (isPaused: boolean) => void }) {
  const Icon = isPaused ? Play : Pause
  return (
    <Button variant="secondary" onClick={() => onPause(!isPaused)} className="@max-md:flex-1">
      <Icon aria-hidden="true" className="size-4" />
      {isPaused ? m.resume_action() : m.pause_action()}
    </Button>
  )
}

/** A failure that leaves the person a choice looks like a question. */
function ItemIcon({ state }: { state: UploadState }) {
  const { icon: Icon, tone } = nextTryOf(state) === 'force' ? ICONS.doubtful : ICONS[state.kind]
  return <Icon aria-hidden="true" className={`mt-0.5 size-6 shrink-0 ${tone}`} strokeWidth={1.75} />
}

/** When the tab may go, and where the module is; only what is true right now. */
function Outlook({ item: { state, attempt, name } }: { item: UploadItem }) {
  if (!isBusy(state) && state.kind !== 'done') return null
  return (
    <p className="mt-2 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 text-sm text-ink-soft">
      <span>{state.kind === 'done' ? m.can_close_tab_now() : m.keep_tab_open_until_uploaded()}</span>
      {attempt !== null && (
        <Link
          to={`/training/${encodeURIComponent(attempt.moduleId)}`}
          aria-label={m.open_module_of({ name })}
          className="rounded-chip font-medium text-brand-ink underline-offset-4 hover:underline"
        >
          {m.open_the_module()}
        </Link>
      )}
    </p>
  )
}

/** How far this tab has read what the video shows. */
function ScreenLine({ attempt }: Pick<UploadItem, 'attempt'>) {
  const percent = useStore(screenProgress)[attempt?.moduleId ?? '']
  return percent === undefined ? null : <Line>{m.reading_the_screen({ percent })}</Line>
}

/** How far the bytes are; null where none are on their way. */
function TransferFacts({ item: { state, sizeBytes } }: { item: UploadItem }) {
  const isOnline = useIsOnline()
  if (state.kind === 'confirming') return <Line>{m.file_is_being_checked()}</Line>
  if (state.kind === 'converting') {
    return (
      <>
        {state.leftMs !== null && <Line>{formatLeft(state.leftMs)}</Line>}
        <Line>{state.hasAudio ? m.converted_first_audio_arrived() : m.converted_first()}</Line>
      </>
    )
  }
  if (!isUploading(state)) return null
  if (!isOnline) return <Line>{m.upload_goes_on_when_online()}</Line>
  if (state.kind !== 'sending' || state.transfer === null) return <Line>{m.getting_ready()}</Line>
  const { sentBytes, bytesPerSecond, leftMs } = state.transfer
  const facts = [m.sent_of_size({ sent: formatBytes(sentBytes), size: formatBytes(sizeBytes) })]
  if (!state.isPaused && bytesPerSecond !== null) facts.push(m.size_per_second({ size: formatBytes(bytesPerSecond) }))
  if (!state.isPaused && leftMs !== null) facts.push(formatLeft(leftMs))
  return (
    <>
      <Line>{facts.join(' · ')}</Line>
      {state.hasAudio && <Line>{m.audio_has_arrived()}</Line>}
    </>
  )
}

function Line({ children }: { children: string }) {
  return <p className="mt-2 text-sm text-ink-soft tabular-nums">{children}</p>
}
