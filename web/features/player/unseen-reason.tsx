import { namePicture } from '#web/lib/picture.ts'

/** Why this browser does not show a video, and what helps. Few learners load it. */
export function UnseenReason({ codec }: { codec: string | null }) {
  const format = (codec && namePicture(codec)) ?? 'an uncommon format'
  return `It is in ${format}. Open this page in another browser or on another device, or ask for it as MP4 with H.264.`
}
