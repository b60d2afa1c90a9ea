import clsx from 'clsx'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { Link } from 'react-router-dom'

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
  side: ReactNode
}

/** Video and what belongs to it on the left, company to it on the right; on narrow screens one below the other. */
export function TwoColumns({ video, status, main, side }: TwoColumnsProps) {
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_19rem] xl:grid-cols-[minmax(0,1fr)_22rem] xl:gap-8">
      <div className="contents lg:grid lg:min-w-0 lg:grid-cols-1 lg:gap-6">
        {video}
        {main && <div className="order-3 grid min-w-0 grid-cols-1 gap-6">{main}</div>}
      </div>
      <div className="contents lg:sticky lg:top-20 lg:grid lg:min-w-0 lg:gap-4">
        <div className="order-2 min-w-0 empty:hidden">{status}</div>
        <div className="order-4 grid min-w-0 gap-4">{side}</div>
      </div>
    </div>
  )
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
