import clsx from 'clsx'
import { Ellipsis, Film, Lock, Pencil, Play, Share2, TextCursorInput, Trash2 } from 'lucide-react'
import { memo, type Ref, useState } from 'react'
import { Link } from 'react-router-dom'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import { type Module, UNPUBLISHED } from '#contract/module.ts'
import * as m from '#messages'
import { useDismissedVersion, useRenameModule } from '#web/lib/change-module.ts'
import { formatDate } from '#web/lib/format/format-date.ts'
import { formatTime } from '#web/lib/format/format-time.ts'
import { isAtWork } from '#web/lib/module-cache.ts'
import { useReportCount } from '#web/lib/report-counts.ts'
import { failureReason, runMessage } from '#web/lib/server-sentences.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Badge, Card } from '#web/ui/card.tsx'
import { TitleEditor } from '#web/ui/form-controls.tsx'
import { Progress } from '#web/ui/loading.tsx'
import { Menu } from '#web/ui/menu.tsx'
import type { ModuleLayout } from './module-toolbar.tsx'

export interface ModuleCardProps {
  module: Module
  layout: ModuleLayout
  onShare: (module: Module) => void
  onDelete: (module: Module) => void
}

export const ModuleCard = memo(function ModuleCard({ module, layout, onShare, onDelete }: ModuleCardProps) {
  const isRow = layout === 'list'
  const rename = useRenameModule(module)
  const badge = chooseBadge(module)
  return (
    <Card
      className={clsx(
        '@container flex h-full flex-col overflow-hidden transition-shadow duration-200 hover:shadow-lift',
        isRow && 'lg:flex-row lg:items-center',
      )}
    >
      <PosterLink module={module} isRow={isRow} />
      <div
        className={clsx(
          'flex min-w-0 flex-1 flex-col gap-4 p-4 @xs:p-5',
          isRow && 'lg:gap-2 xl:flex-row xl:items-center xl:gap-6',
        )}
      >
        <div className="min-w-0 flex-1">
          <div className={clsx('mb-3 flex items-center justify-between gap-3', isRow && 'lg:mb-1 lg:justify-start')}>
            <Badge tone={badge.tone}>{badge.label}</Badge>
            <p className="text-sm text-ink-faint tabular-nums">
              {formatDate(module.createdAt)}
              {module.totalDuration !== null && ` · ${formatTime(module.totalDuration)}`}
            </p>
          </div>
          <CardTitle module={module} rename={rename} />
          <ReportBadge moduleId={module.id} />
        </div>
        <div className={clsx('mt-auto empty:hidden', isRow && 'lg:mt-0 xl:w-52')}>
          <ModuleState module={module} />
        </div>
      </div>
      <ModuleActions {...{ module, isRow, onShare, onDelete }} menuTrigger={rename.opener} onRename={rename.begin} />
    </Card>
  )
})

/** What learners report from the steps, where anything is open. */
function ReportBadge({ moduleId }: { moduleId: string }) {
  const count = useReportCount(moduleId)
  if (count === null) return null
  return (
    <Badge tone={count.dangerous > 0 ? 'danger' : 'warn'} className="mt-2.5">
      {count.dangerous > 0 ? m.danger_was_reported() : m.open_reports({ count: count.open })}
    </Badge>
  )
}

/** For the pointer only: keyboards and screen readers use the link in the title. */
function PosterLink({ module, isRow }: { module: Module; isRow: boolean }) {
  const look = isRow ? 'ms-4 aspect-video h-18 rounded-control border border-line' : 'aspect-2/1 border-b border-line'
  return (
    <Link
      to={module.trainingUrl}
      tabIndex={-1}
      aria-hidden="true"
      className={clsx(isRow && 'hidden shrink-0 lg:block')}
    >
      <ModulePoster posterUrl={module.posterUrl} className={look} />
    </Link>
  )
}

function CardTitle({ module, rename }: { module: Module; rename: ReturnType<typeof useRenameModule> }) {
  if (rename.isRenaming) {
    return (
      <TitleEditor
        value={module.title}
        label={m.new_title_of({ title: module.title })}
        maxChars={MODULE_TITLE_MAX_CHARS}
        onSave={rename.save}
        onCancel={rename.cancel}
      />
    )
  }
  return (
    <h2 className="text-lg leading-snug font-semibold" title={module.title}>
      {/* Cut off itself: lines that are only hidden would still lie over the buttons below. */}
      <Link dir="auto" to={module.trainingUrl} className="line-clamp-2 rounded-chip hover:underline">
        {module.title}
      </Link>
    </h2>
  )
}

interface ModuleActionsProps extends Omit<ModuleCardProps, 'layout'> {
  isRow: boolean
  menuTrigger: Ref<HTMLButtonElement>
  onRename: () => void
}

/** What can be done with a module. Each control names it, so that no two on the page have the same name. */
function ModuleActions({ module, isRow, menuTrigger, onRename, onShare, onDelete }: ModuleActionsProps) {
  const { title, trainingUrl, status, mayDelete } = module
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center gap-2 border-t border-line px-4 py-3 @xs:px-5',
        isRow && 'lg:flex-nowrap lg:border-t-0 lg:ps-0',
      )}
    >
      <div className={clsx('flex gap-2', isRow ? 'max-lg:basis-full' : 'basis-full')}>
        {/* A failed module has no training to start; its page has the reason and the ways out. */}
        <ButtonLink
          to={trainingUrl}
          size="small"
          variant={status === 'FAILED' ? 'secondary' : 'primary'}
          className="flex-1"
          aria-label={m.start_training_of({ title })}
        >
          <Play aria-hidden="true" className="size-3.5 fill-current" />
          {m.start_training()}
        </ButtonLink>
        <Menu
          ref={menuTrigger}
          variant="ghost"
          size="small"
          className="w-8 pointer-coarse:w-11 shrink-0 px-0!"
          aria-label={m.more_about({ title })}
          actions={[
            { icon: TextCursorInput, label: m.rename_action(), onSelect: onRename },
            // Without the button for it: what is asked leads to the reason.
            ...(mayDelete ? [] : [{ icon: Lock, label: m.delete_action(), onSelect: () => onDelete(module) }]),
          ]}
        >
          <Ellipsis aria-hidden="true" className="size-4" />
        </Menu>
      </div>
      <Button variant="secondary" size="small" aria-label={m.share_titled({ title })} onClick={() => onShare(module)}>
        <Share2 aria-hidden="true" className="size-4" />
        {m.share_action()}
      </Button>
      <ButtonLink to={`${trainingUrl}#step-1`} variant="secondary" size="small" aria-label={m.edit_titled({ title })}>
        <Pencil aria-hidden="true" className="size-3.5" />
        {m.edit_action()}
      </ButtonLink>
      {mayDelete && (
        <Button
          variant="ghost"
          size="small"
          // Its words end where the card's content ends.
          className={clsx('hover:text-danger-ink', isRow ? 'max-lg:-me-3 max-lg:ms-auto' : '-me-3 ms-auto')}
          aria-label={m.delete_titled({ title })}
          onClick={() => onDelete(module)}
        >
          <Trash2 aria-hidden="true" className="size-4" />
          {m.delete_action()}
        </Button>
      )}
    </div>
  )
}

const BADGES = {
  PROCESSING: { tone: 'accent', label: m.processing_state() },
  READY: { tone: 'brand', label: m.ready_state() },
  FAILED: { tone: 'danger', label: m.failed_state() },
} as const

const UPLOADING = { tone: 'neutral', label: m.uploading_state() } as const
const UNNAMED = { tone: 'warn', label: m.needs_names() } as const
const NOT_PUBLISHED = { tone: 'warn', label: m.not_published_yet() } as const

function chooseBadge({ status, hasVideo, failureCode, publishedVersion }: Module) {
  if (status === 'PROCESSING' && !hasVideo) return UPLOADING
  if (status === 'READY' && publishedVersion === UNPUBLISHED) return NOT_PUBLISHED
  return failureCode === 'unnamed' ? UNNAMED : BADGES[status]
}

function ModuleState({ module }: { module: Module }) {
  const failure = useFailure(module)
  if (failure !== null) {
    const tone = module.failureCode === 'unnamed' ? 'text-ink-soft' : 'text-danger-ink'
    return <p className={clsx('line-clamp-2 text-sm wrap-anywhere', tone)}>{failure}</p>
  }
  if (!isAtWork(module)) return null
  const { hasVideo, uploadPercent, newVersion, title } = module
  const { progress, ...run } = newVersion ?? module
  const message = runMessage(run.message)
  const whole = newVersion ? m.new_version_message({ message }) : message
  const text = hasVideo ? whole : m.video_percent_uploaded({ percent: uploadPercent })
  const making = newVersion ? m.new_version_of({ title }) : m.processing_of({ title })
  const label = hasVideo ? making : m.upload_of({ name: title })
  return (
    <div>
      <div className="mb-2 flex justify-between gap-3 text-sm text-ink-soft tabular-nums">
        <span className="truncate">{text}</span>
        {hasVideo && <span>{progress}%</span>}
      </div>
      <Progress value={hasVideo ? progress : uploadPercent} label={label} />
    </div>
  )
}

/** Why there is no training, or no new version of one; null where nothing has failed, or its person has read it. */
function useFailure(module: Module): string | null {
  const { id, status, message, newVersion } = module
  const { isDismissed } = useDismissedVersion(id, newVersion?.run)
  if (status === 'FAILED') return failureReason(module) ?? runMessage(message)
  if (newVersion?.status !== 'FAILED' || isDismissed) return null
  return m.new_version_not_made({ reason: failureReason(newVersion) ?? '' })
}

/** The video's image, or what holds its place: the frame has its size before anything is loaded. */
export function ModulePoster({ posterUrl, className }: { posterUrl: string | null; className?: string }) {
  const [brokenUrl, setBrokenUrl] = useState<string | null>(null)
  return (
    <div
      aria-hidden="true"
      className={clsx(
        'relative grid place-items-center overflow-hidden bg-linear-to-br from-brand-soft to-sunken',
        className,
      )}
    >
      <Film className="size-7 text-brand opacity-60" strokeWidth={1.5} />
      {posterUrl !== null && posterUrl !== brokenUrl && (
        <img
          src={posterUrl}
          alt=""
          loading="lazy"
          decoding="async"
          onError={() => setBrokenUrl(posterUrl)}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </div>
  )
}
