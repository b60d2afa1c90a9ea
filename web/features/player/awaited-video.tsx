import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import { PlayerFrame } from './video-player.tsx'

interface AwaitedVideoProps {
  /** How much of it has arrived, 0–100. */
  percent: number
  /** What the person who sends it should know. */
  children?: ReactNode
}

/** Stands where the video will be while its bytes are still arriving. */
export function AwaitedVideo({ percent, children }: AwaitedVideoProps) {
  return (
    <PlayerFrame>
      <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-4 text-center text-sm text-on-screen-soft sm:gap-3">
        <Upload aria-hidden="true" className="size-8 max-sm:hidden" strokeWidth={1.5} />
        <p className="text-base font-medium text-on-screen tabular-nums sm:text-lg">Video {percent} % uploaded</p>
        <div aria-hidden="true" className="h-1.5 w-56 max-w-full overflow-hidden rounded-full bg-on-screen-soft/25">
          <div
            className="h-full rounded-full bg-on-screen transition-[width] duration-(--motion-calm)"
            style={{ width: `${percent}%` }}
          />
        </div>
        <p className="max-w-xs">The video is still on its way. It can be played here as soon as it has arrived.</p>
        {children}
      </div>
    </PlayerFrame>
  )
}
