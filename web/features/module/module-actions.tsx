import clsx from 'clsx'
import { Ellipsis, Pencil, Play, Share2, TextCursorInput, Trash2 } from 'lucide-react'
import type { Ref } from 'react'
import type { Module } from '#contract/module.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'

interface ModuleActionsProps {
  module: Module
  isRow: boolean
  menuTrigger: Ref<HTMLButtonElement>
  onRename: () => void
  onShare: () => void
  onDelete: () => void
}

/** What can be done with a module. Each control names it, so that no two on the page audio the same. */
export function ModuleActions({ module, isRow, menuTrigger, onRename, onShare, onDelete }: ModuleActionsProps) {
  const { title, trainingUrl, status, mayDelete } = module
  return (
    <div
      className={clsx(
        'flex flex-wrap items-center gap-2 border-t border-line px-5 py-3',
        isRow && 'lg:flex-nowrap lg:border-t-0 lg:pl-0',
      )}
    >
      <div className={clsx('flex gap-2', isRow ? 'max-lg:basis-full' : 'basis-full')}>
        {/* A failed module has no training to start; its page has the reason and the ways out. */}
        <ButtonLink
          to={trainingUrl}
          size="small"
          variant={status === 'FAILED' ? 'secondary' : 'primary'}
          className="flex-1"
          aria-label={`Start Training: ${title}`}
        >
          <Play aria-hidden="true" className="size-3.5 fill-current" />
          Start Training
        </ButtonLink>
        <Menu
          ref={menuTrigger}
          variant="ghost"
          size="small"
          className="w-8 px-0!"
          aria-label={`More: ${title}`}
          actions={[{ icon: TextCursorInput, label: 'Rename', onSelect: onRename }]}
        >
          <Ellipsis aria-hidden="true" className="size-4" />
        </Menu>
      </div>
      <Button variant="secondary" size="small" aria-label={`Share: ${title}`} onClick={onShare}>
        <Share2 aria-hidden="true" className="size-4" />
        Share
      </Button>
      <ButtonLink to={`${trainingUrl}#step-1`} variant="secondary" size="small" aria-label={`Edit: ${title}`}>
        <Pencil aria-hidden="true" className="size-3.5" />
        Edit
      </ButtonLink>
      {mayDelete && (
        <Button
          variant="ghost"
          size="small"
          className={clsx('hover:text-danger-ink', !isRow && 'ml-auto', isRow && 'max-lg:ml-auto')}
          aria-label={`Delete ${title}`}
          onClick={onDelete}
        >
          <Trash2 aria-hidden="true" className="size-4" />
          Delete
        </Button>
      )}
    </div>
  )
}
