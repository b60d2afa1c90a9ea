import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'
import * as m from '#messages'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Workplace } from './workplace.tsx'

const WIDTHS = { wide: 'max-w-(--page-width) lg:pt-5', narrow: 'max-w-[39rem] lg:pt-14' } as const

interface TrainingLayoutProps {
  /** The module's title, or what holds its place. */
  title: ReactNode
  /** Instead of a heading of the title: one that can be changed. */
  heading?: ReactNode
  /** `narrow` for a single card, so that it stands under its title. */
  width?: keyof typeof WIDTHS
  children: ReactNode
}

/** The way back, the title, and below it one of the page's states. */
export function TrainingLayout({ title, heading, width = 'wide', children }: TrainingLayoutProps) {
  return (
    <div className={clsx('mx-auto w-full flex-1 px-4 py-6 sm:px-6 lg:pb-4', WIDTHS[width])}>
      <Link
        to="/upload"
        className="-ms-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-chip px-1.5 text-sm font-medium text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {m.back_to_upload()}
      </Link>
      <div className="mt-1 mb-5 lg:mb-4">
        {heading ?? <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>}
      </div>
      {children}
    </div>
  )
}

/** As high as the tutor: a field on a narrow screen, a column on a wide one. */
export function CompanySkeleton() {
  return <Skeleton className="h-15.5 w-full rounded-card lg:h-full" />
}

/** From edge to edge on a phone, a card elsewhere. */
export function VideoPlace({ ref, children }: { ref?: Ref<HTMLDivElement>; children: ReactNode }) {
  return (
    <div
      ref={ref}
      className="-mx-4 scroll-mt-20 ring-1 ring-line sm:mx-0 sm:rounded-card sm:[--player-radius:var(--radius-card)]"
    >
      {children}
    </div>
  )
}

export function TrainingSkeleton() {
  return (
    <TrainingLayout
      title={
        <>
          <span className="sr-only">{m.loading_training()}</span>
          <Skeleton className="h-9 w-64 max-w-full" />
        </>
      }
    >
      <Workplace
        video={<Skeleton className="aspect-video w-full rounded-card" />}
        steps={<Skeleton className="h-40 w-full rounded-card lg:h-full" />}
        company={<CompanySkeleton />}
        sections={{
          transcript: (
            <>
              <StillLoading what={m.this_training()} />
              <Skeleton className="h-40 w-full rounded-card" />
            </>
          ),
        }}
      />
    </TrainingLayout>
  )
}
