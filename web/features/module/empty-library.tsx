import type { ReactNode } from 'react'
import { ButtonLink } from '#web/ui/button.tsx'

/** The first thing that a new trainer sees: two ways to a first module. */
export function EmptyLibrary({ trySample }: { trySample: ReactNode }) {
  return (
    <div className="flex flex-col items-center rounded-panel border border-line bg-surface px-5 py-14 text-center shadow-card sm:py-20">
      <EmptyImage />
      <h2 className="mt-8 text-2xl font-semibold">Your first module starts with a video</h2>
      <p className="mt-2 max-w-md text-ink-soft">
        Upload a narrated how-to, or see what Adapt makes of ours: the sample takes about a minute.
      </p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/upload" size="large">
          Upload a video
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
      <h2 className="text-lg font-semibold">You have no modules of your own</h2>
      <p className="mx-auto mt-1.5 max-w-md text-sm text-ink-soft">
        To teach something yourself, upload a narrated how-to video. Its steps appear here.
      </p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        <ButtonLink to="/upload" variant="secondary" size="large">
          Upload a video
        </ButtonLink>
        {trySample}
      </div>
    </div>
  )
}

/** A video that becomes a list of steps. */
function EmptyImage() {
  return (
    <svg aria-hidden="true" viewBox="0 0 280 120" className="w-64 max-w-full">
      <rect x="4" y="14" width="136" height="92" rx="14" className="fill-sunken stroke-line" strokeWidth="2" />
      <path
        d="M64 46.5v27a3 3 0 0 0 4.6 2.5l20.6-13.5a3 3 0 0 0 0-5L68.600 44a3 3 0 0 0-4.600 2.500z"
        className="fill-brand"
      />
      <path
        d="M20 92h104"
        className="stroke-line-strong"
        strokeWidth="3"
        strokeLinecap="round"
        strokeDasharray="22 6"
      />
      <path d="M66 86v12" className="stroke-accent" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M154 60h20m-7-7 7 7-7 7"
        fill="none"
        className="stroke-ink-faint"
        strokeWidth="2.500"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      {[24, 60, 96].map((y, index) => (
        <g key={y}>
          <circle cx="200" cy={y} r="9" className={index === 1 ? 'fill-accent' : 'fill-brand'} />
          <path
            d={`M220 ${y - 4}h${[48, 36, 54][index]}M220 ${y + 6}h28`}
            className="stroke-line-strong"
            strokeWidth="4"
            strokeLinecap="round"
          />
        </g>
      ))}
    </svg>
  )
}
