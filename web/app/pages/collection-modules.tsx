import { ChevronDown, ChevronUp, Layers, Lock, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { ModulePoster } from '#web/features/module/module-card.tsx'
import { formatTime } from '#web/lib/format/format-time.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SortableList } from '#web/ui/sortable-list.tsx'

interface CollectionModulesProps {
  modules: Module[]
  onChange: (modules: Module[]) => void
}

/** The modules of a collection, which change places by mouse, touch, keyboard, and by buttons. */
export function CollectionModules({ modules, onChange }: CollectionModulesProps) {
  const [announcement, setAnnouncement] = useState('')
  if (modules.length === 0) {
    return (
      <Notice icon={Layers} level={2} title={m.nothing_in_it_yet()}>
        <p>{m.add_modules_and_learners_find()}</p>
      </Notice>
    )
  }
  function move(id: string, to: number) {
    const module = modules.find((each) => each.id === id)
    if (module === undefined || to < 0 || to >= modules.length) return
    onChange(modules.filter((each) => each.id !== id).toSpliced(to, 0, module))
    setAnnouncement(m.title_is_at_position_to({ title: module.title, to: to + 1, length: modules.length }))
  }
  return (
    <section aria-label={m.modules()} className="mt-6">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <SortableList
        noun="module"
        items={modules}
        onReorder={move}
        renderItem={(module, index, handle) => (
          <MemberRow
            {...{ module, handle }}
            number={index + 1}
            isLast={index === modules.length - 1}
            onMove={(by) => move(module.id, index + by)}
            onRemove={() => onChange(modules.filter((each) => each.id !== module.id))}
          />
        )}
      />
    </section>
  )
}

interface MemberRowProps {
  module: Module
  number: number
  isLast: boolean
  handle: ReactNode
  onMove: (by: 1 | -1) => void
  onRemove: () => void
}

function MemberRow({ module, number, isLast, handle, onMove, onRemove }: MemberRowProps) {
  const { title, trainingUrl, posterUrl, totalDuration, shared, status } = module
  const look = { variant: 'ghost', size: 'icon', className: 'size-8!' } as const
  return (
    <Card className="flex flex-wrap items-center gap-x-3 gap-y-1 p-3">
      <ModulePoster posterUrl={posterUrl} className="aspect-video w-24 shrink-0 rounded-control max-sm:w-16" />
      <div className="min-w-0 flex-1">
        <h2 className="leading-snug font-semibold wrap-anywhere">
          <Link dir="auto" to={trainingUrl} className="line-clamp-2 rounded-chip hover:underline" title={title}>
            {title}
          </Link>
        </h2>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-sm text-ink-soft tabular-nums">
          <span>
            {number}
            {totalDuration !== null && ` · ${formatTime(totalDuration)}`}
          </span>
          {status === 'FAILED' && <span className="text-danger-ink">{m.failed_state()}</span>}
          {!shared && (
            <span className="inline-flex items-center gap-1 text-warn-ink">
              <Lock aria-hidden="true" className="size-3.5" />
              {m.learners_do_not_see_unshared()}
            </span>
          )}
        </p>
      </div>
      <div className="ms-auto flex items-center max-sm:basis-full max-sm:justify-end">
        <Button
          {...look}
          aria-label={m.move_up_title({ title })}
          aria-disabled={number === 1}
          onClick={() => onMove(-1)}
        >
          <ChevronUp aria-hidden="true" className="size-4" />
        </Button>
        <Button {...look} aria-label={m.move_down_title({ title })} aria-disabled={isLast} onClick={() => onMove(1)}>
          <ChevronDown aria-hidden="true" className="size-4" />
        </Button>
        {handle}
        <Button {...look} aria-label={m.remove_from_the_collection_title({ title })} onClick={onRemove}>
          <X aria-hidden="true" className="size-4" />
        </Button>
      </div>
    </Card>
  )
}
