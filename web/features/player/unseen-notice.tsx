import * as m from '#messages'
import { namePicture } from '#web/lib/picture.ts'
import { FrameNotice } from './frame-notice.tsx'

interface UnseenNoticeProps {
  codec: string | null
  onPlayAudio: () => void
}

/** Says why this browser does not show a video, and what helps. Few learners load it. */
export function UnseenNotice({ codec, onPlayAudio }: UnseenNoticeProps) {
  const format = (codec && namePicture(codec)) ?? m.an_uncommon_format()
  return (
    <FrameNotice
      title={m.your_browser_cannot_show_this()}
      reason={m.it_is_in_format_open({ format })}
      onPress={onPlayAudio}
    >
      {m.play_the_audio()}
    </FrameNotice>
  )
}
