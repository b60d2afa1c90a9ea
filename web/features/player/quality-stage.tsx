import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { smallVideoPath } from '#contract/share-page.ts'
import type { SmallCopy } from '#contract/small-copy.ts'
import * as m from '#messages'
import { listen } from '#web/lib/browser-state.ts'
import { canShowPicture } from '#web/lib/can-show-picture.ts'
import { findConnection, sparesData } from '#web/lib/connection.ts'
import { formatBytes } from '#web/lib/format/format-bytes.ts'
import type { PlayerProps } from './player-handle.ts'
import { PanelSelect } from './player-menus.tsx'
import { PlayerStage } from './player-stage.tsx'
import { chooseQuality, keepQuality, type Quality, readQuality } from './quality/choose-quality.ts'
import { watchStalls } from './quality/watch-stalls.ts'

/** `MediaError.MEDIA_ERR_NETWORK` */
const NETWORK_BROKE = 2

/** A line that was too slow for one video is so for the next. */
let wasSlow = false

type QualityProps = Pick<PlayerProps, 'src' | 'videoCodec' | 'audioTracks' | 'onError'> & { smallCopy: SmallCopy }

/** Which video is played, and how that changes. */
export function useQuality({ src, videoCodec = null, audioTracks, smallCopy, onError }: QualityProps) {
  const place = useRef<HTMLDivElement>(null)
  const [wanted, setWanted] = useState(readQuality)
  const [isSlow, setIsSlow] = useState(() => wasSlow || sparesData())
  /** The small copy may have been replaced since the page was written. */
  const [hasFailed, setHasFailed] = useState(false)
  const quality = hasFailed ? 'original' : chooseQuality({ wanted, isSlow, videoCodec, smallCopy })
  const noteSlow = () => {
    noteMoment(place.current)
    setIsSlow(true)
  }
  const noteStall = useEffectEvent(() => {
    wasSlow = true
    noteSlow()
  })
  const noteLine = useEffectEvent(() => sparesData() && noteSlow())
  useEffect(() => {
    if (quality === 'small' || place.current === null) return
    const connection = findConnection()
    const ends = [watchStalls(place.current, noteStall)]
    // Who walks out of the house goes on with mobile data. What an app around the browser puts there may call nobody.
    if (connection instanceof EventTarget) ends.push(listen(connection, { change: noteLine }))
    return () => ends.forEach((end) => end())
  }, [quality])
  const want = (next: Quality) => {
    noteMoment(place.current)
    // The line may have changed while the small copy played: only the original listens for that.
    if (sparesData()) setIsSlow(true)
    keepQuality(next)
    setWanted(next)
    setHasFailed(false)
  }
  const isSmall = quality === 'small'
  // A line that breaks is no fault of the copy, and the original would be of no use where it cannot be shown.
  const hasOther = (code: number) => isSmall && code !== NETWORK_BROKE && canShowPicture(videoCodec)
  const reportError = (code: number) => (hasOther(code) ? setHasFailed(true) : onError?.(code))
  // The small copy has one track, which the steps are of.
  const played = isSmall ? { src: smallVideoPath(src), audioTracks: [] } : { src, audioTracks }
  return { place, wanted, want, played, reportError }
}

/** The player goes on where its video last said to be, which may be a quarter of a second ago. */
function noteMoment(place: HTMLElement | null): void {
  place?.querySelector('video')?.dispatchEvent(new Event('timeupdate'))
}

/** The player of a training that has a small copy: with a choice between the two, which keeps the moment. */
export function QualityStage({ smallCopy, ...props }: PlayerProps & { smallCopy: SmallCopy }) {
  const { place, wanted, want, played, reportError } = useQuality({ smallCopy, ...props })
  const options: Record<Quality, string> = {
    automatic: m.quality_automatic(),
    small: `${m.quality_small()} · ${formatBytes(smallCopy.sizeBytes)}`,
    original: m.quality_original(),
  }
  const settings = (
    <>
      <PanelSelect label={m.video_quality()} options={options} value={wanted} onChange={want} />
      <hr className="player-panel-line" />
    </>
  )
  return (
    <div ref={place} className="absolute inset-0">
      <PlayerStage {...props} {...played} settings={settings} onError={reportError} />
    </div>
  )
}
