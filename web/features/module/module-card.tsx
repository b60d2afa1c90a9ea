import clsx from 'clsx'
import { memo } from 'react'
import { Link } from 'react-router-dom'
import { MODULE_TITLE_MAX_CHARS } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import { formatDate } from '#web/lib/format-date.ts'
import { formatTime } from '#web/lib/format-time.ts'
import { useRenameModule } from '#web/lib/use-rename-module.ts'
import { Card } from '#web/ui/card.tsx'
import { TitleEditor } from '#web/ui/title-editor.tsx'
import { ModuleActions } from './module-actions.tsx'
import { ModulePoster } from './module-poster.tsx'
import { ModuleBadge, ModuleState } from './module-status.tsx'
import type { ModuleLayout } from './use-layout.ts'

export interface ModuleCardProps {
  module: Module
  layout: ModuleLayout
  onShare: (module: Module) => void
  onDelete: (module: Module) => void
}

export const ModuleCard = memo(function ModuleCard({ module, layout, onShare, onDelete }: ModuleCardProps) {
  const isRow = layout === 'list'
  const rename = useRenameModule(module)
  return (
    <Card
      className={clsx(
        '@container flex h-full flex-col overflow-hidden transition-shadow duration-200 hover:shadow-lift',
        isRow && 'lg:flex-row lg:items-center',
      )}
    >
      <PosterLink module={module} isRow={isRow} />
      <div className={clsx('flex min-w-0 flex-1 flex-col gap-4 p-5', isRow && 'lg:flex-row lg:items-center lg:gap-6')}>
        <div className="min-w-0 flex-1">
          <div className={clsx('mb-3 flex items-center justify-between gap-3', isRow && 'lg:mb-1 lg:justify-start')}>
            <ModuleBadge status={module.status} hasVideo={module.hasVideo} />
            <ModuleFacts module={module} />
          </div>
          <CardTitle module={module} rename={rename} />
        </div>
        <div className={clsx('mt-auto empty:hidden', isRow && 'lg:mt-0 lg:w-52')}>
          <ModuleState module={module} />
        </div>
      </div>
      <ModuleActions
        module={module}
        isRow={isRow}
        menuTrigger={rename.opener}
        onRename={rename.begin}
        onShare={() => onShare(module)}
        onDelete={() => onDelete(module)}
      />
    </Card>
  )
})

/** For the pointer only: keyboards and screen readers use the link in the title. */
function PosterLink({ module, isRow }: { module: Module; isRow: boolean }) {
  const look = isRow ? 'ml-4 aspect-video h-18 rounded-control border border-line' : 'aspect-2/1 border-b border-line'
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
        label={`New title of ${module.title}`}
        maxChars={MODULE_TITLE_MAX_CHARS}
        onSave={rename.save}
        onCancel={rename.cancel}
      />
    )
  }
  return (
    <h2 className="text-lg leading-snug font-semibold" title={module.title}>
      {/* Cut off itself: lines that are only hidden would still lie over the buttons below. */}
      <Link to={module.trainingUrl} className="line-clamp-2 rounded-chip hover:underline">
        {module.title}
      </Link>
    </h2>
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
