import { useQuery } from '@tanstack/react-query'
import { CloudAlert, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Module } from '#contract/module.ts'
import { useApi } from '#web/lib/api-context.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { ModuleLayout } from './module-card.tsx'
import { ModuleCollection } from './module-collection.tsx'
import { ModuleSkeletons } from './module-skeletons.tsx'
import { ModuleToolbar } from './module-toolbar.tsx'
import { modulesQuery } from './modules-query.ts'

/** The caller's modules with search and layout, in every state that the list can be in. */
export function ModuleLibrary({ empty }: { empty: ReactNode }) {
  const modules = useQuery(modulesQuery(useApi()))
  const [search, setSearch] = useState('')
  const [layout, setLayout] = useState<ModuleLayout>('grid')
  if (modules.isPending) return <ModuleSkeletons />
  if (!modules.data) {
    return (
      <LibraryError message={modules.error.message} isBusy={modules.isFetching} onRetry={() => modules.refetch()} />
    )
  }
  if (modules.data.length === 0) return empty
  const found = modules.data.filter((module) => titleContains(module, search))
  return (
    <div className="flex flex-col gap-6">
      <ModuleToolbar search={search} onSearch={setSearch} layout={layout} onLayout={setLayout} />
      <p role="status" className="sr-only">
        {search && `${found.length} of ${modules.data.length} modules`}
      </p>
      {found.length === 0 ? (
        <NoMatch search={search} onClear={() => setSearch('')} />
      ) : (
        <ModuleCollection modules={found} layout={layout} />
      )}
    </div>
  )
}

function titleContains({ title }: Module, search: string): boolean {
  return title.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase())
}

function LibraryError({ message, isBusy, onRetry }: { message: string; isBusy: boolean; onRetry: () => void }) {
  return (
    <Notice
      icon={CloudAlert}
      tone="danger"
      role="alert"
      level={2}
      title="Failed to fetch modules"
      actions={
        <Button onClick={onRetry} isBusy={isBusy}>
          Try Again
        </Button>
      }
    >
      <p>{message}</p>
    </Notice>
  )
}

function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Notice
      icon={SearchX}
      level={2}
      title="No module matches"
      actions={
        <Button variant="secondary" onClick={onClear}>
          Clear search
        </Button>
      }
    >
      <p>No title contains “{search.trim()}”.</p>
    </Notice>
  )
}
