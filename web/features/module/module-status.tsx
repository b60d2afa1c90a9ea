import type { Module } from '#contract/module.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Progress } from '#web/ui/progress.tsx'

const BADGES = {
  PROCESSING: { tone: 'accent', label: 'Processing' },
  READY: { tone: 'brand', label: 'Ready' },
  FAILED: { tone: 'danger', label: 'Failed' },
} as const

export function ModuleBadge({ status }: Pick<Module, 'status'>) {
  const { tone, label } = BADGES[status]
  return <Badge tone={tone}>{label}</Badge>
}

/** How far it is, or why it failed; nothing for a module that is ready. */
export function ModuleState({ module }: { module: Module }) {
  if (module.status === 'FAILED') {
    return <p className="line-clamp-2 text-sm text-danger-ink">{module.lastError ?? module.message}</p>
  }
  if (module.status !== 'PROCESSING') return null
  return (
    <div>
      <div className="mb-2 flex justify-between gap-3 text-sm text-ink-soft">
        <span className="truncate">{module.message}</span>
        <span className="tabular-nums">{module.progress}%</span>
      </div>
      <Progress value={module.progress} label={`Processing ${module.title}`} />
    </div>
  )
}
