import { SearchX, WifiOff } from 'lucide-react'
import type { ReactNode } from 'react'
import * as m from '#messages'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Skeleton, StillLoading } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Instead of the list while there is no connection and nothing has been loaded before. */
export function LibraryOffline() {
  return (
    <Notice icon={WifiOff} role="status" level={2} title={m.you_are_offline()}>
      <p>{m.modules_appear_with_connection()}</p>
    </Notice>
  )
}

export function NoMatch({ search, onClear }: { search: string; onClear: () => void }) {
  return (
    <Notice
      icon={SearchX}
      level={2}
      title={m.no_module_matches()}
      actions={
        <Button variant="secondary" onClick={onClear}>
          {m.clear_search()}
        </Button>
      }
    >
      <p>{m.nothing_matches_search({ search })}</p>
    </Notice>
  )
}

interface ListEndProps {
  hasMore: boolean
  isLoading: boolean
  /** Why the next page could not be loaded; null when it could. */
  failure: string | null
  onMore: () => void
}

/** Below the last card: the next page comes by itself, and on demand where it did not. */
export function ListEnd({ hasMore, isLoading, failure, onMore }: ListEndProps) {
  if (!hasMore) return null
  return (
    <div className="flex flex-col items-center gap-3 pt-2 text-center">
      {failure !== null && (
        <p role="alert" className="text-sm text-danger-ink">
          {m.failed_to_fetch_modules_because({ reason: failure })}
        </p>
      )}
      <Button variant="secondary" isBusy={isLoading} onClick={onMore}>
        {failure === null ? m.load_more() : m.try_again_button()}
      </Button>
    </div>
  )
}

const PLACES = [1, 2, 3, 4, 5, 6]

export function ModuleSkeletons() {
  return (
    <div className="flex flex-col gap-6">
      <div className="flex justify-between gap-3">
        <Skeleton className="h-10 w-full max-w-sm" />
        <Skeleton className="h-10 w-40" />
      </div>
      <div className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
        {PLACES.map((place) => (
          <Card key={place} className="flex flex-col overflow-hidden">
            <Skeleton className="aspect-2/1 rounded-none" />
            <div className="p-5">
              <div className="flex justify-between">
                <Skeleton className="h-6 w-20 rounded-full" />
                <Skeleton className="h-5 w-24" />
              </div>
              <Skeleton className="mt-4 h-6 w-3/4" />
            </div>
            <div className="flex flex-wrap gap-2 border-t border-line px-5 py-3">
              <Skeleton className="h-8 basis-full" />
              <Skeleton className="h-8 w-22" />
              <Skeleton className="h-8 w-20" />
              <Skeleton className="ms-auto h-8 w-22" />
            </div>
          </Card>
        ))}
      </div>
      <StillLoading what={m.your_modules_being_loaded()} />
    </div>
  )
}

/** The first thing that a new trainer sees: two ways to a first module. */
export function EmptyLibrary({ trySample }: { trySample: ReactNode }) {
  return (
    <div className="flex flex-col items-center rounded-panel border border-line bg-surface px-5 py-14 text-center shadow-card sm:py-20">
      <EmptyImage />
      <h2 className="mt-8 text-2xl font-semibold">{m.first_module_starts_with_video()}</h2>
      <p className="mt-2 max-w-md text-ink-soft">{m.upload_or_see_sample()}</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/upload" size="large">
          {m.upload_a_video()}
        </ButtonLink>
        {trySample}
      </div>
    </div>
  )
}

/** For a person who learns with the trainings of others: no greeting, but the way to a first module. */
export function NoOwnModules({ trySample }: { trySample: ReactNode }) {
  return (
    <div className="rounded-panel border border-line bg-surface px-5 py-8 text-center shadow-card sm:px-8">
      <h2 className="text-lg font-semibold">{m.no_modules_of_your_own()}</h2>
      <p className="mx-auto mt-1.5 max-w-md text-sm text-ink-soft">{m.to_teach_upload_video()}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/upload" variant="secondary" size="large">
          {m.upload_a_video()}
        </ButtonLink>
        {trySample}
      </div>
    </div>
  )
}

function EmptyImage() {
  return (
    <svg aria-hidden="true" viewBox="0 0 280 120" strokeLinecap="round" className="w-64 max-w-full">
      <rect x="4" y="14" width="136" height="92" rx="14" className="fill-sunken stroke-line" strokeWidth="2" />
      <path
        d="M64 46.5v27a3 3 0 0 0 4.6 2.5l20.6-13.5a3 3 0 0 0 0-5L68.600 44a3 3 0 0 0-4.600 2.500z"
        className="fill-brand"
      />
      <path d="M20 92h104" className="stroke-line-strong" strokeWidth="3" strokeDasharray="22 6" />
      <path d="M66 86v12" className="stroke-accent" strokeWidth="4" />
      <path
        d="M154 60h20m-7-7 7 7-7 7"
        className="fill-none stroke-ink-faint"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      {[24, 60, 96].map((y, index) => (
        <g key={y}>
          <circle cx="200" cy={y} r="9" className={index === 1 ? 'fill-accent' : 'fill-brand'} />
          <path
            d={`M220 ${y - 4}h${[48, 36, 54][index]}M220 ${y + 6}h28`}
            className="stroke-line-strong"
            strokeWidth="4"
          />
        </g>
      ))}
    </svg>
  )
}
