import clsx from 'clsx'
import { CircleAlert, Play, Share2, Trash2 } from 'lucide-react'
import { Link } from 'react-router-dom'
import { toast } from 'sonner'
import type { Module } from '#contract/module.ts'
import { formatDate } from '#web/lib/format-date.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { ModuleBadge, ModuleState } from './module-status.tsx'

export type ModuleLayout = 'grid' | 'list'

interface ModuleCardProps {
  module: Module
  layout: ModuleLayout
  onDelete: () => void
}

export function ModuleCard({ module, layout, onDelete }: ModuleCardProps) {
  const isRow = layout === 'list'
  return (
    <Card
      className={clsx(
        '@container flex h-full flex-col transition-shadow duration-200 hover:shadow-lift',
        isRow && 'lg:flex-row lg:items-center',
      )}
    >
      <div className={clsx('flex min-w-0 flex-1 flex-col gap-4 p-5', isRow && 'lg:flex-row lg:items-center lg:gap-6')}>
        <div className="min-w-0 flex-1">
          <div className={clsx('mb-3 flex items-center justify-between gap-3', isRow && 'lg:mb-1 lg:justify-start')}>
            <ModuleBadge status={module.status} hasVideo={module.hasVideo} />
            <ModuleFacts module={module} />
          </div>
          <h2 className="line-clamp-2 text-lg leading-snug font-semibold" title={module.title}>
            <Link to={module.trainingUrl} className="rounded-chip hover:underline">
              {module.title}
            </Link>
          </h2>
        </div>
        <div className={clsx('mt-auto', isRow && 'lg:mt-0 lg:w-56')}>
          <ModuleState module={module} />
        </div>
      </div>
      <ModuleActions module={module} isRow={isRow} onDelete={onDelete} />
    </Card>
  )
}

function ModuleFacts({ module }: { module: Module }) {
  return (
    <p className="text-sm text-ink-faint tabular-nums">
      {formatDate(module.createdAt)}
      {module.totalDuration !== null && ` · ${formatTime(module.totalDuration)}`}
    </p>
  )
}

/** Who can watch by the link that was just copied. */
function audienceOf({ shared, status }: Module): string {
  if (!shared) return 'Sharing is off: only you and people of your organization can open it.'
  if (status === 'FAILED') return 'It shows nothing yet, because processing failed.'
  return 'Anybody who has it can watch. No login required.'
}

interface ModuleActionsProps {
  module: Module
  isRow: boolean
  onDelete: () => void
}

function ModuleActions({ module, isRow, onDelete }: ModuleActionsProps) {
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center gap-2 border-t border-line px-5 py-3',
        isRow && 'lg:border-t-0 lg:pl-0',
      )}
    >
      <WayIn module={module} />
      <CopyButton
        text={new URL(module.shareUrl, window.location.href).href}
        label="Share"
        about={module.title}
        icon={Share2}
        size="small"
        className="min-w-26"
        onCopied={() => toast.success('Link copied', { description: audienceOf(module) })}
      />
      <Button
        variant="ghost"
        size="small"
        className="ml-auto hover:text-danger-ink"
        aria-label={`Delete ${module.title}`}
        onClick={onDelete}
      >
        <Trash2 aria-hidden="true" className="size-4" />
        Delete
      </Button>
    </div>
  )
}

/** A failed module has nothing to start; its page has the reason and the ways out. */
function WayIn({ module: { status, title, trainingUrl } }: { module: Module }) {
  const hasFailed = status === 'FAILED'
  const label = hasFailed ? 'See What Went Wrong' : 'Start Training'
  return (
    <ButtonLink
      to={trainingUrl}
      size="small"
      variant={hasFailed ? 'secondary' : 'primary'}
      className="@max-sm:basis-full"
      aria-label={`${label}: ${title}`}
    >
      {hasFailed ? (
        <CircleAlert aria-hidden="true" className="size-4 text-danger-ink" />
      ) : (
        <Play aria-hidden="true" className="size-3.5 fill-current" />
      )}
      {label}
    </ButtonLink>
  )
}
