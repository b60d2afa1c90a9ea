import { Upload } from 'lucide-react'
import { PlayerFrame } from './video-player.tsx'

/** Stands where the video will be while its bytes are still arriving. */
export function AwaitedVideo() {
  return (
    <PlayerFrame>
      <div className="absolute inset-0 grid place-content-center justify-items-center gap-3 p-6 text-center">
        <Upload aria-hidden="true" className="size-8 text-on-screen-soft" strokeWidth={1.5} />
        <p className="max-w-xs text-sm text-on-screen-soft">
          The video is still on its way. It can be played here as soon as it has arrived.
        </p>
      </div>
    </PlayerFrame>
  )
}
