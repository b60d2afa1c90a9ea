import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'
import { Skeleton } from '#web/ui/skeleton.tsx'

const WIDTHS = { wide: 'max-w-7xl', narrow: 'max-w-[39rem] lg:pt-14' } as const

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
    <div className={clsx('mx-auto w-full flex-1 px-4 py-6 sm:px-6 lg:py-8', WIDTHS[width])}>
      <Link
        to="/upload"
        className="-ml-1.5 inline-flex min-h-8 items-center gap-1.5 rounded-chip px-1.5 text-sm font-medium text-ink-soft hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to Upload
      </Link>
      <div className="mt-1 mb-5">{heading ?? <h1 className="text-2xl font-semibold sm:text-3xl">{title}</h1>}</div>
      {children}
    </div>
  )
}

interface TwoColumnsProps {
  video: ReactNode
  /** How far the module is. Beside the video, so that nothing that is followed moves when it goes. */
  status?: ReactNode
  main?: ReactNode
  /** Company to the video: stays beside it, and stands above it where there is no room. */
  company: ReactNode
}

/**
 * Video and what belongs to it on the left, company to it on the right; on narrow screens one below the other, where
 * the keyboard follows what is seen (browsers that do not know `reading-flow` follow the wide screen's order).
 */
export function TwoColumns({ video, status, main, company }: TwoColumnsProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 [reading-flow:grid-order] lg:grid-cols-[minmax(0,1fr)_20rem] lg:[reading-flow:normal] xl:grid-cols-[minmax(0,1fr)_24rem] xl:gap-8">
      <div className="contents lg:grid lg:min-w-0 lg:grid-cols-1 lg:gap-6">
        <div className="order-2 min-w-0">{video}</div>
        {main && <div className="order-4 grid min-w-0 grid-cols-1 gap-6">{main}</div>}
      </div>
      <div className="contents lg:sticky lg:top-20 lg:flex lg:h-[calc(100dvh-15rem)] lg:max-h-[52rem] lg:min-h-96 lg:min-w-0 lg:flex-col lg:gap-4">
        <div className="order-3 min-w-0 empty:hidden lg:shrink-0">{status}</div>
        <div className="order-1 -mb-2 min-w-0 lg:mb-0 lg:min-h-80 lg:flex-1">{company}</div>
      </div>
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
