import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, Navigate, useParams } from 'react-router-dom'
import * as m from '#messages'
import { type LoadedModule, moduleQuery } from '#web/features/training/module-query.ts'
import { ModuleUnavailable } from '#web/features/training/module-unavailable.tsx'
import { useApi } from '#web/lib/api.ts'
import { usePageTitle } from '#web/lib/use-page-title.ts'
import { trainingPath } from './paths.ts'

interface TrainingSubpageProps {
  title: string
  /** Whether people who were invited to edit the training see it, too. */
  isForEditors?: boolean
  /** While the training is loaded. */
  skeleton: ReactNode
  children: (module: LoadedModule) => ReactNode
}

/** A page of its own about one training, for its owners. */
export function TrainingSubpage({ title, isForEditors = false, skeleton, children }: TrainingSubpageProps) {
  const { moduleId = '' } = useParams()
  const { data: module, error, isFetching, refetch } = useQuery(moduleQuery(useApi(), moduleId))
  usePageTitle(title)
  const isShown = module === undefined || module.role === 'owner' || (isForEditors && module.role === 'editor')
  if (!isShown) return <Navigate to={trainingPath(moduleId)} replace />
  if (module === undefined && error !== null)
    return <ModuleUnavailable error={error} wasShared={false} isRetrying={isFetching} onRetry={() => refetch()} />
  return (
    <div className="mx-auto w-full max-w-3xl flex-1 px-4 py-8 sm:px-6 sm:py-12">
      <Link
        to={trainingPath(moduleId)}
        className="mb-4 inline-flex min-h-8 items-center gap-1.5 rounded-chip text-sm font-medium text-brand-ink hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.back_to_the_training()}
      </Link>
      <h1 className="text-3xl font-semibold wrap-anywhere">{title}</h1>
      <p className="mt-1 wrap-anywhere text-ink-soft">
        <bdi>{module?.title}</bdi>
      </p>
      {module === undefined ? skeleton : children(module)}
    </div>
  )
}
