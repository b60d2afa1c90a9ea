import { CanvasSink, type InputVideoTrack, type WrappedCanvas } from 'mediabunny'
import { BlobWindow } from '#media/byte-window.ts'
import { openMedia } from '#media/open-media.ts'
import { encodeImage } from '#web/lib/encode-image.ts'

export interface ImageOrder {
  timesMs: number[]
  maxWidthPx: number
}

export interface DrawnImage {
  timeMs: number
  blob: Blob
}

/** Draws images of a picked video in order of time. Brings nothing where this browser cannot decode it. */
export async function drawImages(
  { file, timesMs, maxWidthPx }: ImageOrder & { file: Blob },
  bring: (image: DrawnImage) => Promise<void>,
): Promise<void> {
  const track = await openMedia(new BlobWindow(file)).getPrimaryVideoTrack()
  if (track === null || !(await track.canDecode())) return
  const sorted = timesMs.toSorted((a, b) => a - b)
  let next = 0
  for await (const drawn of await drawAt(track, sorted, maxWidthPx)) {
    const timeMs = sorted[next++]
    const blob = drawn === null ? null : await encodeImage(drawn.canvas as OffscreenCanvas)
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
