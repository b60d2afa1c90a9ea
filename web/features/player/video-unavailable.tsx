import { RefreshCw, VideoOff } from 'lucide-react'

/** Stands in the player's frame when there is nothing to play. */
export function VideoUnavailable({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <div role="alert" className="absolute inset-0 grid place-content-center gap-3 p-6 text-center">
      <VideoOff aria-hidden="true" className="mx-auto size-8 text-on-screen-soft" strokeWidth={1.5} />
      <div>
        <p className="font-semibold">Video Unavailable</p>
        <p className="mt-1 text-sm text-on-screen-soft">{reason}</p>
      </div>
      <button
        type="button"
        onClick={onRetry}
        className="mx-auto inline-flex h-10 items-center gap-2 rounded-control bg-on-screen/15 px-4 text-sm font-medium hover:bg-on-screen/25"
      >
        <RefreshCw aria-hidden="true" className="size-4" />
        Try again
      </button>
    </div>
  )
}
