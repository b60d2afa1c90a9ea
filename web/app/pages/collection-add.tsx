import { useInfiniteQuery } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { COLLECTION_MODULES_MAX } from '#contract/limits.ts'
import type { Module } from '#contract/module.ts'
import * as m from '#messages'
import { modulePagesQuery } from '#web/features/module/module-queries.ts'
import { useApi } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormField, Input } from '#web/ui/form-controls.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Loaded } from '#web/ui/notice.tsx'

interface AddModulesProps {
  modules: Module[]
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  onChange: (modules: Module[]) => void
}

/** The person's own modules, to be put at the end of a collection or taken out of it. */
export function AddModules({ modules, isOpen, onOpenChange, onChange }: AddModulesProps) {
  return (
    <Dialog {...{ isOpen, onOpenChange }} title={m.add_modules()}>
      <OwnModules {...{ modules, onChange }} />
    </Dialog>
  )
}

function OwnModules({ modules, onChange }: Pick<AddModulesProps, 'modules' | 'onChange'>) {
  const id = useId()
  const [search, setSearch] = useState('')
  const pages = useInfiniteQuery(modulePagesQuery(useApi(), search))
  const inside = new Set(modules.map((module) => module.id))
  function toggle(module: Module) {
    if (inside.has(module.id)) onChange(modules.filter((each) => each.id !== module.id))
    else if (modules.length < COLLECTION_MODULES_MAX) onChange([...modules, module])
  }
  return (
    <>
      <FormField id={id} label={m.search_your_modules()}>
        {(links) => <Input {...links} type="search" onChange={({ target }) => setSearch(target.value.trim())} />}
      </FormField>
      <Loaded
        query={pages}
        what={m.your_modules_being_loaded()}
        className="mt-4"
        skeleton={<Skeleton className="mt-4 h-32" />}
      >
        {({ pages: loaded }) => {
          const found = loaded.flatMap((page) => page.modules)
          return found.length === 0 ? (
            <p className="mt-4 text-sm text-ink-soft">
              {search === '' ? m.you_have_no_modules_yet() : m.no_title_matches()}
            </p>
          ) : (
            <FoundModules {...{ found, inside }} onToggle={toggle} />
          )
        }}
      </Loaded>
      {pages.hasNextPage && (
        <Button
          variant="secondary"
          size="small"
          className="mt-3"
          isBusy={pages.isFetchingNextPage}
          onClick={() => pages.fetchNextPage()}
        >
          {m.load_more()}
        </Button>
      )}
    </>
  )
}

interface FoundModulesProps {
  found: Module[]
  /** Ids of those in the collection. */
  inside: ReadonlySet<string>
  onToggle: (module: Module) => void
}

function FoundModules({ found, inside, onToggle }: FoundModulesProps) {
  return (
    <ul className="mt-3 divide-y divide-line">
      {found.map((module) => {
        const isInside = inside.has(module.id)
        const Icon = isInside ? Check : Plus
        return (
          <li key={module.id} className="flex items-center justify-between gap-3 py-2">
            <span dir="auto" className="line-clamp-2 min-w-0 text-sm font-medium wrap-anywhere">
              {module.title}
            </span>
            <Button
              variant={isInside ? 'ghost' : 'secondary'}
              size="small"
              className="shrink-0"
              aria-label={(isInside ? m.added_title : m.add_title)({ title: module.title })}
              aria-pressed={isInside}
              onClick={() => onToggle(module)}
            >
              <Icon aria-hidden="true" className="size-4" />
              {isInside ? m.added() : m.add()}
            </Button>
          </li>
        )
      })}
    </ul>
  )
}
