import { Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import * as m from '#messages'
import { PlayerFrame } from './video-player.tsx'

/**
 * Stands where the video will be while its bytes are still arriving.
 * @param children what the person who sends it should know
 */
export function AwaitedVideo({ percent, children }: { percent: number; children?: ReactNode }) {
  return (
    <PlayerFrame>
      <div className="absolute inset-0 grid place-content-center justify-items-center gap-2 p-4 text-center text-sm text-on-screen-soft sm:gap-3">
        <Upload aria-hidden="true" className="size-8 max-sm:hidden" strokeWidth={1.5} />
        <p className="text-base font-medium text-on-screen tabular-nums sm:text-lg">
          {m.video_percent_uploaded({ percent })}
        </p>
        <div aria-hidden="true" className="h-1.5 w-56 max-w-full overflow-hidden rounded-full bg-on-screen-soft/25">
          <div
            className="h-full rounded-full bg-on-screen transition-[width] duration-(--motion-calm)"
            style={{ width: `${percent}%` }}
          />
        </div>
        <p className="max-w-xs">{m.the_video_is_still_on()}</p>
        {children}
      </div>
    </PlayerFrame>
  )
}
