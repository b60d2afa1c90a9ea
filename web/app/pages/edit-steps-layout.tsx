import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { StepSkeletons } from '#web/features/step/step-skeletons.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { trainingPath } from '../paths.ts'

interface EditStepsLayoutProps {
  moduleId: string
  title: string
  video: ReactNode
  /** Stays in sight while the list scrolls. */
  toolbar: ReactNode
  children: ReactNode
}

/** The list with its tools on the left, the video on the right; on narrow screens the video comes first. */
export function EditStepsLayout({ moduleId, title, video, toolbar, children }: EditStepsLayoutProps) {
  return (
    <div className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 sm:px-6 lg:py-8">
      <Link
        to={trainingPath(moduleId)}
        className="-ml-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-chip px-1.5 text-sm font-medium text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to training
      </Link>
      <h1 className="mt-1 text-2xl font-semibold sm:text-3xl">Edit steps</h1>
      <p className="mt-1 mb-5 text-ink-soft">{title}</p>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] xl:gap-8">
        <div className="-mx-4 ring-1 ring-line sm:mx-0 sm:rounded-card sm:[--player-radius:var(--radius-card)] lg:sticky lg:top-20 lg:order-2">
          {video}
        </div>
        <div className="min-w-0">
          <div className="sticky top-16 z-20 -mx-4 border-b border-line bg-canvas px-4 py-3 sm:-mx-2 sm:px-2">
            {toolbar}
          </div>
          {/* What the keyboard moves to must not end up under the tools. */}
          <div className="mt-4 [--step-scroll-margin:9rem] [&_:is(a,button,input,textarea)]:scroll-mt-24">
            {children}
          </div>
        </div>
      </div>
    </div>
  )
}

export function EditStepsSkeleton() {
  return (
    <div role="status" className="mx-auto w-full max-w-7xl flex-1 px-4 py-6 sm:px-6 lg:py-8">
      <span className="sr-only">Loading steps</span>
      <Skeleton className="mt-9 h-9 w-48" />
      <Skeleton className="mt-3 mb-6 h-5 w-72 max-w-full" />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem] xl:gap-8">
        <Skeleton className="aspect-video w-full rounded-card lg:order-2" />
        <div className="grid gap-2.5">
          <Skeleton className="mb-3 h-10 w-full" />
          <StepSkeletons />
        </div>
      </div>
    </div>
  )
}
