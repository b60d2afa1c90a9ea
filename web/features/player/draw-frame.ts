import { encodeImage } from '#web/lib/encode-image.ts'

/**
 * Draws what a video shows now, at most so wide; null while it shows nothing or is on its way to another place, and where
 * this browser cannot draw it.
 */
export async function drawFrame(video: HTMLVideoElement | null, maxWidthPx: number): Promise<Blob | null> {
  if (video === null || video.seeking || video.readyState < video.HAVE_CURRENT_DATA) return null
  if (video.videoWidth === 0) return null
  const width = Math.min(maxWidthPx, video.videoWidth)
  const canvas = new OffscreenCanvas(width, Math.round((width * video.videoHeight) / video.videoWidth))
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.drawImage(video, 0, 0, canvas.width, canvas.height)
  return encodeImage(canvas)
}
