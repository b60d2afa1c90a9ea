import { CanvasSink, type InputVideoTrack, type WrappedCanvas } from 'mediabunny'
import { BlobWindow } from '#media/blob-window.ts'
import { openMedia } from '#media/open-media.ts'

export interface PictureOrder {
  timesMs: number[]
  maxWidthPx: number
}

export interface DrawnPicture {
  /** As it was ordered. */
  timeMs: number
  blob: Blob
}

/** A picture that is larger than this at the lowest quality is left out. */
const MAX_PICTURE_BYTES = 100 * 1024
const QUALITIES = [0.8, 0.6, 0.4, 0.2]

/** Draws pictures of a picked video in order of time. Brings nothing where this browser cannot decode it. */
export async function drawPictures(
  { file, timesMs, maxWidthPx }: PictureOrder & { file: Blob },
  bring: (picture: DrawnPicture) => Promise<void>,
): Promise<void> {
  const track = await openMedia(new BlobWindow(file)).getPrimaryVideoTrack()
  if (track === null || !(await track.canDecode())) return
  const sorted = timesMs.toSorted((a, b) => a - b)
  let next = 0
  for await (const drawn of await drawAt(track, sorted, maxWidthPx)) {
    const timeMs = sorted[next++]
    const blob = drawn === null ? null : await encode(drawn.canvas as OffscreenCanvas)
    if (timeMs !== undefined && blob !== null) await bring({ timeMs, blob })
  }
}

async function drawAt(
  track: InputVideoTrack,
  timesMs: number[],
  maxWidthPx: number,
): Promise<AsyncIterable<WrappedCanvas | null>> {
  const width = Math.min(maxWidthPx, await track.getDisplayWidth())
  const firstS = await track.getFirstTimestamp()
  // One canvas for all: each is written down before the next is drawn.
  const sink = new CanvasSink(track, { width, poolSize: 1 })
  return sink.canvasesAtTimestamps(timesMs.map((ms) => Math.max(firstS, ms / 1000)))
}

async function encode(canvas: OffscreenCanvas): Promise<Blob | null> {
  for (const quality of QUALITIES) {
    const webp = await canvas.convertToBlob({ type: 'image/webp', quality })
    // Where WebP cannot be written (Safari), a PNG comes instead.
    const isWebp = webp.type === 'image/webp'
    const blob = isWebp ? webp : await canvas.convertToBlob({ type: 'image/jpeg', quality })
    if (blob.size <= MAX_PICTURE_BYTES) return blob
  }
  return null
}
