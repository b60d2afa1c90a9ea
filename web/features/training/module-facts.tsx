import type { ReactNode } from 'react'
import { formatDate } from '#web/lib/format-date.ts'
import { formatTime } from '#web/lib/format-time.ts'
import type { LoadedModule } from '#web/lib/module-cache.ts'
import { Card } from '#web/ui/card.tsx'
import { languageName } from './language-names.ts'
import { TranscriptionSettingsButton } from './transcription-settings.tsx'

interface ModuleFactsProps {
  module: LoadedModule
  /** Undefined while the steps load. */
  stepCount: number | undefined
  /** What its owner can do with it. */
  menu?: ReactNode
}

const SOURCES = { captions: 'Caption file', speech: 'Speech recognition' } as const

export function ModuleFacts({ module, stepCount, menu }: ModuleFactsProps) {
  const facts = [
    ['Created', formatDate(module.createdAt)],
    ['Length', module.totalDuration === null ? null : formatTime(module.totalDuration)],
    ['Steps', stepCount === undefined ? null : String(stepCount)],
    ['Language', module.language && languageName(module.language)],
    ['Transcript from', module.transcriptSource && SOURCES[module.transcriptSource]],
  ].filter(([, value]) => value !== null)
  return (
    <Card className="p-5">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold">About this module</h2>
        {menu}
      </div>
      <dl className="mt-3 grid gap-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-soft">{name}</dt>
            <dd className="text-right font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {module.role === 'owner' && (
        <div className="mt-4">
          <TranscriptionSettingsButton module={module} />
        </div>
      )}
    </Card>
  )
}
