import { CanvasSink, type InputVideoTrack } from 'mediabunny'
import type { MediaFacts } from '#media/read-facts.ts'
import type { ByteWindow } from '#media/source/byte-window.ts'
import { toGray } from '#screen/gray.ts'
import { isScreen } from '#screen/tell-screen.ts'
import { readPixels } from '#web/lib/step-images.ts'
import { endingStalled } from '../convert/convert-video.ts'
import type { PictureKind } from './size-copy.ts'

/** Moments at which a video is looked at. */
const LOOKS = 9
/** Wide enough for text, narrow enough for the eye's grain to stay. */
const LOOK_WIDTH_PX = 640

/**
 * Tells whether a video shows a screen or what a camera sees.
 * @param source where it is read from: between two looks may be minutes of video, or megabytes of a slow line
 * @throws {DOMException} `TimeoutError` where its decoder does not answer
 */
export function tellKind(
  picture: InputVideoTrack,
  { startMs, durationMs }: Pick<MediaFacts, 'startMs' | 'durationMs'>,
  source: Pick<ByteWindow, 'reads'>,
): Promise<PictureKind> {
  const moments = Array.from({ length: LOOKS }, (_, at) => (startMs + (durationMs * (at + 0.5)) / LOOKS) / 1000)
  async function look(noteProgress: () => void): Promise<PictureKind> {
    const width = Math.min(LOOK_WIDTH_PX, await picture.getDisplayWidth())
    const frames = []
    for await (const drawn of new CanvasSink(picture, { width, poolSize: 1 }).canvasesAtTimestamps(moments)) {
      noteProgress()
      if (drawn !== null) frames.push(toGray(readPixels(drawn.canvas as OffscreenCanvas)))
    }
    return isScreen(frames) ? 'screen' : 'camera'
  }
  return endingStalled(look, () => source.reads)
}
