import { namePicture } from '#web/lib/picture.ts'
import { FrameNotice } from './video-player.tsx'

interface UnseenNoticeProps {
  codec: string | null
  onPlayAudio: () => void
}

/** Says why this browser does not show a video, and what helps. Few learners load it. */
export function UnseenNotice({ codec, onPlayAudio }: UnseenNoticeProps) {
  const format = (codec && namePicture(codec)) ?? 'an uncommon format'
  return (
    <FrameNotice
      title="Your browser cannot show this video"
      reason={`It is in ${format}. Open this page in another browser or on another device, or ask for it as MP4 with H.264.`}
      onPress={onPlayAudio}
    >
      Play the audio
    </FrameNotice>
  )
}
