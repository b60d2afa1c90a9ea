import type { Module } from '#contract/module.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Progress } from '#web/ui/progress.tsx'

const BADGES = {
  PROCESSING: { tone: 'accent', label: 'Processing' },
  READY: { tone: 'brand', label: 'Ready' },
  FAILED: { tone: 'danger', label: 'Failed' },
} as const

const UPLOADING = { tone: 'neutral', label: 'Uploading' } as const

export function ModuleBadge({ status, hasVideo }: Pick<Module, 'status' | 'hasVideo'>) {
  const { tone, label } = status === 'PROCESSING' && !hasVideo ? UPLOADING : BADGES[status]
  return <Badge tone={tone}>{label}</Badge>
}

/** How far it is, or why it failed; nothing for a module that is ready. */
export function ModuleState({ module }: { module: Module }) {
  if (module.status === 'FAILED') {
    return <p className="line-clamp-2 text-sm text-danger-ink">{module.lastError ?? module.message}</p>
  }
  if (module.status !== 'PROCESSING') return null
  const { hasVideo, uploadPercent, progress, message, title } = module
  if (!hasVideo) {
    return <StateBar text={`Video ${uploadPercent} % uploaded`} value={uploadPercent} label={`Upload of ${title}`} />
  }
  return <StateBar text={message} aside={`${progress}%`} value={progress} label={`Processing ${title}`} />
}

function StateBar({ text, aside, ...bar }: { text: string; aside?: string; value: number; label: string }) {
  return (
    <div>
      <div className="mb-2 flex justify-between gap-3 text-sm text-ink-soft tabular-nums">
        <span className="truncate">{text}</span>
        {aside && <span>{aside}</span>}
      </div>
      <Progress {...bar} />
    </div>
  )
}
