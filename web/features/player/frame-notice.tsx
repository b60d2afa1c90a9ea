import { RefreshCw, VideoOff } from 'lucide-react'
import type { ReactNode } from 'react'
import * as m from '#messages'

interface FrameNoticeProps {
  title: string
  reason: ReactNode
  children: ReactNode
  onPress: () => void
}

/** Stands in the player's frame in place of the video. */
export function FrameNotice({ title, reason, children, onPress }: FrameNoticeProps) {
  return (
    <div role="alert" className="absolute inset-0 grid place-content-center gap-3 p-4 text-center sm:p-6">
      <VideoOff aria-hidden="true" className="mx-auto size-8 text-on-screen-soft max-sm:hidden" strokeWidth={1.5} />
      <div className="mx-auto max-w-md">
        <p className="font-semibold">{title}</p>
        <p className="mt-1 text-sm text-on-screen-soft">{reason}</p>
      </div>
      <button
        type="button"
        onClick={onPress}
        className="mx-auto inline-flex h-10 items-center gap-2 rounded-control bg-on-screen/15 px-4 text-sm font-medium hover:bg-on-screen/25"
      >
        {children}
      </button>
    </div>
  )
}

/** Stands in the player's frame when there is nothing to play. */
export function VideoUnavailable({ reason, onRetry }: { reason: string; onRetry: () => void }) {
  return (
    <FrameNotice title={m.video_unavailable()} reason={reason} onPress={onRetry}>
      <RefreshCw aria-hidden="true" className="size-4" />
      {m.try_again()}
    </FrameNotice>
  )
}
