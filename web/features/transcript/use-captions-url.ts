import { useEffect, useState } from 'react'
import type { TranscriptSegment } from '#contract/transcript.ts'
import { writeVtt } from '#media/write-captions.ts'

/** Address of a caption file made from the transcript, for as long as it is shown; undefined while there are no words. */
export function useCaptionsUrl(segments: readonly TranscriptSegment[] | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (segments === undefined || segments.length === 0) return
    const made = URL.createObjectURL(new Blob([writeVtt(segments)], { type: 'text/vtt' }))
    // oxlint-disable-next-line react/set-state-in-effect -- an object URL must be released, so it cannot be made while drawing
    setUrl(made)
    return () => {
      setUrl(undefined)
      URL.revokeObjectURL(made)
    }
  }, [segments])
  return url
}
