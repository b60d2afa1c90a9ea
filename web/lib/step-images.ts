import { STEP_IMAGE } from '#contract/image.ts'
import { isInCut, planLooks, planMoments, rankFrames, type StepSpan } from '#media/choose-frame.ts'
import { countFromZero } from './count-from-zero.ts'
import { encodeImage, POSTER_WIDTH_PX } from './files.ts'

/**
 * Draws what a video shows at some times, in their order, at most so wide; null for what it does not show. The same
 * canvas may come again and again.
 */
export type DrawFrames = (timesMs: readonly number[], maxWidthPx: number) => AsyncIterable<OffscreenCanvas | null>

/** The images of a step. */
export interface StepImages {
  small: Blob
  /** Null where it does not fit. */
  large: Blob | null
  /** Null where the video is not wider than the larger one, and where it does not fit. */
  wide: Blob | null
}

/**
 * Makes the images of a step out of the frame that shows best what it is about. Where its first third has none, the
 * third after that is looked at.
 * @returns null where no frame is fit, or nothing can be drawn
 */
export async function makeStepImages(draw: DrawFrames, span: StepSpan): Promise<StepImages | null> {
  const laterMs = span.startMs + (span.endMs - span.startMs) / 3
  const timeMs = (await findFrame(draw, span)) ?? (await findFrame(draw, { ...span, startMs: laterMs }))
  return timeMs === null ? null : makeImagesAt(draw, timeMs)
}

async function makeImagesAt(draw: DrawFrames, timeMs: number): Promise<StepImages | null> {
  for await (const frame of draw([timeMs], STEP_IMAGE.widePx)) return frame && encodeStepImages(frame)
  return null
}

/** Writes a frame down in the sizes of a step's image. Null when the smallest does not fit. */
export async function encodeStepImages(frame: OffscreenCanvas): Promise<StepImages | null> {
  const small = await encodeImage(scale(frame, STEP_IMAGE.smallPx), STEP_IMAGE.smallMaxBytes)
  if (small === null) return null
  const large = await encodeImage(scale(frame, STEP_IMAGE.largePx), STEP_IMAGE.largeMaxBytes)
  const wide = frame.width > STEP_IMAGE.largePx ? await encodeImage(frame, STEP_IMAGE.wideMaxBytes) : null
  return { small, large, wide }
}

/** @returns the sharpest of the moments that is not in a cut, in milliseconds */
async function findFrame(draw: DrawFrames, span: StepSpan): Promise<number | null> {
  const moments = planMoments(span)
  const seen = await lookAt(draw, moments)
  const frames = moments.flatMap((timeMs, index) => (seen[index] ? [{ timeMs, pixels: seen[index] }] : []))
  for (const timeMs of rankFrames(frames)) {
    const [before, after] = await lookAt(draw, planLooks(timeMs, span))
    if (before && after && !isInCut(before, after)) return timeMs
  }
  return null
}

async function lookAt(draw: DrawFrames, timesMs: readonly number[]): Promise<(ImageData | null)[]> {
  const seen: (ImageData | null)[] = []
  for await (const frame of draw(timesMs, STEP_IMAGE.smallPx)) seen.push(frame && readPixels(frame))
  return seen
}

/** Reads the pixels of a canvas. */
export function readPixels(canvas: OffscreenCanvas): ImageData {
  return contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height)
}

function scale(frame: OffscreenCanvas, maxWidthPx: number): OffscreenCanvas {
  return drawScaled(frame, frame, maxWidthPx)
}

/** Draws an image at most so wide on a canvas of its own. */
function drawScaled(
  image: CanvasImageSource,
  { width, height }: { width: number; height: number },
  maxWidthPx: number,
) {
  const scaledPx = Math.min(maxWidthPx, width)
  const canvas = new OffscreenCanvas(scaledPx, Math.max(1, Math.round((scaledPx * height) / width)))
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas
}

function contextOf(canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  // not-shown: for developers.
  if (context === null) throw new Error('The browser has no canvas to draw on')
  return context
}

/** Draws what a video on the page shows now; null while it shows nothing, or is on its way to another place. */
export function drawVideo(video: HTMLVideoElement | null, maxWidthPx: number): OffscreenCanvas | null {
  if (video === null || video.seeking || video.readyState < video.HAVE_CURRENT_DATA) return null
  if (video.videoWidth === 0) return null
  return drawScaled(video, { width: video.videoWidth, height: video.videoHeight }, maxWidthPx)
}

/** A slow line needs some seconds for a place that is not loaded; one that takes longer is left for another visit. */
const SEEK_WITHIN_MS = 20_000

/** Makes images of one video. Null: there is nothing fit, or nothing that can be drawn. */
export interface ImageMaker {
  makePoster(timeMs: number): Promise<Blob | null>
  /** Out of the best frame of a step. */
  makeStep(span: StepSpan): Promise<StepImages | null>
  /** Out of the frame at a moment that a person has chosen. */
  makeAt(timeMs: number): Promise<StepImages | null>
}

/**
 * Opens a video by its address, beside the page, to make images of it.
 * @returns null where this browser cannot show it
 */
export async function openImageMaker(url: string, signal: AbortSignal): Promise<ImageMaker | null> {
  const draw = await openVideo(url, signal)
  return (
    draw && {
      async makePoster(timeMs) {
        for await (const frame of draw([timeMs], POSTER_WIDTH_PX)) return frame && encodeImage(frame)
        return null
      },
      makeStep: (span) => makeStepImages(draw, span),
      makeAt: (timeMs) => makeImagesAt(draw, timeMs),
    }
  )
}

/** Opens a video by its address, beside the page, to draw what it shows; null where this browser cannot show it. */
export async function openVideo(url: string, signal: AbortSignal): Promise<DrawFrames | null> {
  const video = document.createElement('video')
  countFromZero(video)
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  // Ends what it loads.
  signal.addEventListener('abort', () => (video.src = ''))
  video.src = url
  if (!(await until(video, 'loadeddata', signal)) || video.videoWidth === 0) return null
  return async function* draw(timesMs, maxWidthPx) {
    for (const timeMs of timesMs) {
      const seeked = until(video, 'seeked', signal)
      video.currentTime = timeMs / 1000
      yield (await seeked) ? drawVideo(video, maxWidthPx) : null
    }
  }
}

/** @returns whether it has come to pass */
function until(video: HTMLVideoElement, event: 'loadeddata' | 'seeked', signal: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const over = new AbortController()
  const on = { signal: over.signal }
  video.addEventListener(event, () => resolve(true), on)
  video.addEventListener('error', () => resolve(false), on)
  AbortSignal.any([signal, AbortSignal.timeout(SEEK_WITHIN_MS)]).addEventListener('abort', () => resolve(false), on)
  return promise.finally(() => over.abort())
}
